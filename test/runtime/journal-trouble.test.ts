/** A journal that refuses for a while: no publish is answered that is not kept, and nothing that happened is lost. */
import { describe, expect, test } from 'vitest';
import { JournalError } from '../../core/ports/journal.ts';
import { started, subscribe } from '../support/runtime-stand.ts';

const FULL = new JournalError('full', 'no space left on the device');

describe('while the journal refuses', () => {
  test('a publish is refused with the reason, and accepted again afterwards', async () => {
    const stand = await started();
    stand.journal.failure = FULL;
    await expect(stand.publish('orders')).rejects.toMatchObject({
      code: 'ERR_PUBSUB_PUBLISH_MESSAGE',
      params: { reason: 'no space left on the device' },
    });
    expect(stand.app.calls).toHaveLength(0);
    stand.journal.failure = undefined;
    expect(await stand.states(await stand.publish('orders'))).toEqual(['processed']);
    expect(
      stand.lines.filter(({ part }) => part === 'journal').map(({ level, text }) => [level, text]),
    ).toEqual([
      ['error', 'Writing to the journal fails: no space left on the device'],
      ['info', 'Writing to the journal works again.'],
    ]);
  });

  test('a changed setting applies at once, is answered, and is written as soon as possible', async () => {
    const stand = await started();
    stand.journal.failure = FULL;
    await stand.runtime.keep('settings', { a: 1 });
    await stand.runtime.written();
    expect(await stand.journal.kept('settings')).toBeUndefined();
    stand.journal.failure = undefined;
    await stand.pass(1000);
    expect(await stand.journal.kept('settings')).toEqual({ a: 1 });
  });

  test('entries of a bulk publish are reported as failed', async () => {
    const stand = await started();
    stand.journal.failure = FULL;
    const result = await stand.runtime.publishByHand.bulk({
      pubsubname: 'pubsub',
      topic: 'orders',
      body: JSON.stringify([{ entryId: '1', event: 'a', contentType: 'text/plain' }]),
      metadata: {},
    });
    expect(result).toEqual({
      messageIds: [],
      failedEntries: [{ entryId: '1', error: 'no space left on the device' }],
    });
  });

  test('changes of accepted messages are written as soon as possible, in order', async () => {
    const stand = await started();
    stand.app.next.push('hang', 500);
    const id = await stand.publish('orders');
    const other = await stand.publish('orders');
    stand.journal.failure = FULL;
    stand.app.calls[0]?.answer('RETRY');
    await stand.pass(700);
    expect((await stand.journal.get(id))?.deliveries[0]?.delivery.state).toBe('attempting');
    expect(stand.runtime.figures.counts().processed).toBe(2);
    stand.journal.failure = undefined;
    await stand.pass(1000);
    expect(await stand.way(id)).toEqual([
      'queued policy.accepted (policy)',
      'attempting policy.attempt (policy)',
      'retrying single.2xx.retry (app)',
      'attempting policy.retry (policy)',
      'processed single.2xx.empty (app)',
    ]);
    expect(await stand.way(other)).toHaveLength(5);
    const sequences = stand.journal.records.flatMap((record) =>
      record.kind === 'delivery' && record.transition !== undefined ? [record.transition.sequence] : [],
    );
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b));
  });

  test('a crash before a change is written delivers the message again', async () => {
    const stand = await started();
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    stand.journal.failure = FULL;
    stand.app.last.answer('SUCCESS');
    await stand.settle();
    stand.crash();
    await stand.start();
    expect(await stand.states(id)).toEqual(['processed']);
    expect(stand.app.calls).toHaveLength(2);
  });

  test('an act by hand is done and answered, and on disk once it can be', async () => {
    const stand = await started();
    stand.app.next.push('RETRY');
    const id = await stand.publish('orders');
    stand.journal.failure = FULL;
    await stand.runtime.deliveryActions.drop({ messageId: id });
    await stand.runtime.holds.add({ at: 'delivery', filter: 'topic:orders' });
    expect(stand.runtime.figures.counts().dropped).toBe(1);
    expect((await stand.journal.get(id))?.deliveries[0]?.delivery.state).toBe('retrying');
    stand.journal.failure = undefined;
    await stand.pass(1000);
    expect(await stand.states(id)).toEqual(['dropped']);
    expect(await stand.journal.kept('holds')).toMatchObject([{ filter: 'topic:orders' }]);
  });

  test('the runtime stops although records are unwritten', async () => {
    const stand = await started();
    const id = await stand.publish('orders');
    stand.journal.failure = FULL;
    await stand.runtime.removals.remove({ messageIds: [id] });
    await stand.stop();
    expect(stand.journal.closed).toBe(1);
  });

  test('a delivery whose dead-letter copy cannot be stored is parked', async () => {
    const stand = await started({}, (it) => {
      subscribe(it, { topic: 'orders', route: '/orders', deadLetterTopic: 'dead' });
      it.set('delivery.retry', { maxAttempts: 1 });
    });
    stand.app.next.push('hang');
    const id = await stand.publish('orders');
    stand.journal.failure = FULL;
    stand.app.last.answer(500);
    await stand.settle();
    stand.journal.failure = undefined;
    await stand.pass(1000);
    expect((await stand.way(id)).at(-1)).toBe('parked policy.exhausted (policy)');
  });

  test('with too many unwritten records no attempt starts until the journal has caught up', async () => {
    const stand = await started();
    stand.set('delivery.concurrency', 10_000);
    stand.set('delivery.retry', { maxAttempts: 0, firstDelayMs: 1, factor: 1, maxDelayMs: 1 });
    stand.app.answerWith = () => 'RETRY';
    const ids: string[] = [];
    for (let n = 0; n < 50; n += 1) ids.push(await stand.publish('orders'));
    stand.journal.failure = FULL;
    await stand.pass(200);
    const made = stand.app.calls.length;
    expect(made).toBeLessThan(10_100);
    await stand.pass(10);
    expect(stand.app.calls).toHaveLength(made);
    stand.journal.failure = undefined;
    stand.app.answerWith = () => 200;
    await stand.pass(2000);
    expect(stand.runtime.figures.counts()).toMatchObject({ processed: 50, retrying: 0 });
  });
});

test('a message whose last change is not on disk yet is replayed with that change', async () => {
  const stand = await started();
  const id = await stand.publish('orders');
  stand.journal.failure = FULL;
  stand.app.next.push('hang');
  const parked = stand.runtime.deliveryActions.drop({ messageId: id }).catch((error: unknown) => error);
  expect(await parked).toMatchObject({ code: 'TRANSITION_NOT_ALLOWED', data: { state: 'processed' } });
});
