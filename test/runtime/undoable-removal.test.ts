/** Messages that are removed: out of sight at once, back within ten seconds, gone after them and at an orderly end. */
import { describe, expect, test } from 'vitest';
import { parseFilter } from '../../core/domain/filter/parse.ts';
import { JournalError } from '../../core/ports/journal.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { started } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

const DAY_MS = 86_400_000;

async function ids(stand: Stand, filter = ''): Promise<string[]> {
  const parsed = parseFilter(filter);
  if (!parsed.ok) throw new Error(parsed.error.message);
  const page = await stand.runtime.journal.page({
    order: 'oldest',
    limit: 100,
    nowMs: stand.clock.now(),
    filter: parsed.filter,
  });
  expect(page.total).toBe(page.items.length);
  return page.items.map(({ messageId }) => messageId);
}

describe('a removal', () => {
  test('shows at once everywhere', async () => {
    const stand = await started();
    const [a, b] = [await stand.publish('orders', 'one'), await stand.publish('orders', 'two')];
    const { removed } = await stand.runtime.removals.remove({ messageIds: [a, 'msg_unknown'] });
    expect(removed).toBe(1);
    expect(await ids(stand)).toEqual([b]);
    expect(await ids(stand, 'topic:orders')).toEqual([b]);
    await expect(stand.message(a)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { journal } = stand.runtime;
    expect(await journal.rows([1, 2])).toMatchObject([undefined, { messageId: b }]);
    expect((await journal.scan({ order: 'oldest', limit: 10, nowMs: 0 })).numbers).toEqual([2]);
    expect((await journal.stats()).messages).toBe(1);
    expect(stand.events.at(-1)).toMatchObject({ type: 'messages.pruned', count: 1 });
    const again = await stand.runtime.removals.remove({ messageIds: [a] });
    expect(again.removed).toBe(0);
  });

  test('can be undone for ten seconds, and reports the restored messages', async () => {
    const stand = await started();
    const a = await stand.publish('orders', 'one');
    const { undoToken } = await stand.runtime.removals.remove({ filter: 'topic:orders' });
    await stand.pass(9_999);
    expect(await stand.runtime.removals.undo(undoToken)).toEqual({ restored: 1 });
    expect(await ids(stand)).toEqual([a]);
    expect(stand.events.at(-1)).toMatchObject({ type: 'message.added', row: { messageId: a } });
    await stand.pass(60_000);
    expect(await ids(stand)).toEqual([a]);
    await expect(stand.runtime.removals.undo(undoToken)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      field: 'token',
    });
  });

  test('is final after ten seconds, also for unfinished deliveries', async () => {
    const stand = await started();
    stand.set('delivery.retry', {
      maxAttempts: 9,
      firstDelayMs: 60_000,
      factor: 1,
      maxDelayMs: 60_000,
      jitter: 0,
    });
    stand.app.next.push('RETRY');
    const a = await stand.publish('orders', 'one');
    const told = stand.events.length;
    const { undoToken } = await stand.runtime.removals.remove({ messageIds: [a] });
    await stand.pass(10_000);
    await expect(stand.runtime.removals.undo(undoToken)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const calls = stand.app.calls.length;
    await stand.pass(120_000);
    expect(stand.app.calls).toHaveLength(calls);
    expect(stand.runtime.figures.counts().retrying).toBe(0);
    // A removal that clients already know is not reported again.
    expect(stand.events.slice(told).filter(({ type }) => type === 'messages.pruned')).toHaveLength(1);
    await stand.start();
    expect(await ids(stand)).toEqual([]);
  });

  test('lets a delivery go on whose body only the history has', async () => {
    const stand = await started({ journal: new LastingJournal({ durable: true }) });
    const { holdId } = await stand.runtime.holds.add({ at: 'delivery', filter: '' });
    const a = await stand.publish('orders', 'one');
    const { undoToken } = await stand.runtime.removals.remove({ messageIds: [a] });
    await stand.runtime.deliveryActions.removeHold(holdId, true);
    await stand.pass(9_000);
    expect(stand.app.calls).toHaveLength(1);
    await stand.runtime.removals.undo(undoToken);
    expect((await stand.message(a)).deliveries).toMatchObject([{ state: 'processed' }]);
    expect(stand.logged('error')).toEqual([]);
  });

  test('is final at an orderly end, and forgotten in a crash', async () => {
    const stand = await started();
    await stand.publish('orders', 'one');
    await stand.runtime.removals.remove({ filter: '' });
    await stand.stop();
    await stand.start();
    expect(await ids(stand)).toEqual([]);
    const b = await stand.publish('orders', 'two');
    await stand.runtime.removals.remove({ filter: '' });
    stand.crash();
    await stand.start();
    expect(await ids(stand)).toEqual([b]);
  });

  test('of a filter up to a number leaves later messages alone, also those of the same moment', async () => {
    const stand = await started();
    const sent: string[] = [];
    for (const n of [1, 2, 3]) sent.push(await stand.publish('orders', String(n)));
    const { removed } = await stand.runtime.removals.remove({ filter: 'topic:orders', upTo: 2 });
    expect(removed).toBe(2);
    expect(await ids(stand)).toEqual(sent.slice(2));
    await expect(stand.runtime.removals.remove({ messageIds: ['a'], upTo: 2 })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      field: 'upTo',
    });
  });

  test('needs either ids or a filter', async () => {
    const stand = await started();
    await expect(stand.runtime.removals.remove({})).rejects.toMatchObject({ code: 'INVALID_PARAMS' });
    await expect(stand.runtime.removals.remove({ messageIds: ['a'], filter: '' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
    });
    await expect(stand.runtime.removals.remove({ filter: 'topik:x' })).rejects.toMatchObject({
      code: 'FILTER_SYNTAX',
    });
  });
});

test('a message that is removed while the journal is behind is not counted any more', async () => {
  const stand = await started();
  stand.app.answerWith = () => 'hang';
  const id = await stand.publish('orders');
  stand.journal.failure = new JournalError('full', 'no room');
  stand.app.open[0]?.answer(200);
  await stand.settle();
  expect(stand.runtime.figures.counts()).toMatchObject({ processed: 1, attempting: 0 });
  void stand.runtime.removals.removeAtOnce([id]);
  await stand.settle();
  stand.journal.failure = undefined;
  await stand.pass(60_000);
  expect(stand.runtime.figures.counts()).toMatchObject({ processed: 0, attempting: 0, queued: 0 });
  expect(await ids(stand)).toEqual([]);
});

describe('a removal at once', () => {
  test('leaves a hidden message alone, which goes on if it is restored', async () => {
    const stand = await started();
    stand.app.answerWith = () => 'hang';
    const id = await stand.publish('orders');
    await stand.settle();
    const { undoToken } = await stand.runtime.removals.remove({ messageIds: [id] });
    expect(await stand.runtime.removals.removeAtOnce([id])).toBe(0);
    expect(await stand.runtime.removals.undo(undoToken)).toEqual({ restored: 1 });
    stand.app.open[0]?.answer(200);
    await stand.settle();
    expect(await stand.states(id)).toEqual(['processed']);
    expect(stand.runtime.figures.counts()).toMatchObject({ processed: 1, attempting: 0 });
  });

  test('counts no message that another one takes at the same time', async () => {
    const stand = await started();
    const sent = [await stand.publish('orders', 'one'), await stand.publish('orders', 'two')];
    await stand.publish('orders', 'three');
    await stand.settle();
    const { removals, figures, journal } = stand.runtime;
    expect(await Promise.all([removals.removeAtOnce(sent), removals.removeAtOnce(sent)])).toEqual([2, 0]);
    expect(figures.counts().processed).toBe(1);
    expect((await journal.stats()).messages).toBe(1);
  });
});

describe('while the journal refuses to write', () => {
  /** A message on disk, whose removal the journal refuses. */
  async function refused(): Promise<{ stand: Stand; id: string }> {
    const stand = await started();
    const id = await stand.publish('orders', 'one');
    await stand.settle();
    stand.journal.failure = new JournalError('full', 'no room');
    return { stand, id };
  }

  /** Checks that nothing shows the message, now and when the journal works again. */
  async function expectGone(stand: Stand, id: string): Promise<void> {
    for (const failure of [stand.journal.failure, undefined]) {
      stand.journal.failure = failure;
      await stand.pass(60_000);
      expect(await ids(stand)).toEqual([]);
      await expect(stand.message(id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
      expect((await stand.runtime.journal.stats()).messages).toBe(0);
    }
    expect(await stand.journal.get(id)).toBeUndefined();
    const next = await stand.publish('orders', 'two');
    expect(await ids(stand)).toEqual([next]);
  }

  test('a message whose removal can no longer be undone does not come back', async () => {
    const { stand, id } = await refused();
    expect((await stand.runtime.removals.remove({ messageIds: [id] })).removed).toBe(1);
    await stand.pass(10_000);
    await expectGone(stand, id);
  });

  test('a message that is removed at once does not come back', async () => {
    const { stand, id } = await refused();
    expect(await stand.runtime.removals.removeAtOnce([id])).toBe(1);
    await expectGone(stand, id);
  });

  test('what retention removes meanwhile counts once', async () => {
    const stand = await started();
    const old: string[] = [];
    for (const text of ['one', 'two', 'three', 'four']) old.push(await stand.publish('orders', text));
    stand.clock.advance(2 * DAY_MS);
    const young: string[] = [];
    for (const text of ['five', 'six', 'seven']) young.push(await stand.publish('orders', text));
    await stand.settle();
    stand.journal.failure = new JournalError('full', 'no room');
    await stand.runtime.removals.removeAtOnce([...old.slice(0, 2), ...young.slice(0, 1)]);
    // This one can be undone.
    const { undoToken } = await stand.runtime.removals.remove({ messageIds: old.slice(2, 3) });
    const shown = async (): Promise<unknown> => ({
      ids: await ids(stand),
      messages: (await stand.runtime.journal.stats()).messages,
      processed: stand.runtime.figures.counts().processed,
      topics: stand.runtime.topology.topics().map(({ published, counts }) => ({ published, counts })),
    });
    const left = young.slice(1);
    const expected = {
      ...{ ids: left, messages: 2, processed: 2 },
      topics: [{ published: 2, counts: { processed: 2 } }],
    };
    stand.set('storage.maxDays', 1);
    await stand.pass(2000);
    expect(await shown()).toEqual(expected);
    expect(await stand.runtime.removals.undo(undoToken)).toEqual({ restored: 0 });
    stand.journal.failure = undefined;
    await stand.pass(60_000);
    expect(await shown()).toEqual(expected);
  });

  test('a message that was dropped before any delivery counts once, also where retention removes it', async () => {
    const stand = await started();
    await stand.runtime.holds.add({ at: 'publish', filter: '' });
    const sent = [await stand.publish('orders', 'one'), await stand.publish('orders', 'two')];
    for (const messageId of sent) await stand.runtime.deliveryActions.drop({ messageId });
    stand.clock.advance(2 * DAY_MS);
    for (const text of ['three', 'four']) {
      const messageId = await stand.publish('orders', text);
      await stand.runtime.deliveryActions.drop({ messageId });
    }
    const { removals } = stand.runtime;
    const dropped = (): unknown => stand.runtime.status().droppedEarly;
    expect(dropped()).toBe(4);
    stand.journal.failure = new JournalError('full', 'no room');
    await removals.removeAtOnce(sent.slice(0, 1));
    expect(dropped()).toBe(3);
    stand.set('storage.maxDays', 1);
    await stand.pass(2000);
    expect(dropped()).toBe(2);
    stand.journal.failure = undefined;
    await stand.pass(60_000);
    expect(dropped()).toBe(2);
  });
});
