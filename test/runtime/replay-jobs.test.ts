/** Replays of many messages: order, rate, what is left out, what fails and why, removal, and an end at any time. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ReplayJob } from '../../core/contract/jobs.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { StepTurns } from '../../core/domain/step-turns.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

async function publishThree(stand: Stand, topic = 'orders'): Promise<string[]> {
  return [
    await stand.publish(topic, { n: 1 }),
    await stand.publish(topic, { n: 2 }),
    await stand.publish(topic, { n: 3 }),
  ];
}

async function ended(stand: Stand, jobId: string): Promise<ReplayJob> {
  for (let i = 0; i < 50 && stand.runtime.replayJobs.get(jobId).running; i += 1) await stand.pass(1);
  return stand.runtime.replayJobs.get(jobId);
}

const numbersCalled = (stand: Stand): unknown[] =>
  stand.app.calls.map((call) => {
    const event: unknown = call.json();
    return typeof event === 'object' && event !== null && 'data' in event ? event.data : undefined;
  });

describe('a replay of many', () => {
  test('goes in the order of acceptance, whatever order was given', async () => {
    const stand = await started();
    const [a = '', b = '', c = ''] = await publishThree(stand);
    stand.app.calls.length = 0;
    const { jobId, count } = await stand.runtime.replayJobs.start({ messageIds: [c, a, b, 'msg_unknown'] });
    expect(count).toBe(3);
    expect(await ended(stand, jobId)).toMatchObject({ done: 3, failures: 0, failed: [], running: false });
    expect(numbersCalled(stand)).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  test('a replay of a filter takes the messages that match at its start, not its own copies', async () => {
    const stand = await started();
    await publishThree(stand);
    const { jobId, count } = await stand.runtime.replayJobs.start({ filter: 'topic:orders' });
    expect(count).toBe(3);
    await ended(stand, jobId);
    expect((await stand.runtime.journal.stats()).messages).toBe(6);
  });

  test('replays large messages in several turns of the event loop', async () => {
    const stand = await started();
    const text = 'x'.repeat(1_000_000);
    for (let n = 0; n < 10; n += 1) await stand.publish('orders', { n, text });
    const { jobId } = await stand.runtime.replayJobs.start({ filter: '' });
    await stand.settle();
    expect(stand.runtime.replayJobs.get(jobId).done).toBeLessThan(10);
    expect(await ended(stand, jobId)).toMatchObject({ done: 10, failures: 0, running: false });
  });

  test('keeps to its rate', async () => {
    const stand = await started();
    await publishThree(stand);
    const { jobId } = await stand.runtime.replayJobs.start({ filter: '', ratePerSecond: 2 });
    await stand.settle();
    expect(stand.runtime.replayJobs.get(jobId).done).toBe(1);
    await stand.pass(499);
    expect(stand.runtime.replayJobs.get(jobId).done).toBe(1);
    await stand.pass(1);
    expect(stand.runtime.replayJobs.get(jobId).done).toBe(2);
    await stand.pass(500);
    expect(stand.runtime.replayJobs.get(jobId)).toMatchObject({ done: 3, running: false });
  });

  test('keeps the spacing of the originals, no pause longer than 10 s', async () => {
    const stand = await started();
    await stand.publish('orders', { n: 1 });
    await stand.pass(200);
    await stand.publish('orders', { n: 2 });
    await stand.pass(60_000);
    await stand.publish('orders', { n: 3 });
    const { jobId } = await stand.runtime.replayJobs.start({ filter: '', originalSpacing: true });
    await stand.pass(199);
    expect(stand.runtime.replayJobs.get(jobId).done).toBe(1);
    await stand.pass(1);
    expect(stand.runtime.replayJobs.get(jobId).done).toBe(2);
    await stand.pass(9_999);
    expect(stand.runtime.replayJobs.get(jobId).done).toBe(2);
    await stand.pass(1);
    expect(stand.runtime.replayJobs.get(jobId).done).toBe(3);
  });

  test('that is cancelled while a message waits for its turn leaves that message', async () => {
    const stand = await started();
    await publishThree(stand);
    const { replayJobs, journal } = stand.runtime;
    const room = vi.spyOn(StepTurns.prototype, 'room').mockImplementation(() => {
      for (const { jobId } of replayJobs.list()) replayJobs.cancel(jobId);
      return undefined;
    });
    onTestFinished(() => room.mockRestore());
    const { jobId } = await replayJobs.start({ filter: '' });
    await stand.settle();
    expect(replayJobs.get(jobId)).toMatchObject({ done: 0, failures: 0, running: false, cancelled: true });
    expect((await journal.stats()).messages).toBe(3);
  });

  test('is cancelled in a pause', async () => {
    const stand = await started();
    await publishThree(stand);
    const { jobId } = await stand.runtime.replayJobs.start({ filter: '', ratePerSecond: 0.1 });
    await stand.settle();
    stand.runtime.replayJobs.cancel(jobId);
    await stand.settle();
    expect(stand.runtime.replayJobs.get(jobId)).toMatchObject({ done: 1, running: false, cancelled: true });
    await stand.pass(60_000);
    expect((await stand.runtime.journal.stats()).messages).toBe(4);
  });

  test('reports which failed and why, and continues', async () => {
    const stand = await started({}, (it) => subscribe(it, { topic: 'orders', route: '/orders' }));
    const [, second, third] = await publishThree(stand);
    await stand.settle();
    stand.app.answerWith = () => 'hang';
    stand.set('delivery.backlog', 1);
    const { jobId } = await stand.runtime.replayJobs.start({ filter: '', to: 'deliveries' });
    const reason: unknown = expect.stringContaining('the backlog limit of 1 unfinished deliveries');
    expect(await ended(stand, jobId)).toMatchObject({
      done: 1,
      failures: 2,
      failed: [
        { messageId: second, reason },
        { messageId: third, reason },
      ],
    });
  });

  test('to deliveries counts and takes only messages that have one', async () => {
    const stand = await started();
    await publishThree(stand);
    const other = await stand.publish('nobody', { n: 4 });
    await stand.settle();
    expect(await stand.states(other)).toEqual([]);
    const params = { filter: '', to: 'deliveries' } as const;
    const { count } = await stand.runtime.replayJobs.start({ ...params, dryRun: true });
    const { jobId } = await stand.runtime.replayJobs.start(params);
    expect(await ended(stand, jobId)).toMatchObject({ count, done: 3, failures: 0, failed: [] });
    expect(count).toBe(3);
  });

  test('leaves out processed messages and deliveries', async () => {
    const stand = await started({ apps: ['one', 'two'] });
    stand.set('delivery.retry', { maxAttempts: 1, firstDelayMs: 1, factor: 1, maxDelayMs: 1, jitter: 0 });
    await stand.publish('orders', { n: 1 });
    stand.appOf('two').next.push('RETRY');
    const half = await stand.publish('orders', { n: 2 });
    expect(await stand.states(half)).toEqual(['processed', 'parked']);
    const all = await stand.runtime.replayJobs.start({ filter: '', skipProcessed: true, dryRun: true });
    expect(all.count).toBe(1);
    stand.appOf('one').calls.length = 0;
    const { jobId } = await stand.runtime.replayJobs.start({
      filter: '',
      skipProcessed: true,
      to: 'deliveries',
    });
    await ended(stand, jobId);
    expect(stand.appOf('one').calls).toHaveLength(0);
  });

  test.each(['topic', 'deliveries'] as const)(
    'to %s a message that was processed while the job ran is neither replayed nor removed',
    async (to) => {
      const stand = await started();
      stand.set('delivery.retry', { maxAttempts: 1, firstDelayMs: 1, factor: 1, maxDelayMs: 1, jitter: 0 });
      stand.app.next.push('RETRY', 'RETRY');
      await stand.publish('orders', { n: 1 });
      const later = await stand.publish('orders', { n: 2 });
      await stand.settle();
      expect(await stand.states(later)).toEqual(['parked']);
      const { jobId, count } = await stand.runtime.replayJobs.start({
        filter: '',
        to,
        skipProcessed: true,
        removeAfter: true,
        ratePerSecond: 1,
      });
      expect(count).toBe(2);
      await stand.settle();
      await stand.runtime.deliveryActions.retry({ messageId: later });
      await stand.settle();
      expect(await stand.states(later)).toEqual(['processed']);
      await stand.pass(2000);
      expect(await ended(stand, jobId)).toMatchObject({ count: 1, done: 1, failures: 0, removed: 1 });
      expect(await stand.states(later)).toEqual(['processed']);
    },
  );

  test('a dry run counts and publishes nothing', async () => {
    const stand = await started();
    await publishThree(stand);
    const { jobId, count } = await stand.runtime.replayJobs.start({ filter: '', dryRun: true });
    expect(count).toBe(3);
    expect(stand.runtime.replayJobs.get(jobId)).toMatchObject({ running: false, done: 0, count: 3 });
    await stand.pass(1000);
    expect((await stand.runtime.journal.stats()).messages).toBe(3);
  });

  test('gives new event ids if asked to', async () => {
    const stand = await started();
    const id = await stand.publish('orders', { n: 1 });
    const { jobId } = await stand.runtime.replayJobs.start({ messageIds: [id], newEventId: true });
    await ended(stand, jobId);
    const { items } = await stand.runtime.journal.page({ order: 'newest', limit: 2, nowMs: 0 });
    expect(items[0]?.replayOf).toBe(id);
    expect(items[0]?.eventId).not.toBe(items[1]?.eventId);
  });

  test('removes the originals that were replayed, and can restore them', async () => {
    const stand = await started({}, (it) =>
      subscribe(it, { topic: 'orders', route: '/orders', deadLetterTopic: 'dead' }),
    );
    stand.app.next.push('DROP', 'DROP');
    await stand.publish('orders', { n: 1 });
    await stand.publish('orders', { n: 2 });
    const { jobId, count } = await stand.runtime.replayJobs.start({
      filter: 'topic:dead',
      removeAfter: true,
    });
    expect(count).toBe(2);
    const job = await ended(stand, jobId);
    expect(job).toMatchObject({ done: 2, failures: 0, removed: 2 });
    const left = await stand.runtime.journal.page({ order: 'newest', limit: 10, nowMs: 0 });
    expect(left.items.map(({ topic, source }) => `${topic} ${source}`)).toEqual([
      'orders replay',
      'orders replay',
      'orders http',
      'orders http',
    ]);
    expect(await stand.runtime.removals.undo(job.undoToken ?? '')).toEqual({ restored: 2 });
    expect((await stand.runtime.journal.stats()).messages).toBe(6);
  });

  test('is refused when four run, and with both kinds of pace', async () => {
    const stand = await started();
    await publishThree(stand);
    for (let i = 0; i < 4; i += 1) await stand.runtime.replayJobs.start({ filter: '', ratePerSecond: 0.01 });
    await expect(stand.runtime.replayJobs.start({ filter: '' })).rejects.toMatchObject({ code: 'TOO_LARGE' });
    const both = stand.runtime.replayJobs.start({ filter: '', ratePerSecond: 1, originalSpacing: true });
    await expect(both).rejects.toMatchObject({ code: 'INVALID_PARAMS', field: 'originalSpacing' });
    await expect(stand.runtime.replayJobs.start({})).rejects.toMatchObject({ field: 'messageIds' });
    await expect(stand.runtime.replayJobs.start({ filter: 'topik:x' })).rejects.toMatchObject({
      code: 'FILTER_SYNTAX',
    });
    expect(() => stand.runtime.replayJobs.get('job_none')).toThrow(Refusal);
    expect(stand.runtime.replayJobs.list()).toHaveLength(4);
  });

  test('ends when the runtime stops', async () => {
    const stand = await started();
    await publishThree(stand);
    const { jobId } = await stand.runtime.replayJobs.start({ filter: '', ratePerSecond: 0.01 });
    await stand.settle();
    await stand.stop();
    expect(stand.runtime.replayJobs.get(jobId)).toMatchObject({ running: false, cancelled: true });
  });
});
