/** Views with a filter over a history of 10,000: found, updated, shared, released. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settle } from './bench.ts';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

describe('a filtered view of 10,000 messages', () => {
  beforeEach(() => stand.accept(10_000, (n) => ({ topic: n % 10 === 0 ? 'refunds' : 'orders' })));

  test('finds its matches, newest first, and says how far it is', async () => {
    const { viewId } = await stand.view({ filter: 'topic:refunds' });
    await stand.found(viewId);
    const told = stand.news(viewId);
    const { result } = await stand.ask('view.rows', { viewId, from: 0, count: 3 });
    expect(result).toMatchObject({
      total: 1000,
      rows: [{ number: 9991 }, { number: 9981 }, { number: 9971 }],
    });
    expect(await stand.numbers(viewId, 997, 10)).toEqual([21, 11, 1]);
    expect(told.at(-1)?.progress).toBeUndefined();
    for (const { progress } of told) {
      if (progress === undefined) continue;
      expect(progress.of).toBe(10_000);
      expect(progress.done).toBeLessThanOrEqual(10_000);
    }
  });

  test('an unfinished search does not report messages as missing', async () => {
    const { viewId, total, progress } = await stand.view({ filter: '"nowhere"' });
    expect(total).toBe(0);
    expect(progress).toMatchObject({ of: 10_000 });
    expect(progress?.done).toBeLessThan(10_000);
    await stand.found(viewId);
    expect(stand.news(viewId).at(-1)).not.toHaveProperty('progress');
    expect(await stand.view({ filter: '"nowhere"' })).not.toHaveProperty('progress');
  });

  test('appends a new match and no other message, and follows changes of a match', async () => {
    const { viewId } = await stand.view({ filter: 'state:parked', order: 'oldest' });
    await stand.found(viewId);
    stand.pipe.texts.length = 0;
    await stand.accept(2);
    await stand.runtime.move('msg_10002', 'parked');
    await stand.rhythm();
    expect(stand.news(viewId)).toMatchObject([
      { total: 1, appended: 1, rows: [{ index: 0, row: { number: 10_002 } }] },
    ]);
    await stand.runtime.move('msg_7', 'parked');
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({
      total: 2,
      appended: 0,
      moved: true,
      rows: [{ index: 0 }],
    });
    expect(await stand.numbers(viewId, 0, 10)).toEqual([7, 10_002]);
    await stand.runtime.move('msg_7', 'processed');
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 1, moved: true, rows: [] });
    expect(await stand.numbers(viewId, 0, 10)).toEqual([10_002]);
  });

  test('follows changes while it is still searching', async () => {
    stand.pipe.send({
      jsonrpc: '2.0',
      id: 'x',
      method: 'view.open',
      params: { filter: 'state:parked', order: 'oldest' },
    });
    for (const n of [1, 5000, 9999]) {
      await stand.runtime.move(`msg_${n}`, 'parked');
      stand.clock.advance(33);
      await settle(1);
    }
    await stand.accept(1);
    await stand.runtime.move('msg_10001', 'parked');
    await stand.runtime.move('msg_5000', 'processed');
    await stand.found('view_1');
    await stand.rhythm(10);
    expect(await stand.numbers('view_1', 0, 10)).toEqual([1, 9999, 10_001]);
  });

  test('pruned messages leave it', async () => {
    const { viewId } = await stand.view({ filter: 'topic:refunds', order: 'oldest' });
    await stand.found(viewId);
    await stand.runtime.prune(5000);
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 500, moved: true });
    expect(await stand.numbers(viewId, 0, 2)).toEqual([5001, 5011]);
  });

  test('messages that left before the rows that were read are reported as a shift, with the oldest first', async () => {
    const { viewId } = await stand.view({ filter: 'topic:refunds', order: 'oldest' });
    const newest = await stand.view({ filter: 'topic:refunds' });
    await stand.found(viewId);
    const before = await stand.numbers(viewId, 700, 20);
    await stand.numbers(newest.viewId, 100, 20);
    await stand.runtime.prune(5000);
    await stand.rhythm();
    const { shift } = stand.news(viewId).at(-1) ?? {};
    expect(shift).toBe(-500);
    expect(await stand.numbers(viewId, 200, 20)).toEqual(before);
    expect(stand.news(newest.viewId).at(-1)).not.toHaveProperty('shift');
    // The host watches the rows where they are now.
    await stand.runtime.move('msg_7001', 'parked');
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({ rows: [{ index: 200, row: { number: 7001 } }] });
    expect(stand.news(viewId).at(-1)).not.toHaveProperty('shift');
  });

  test('two views of the same filter share one search', async () => {
    let scans = 0;
    const { journal } = stand.runtime;
    const scan = journal.scan.bind(journal);
    journal.scan = (query) => {
      scans += 1;
      return scan(query);
    };
    await stand.view({ filter: 'topic:refunds' });
    await stand.rhythm(10);
    const once = scans;
    const other = stand.attach();
    const { total } = await stand.view({ filter: 'topic:refunds', order: 'oldest' }, other);
    expect(total).toBe(1000);
    expect(scans).toBe(once);
  });

  test('loses messages whose age no longer matches, without any event', async () => {
    stand.clock.advance(3_600_000);
    await stand.accept(1, () => ({ at: new Date(stand.clock.now()).toISOString() }));
    const { viewId } = await stand.view({ filter: 'age:<1m' });
    await stand.found(viewId);
    expect(await stand.numbers(viewId, 0, 10)).toEqual([10_001]);
    stand.clock.advance(60_000);
    await stand.rhythm();
    stand.clock.advance(10_000);
    await stand.until(async () => (await stand.numbers(viewId, 0, 10)).length === 0);
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 0, moved: true });
  });

  test('closed during its search stops the search', async () => {
    const { viewId } = await stand.view({ filter: '"nowhere"' });
    expect((await stand.ask('view.close', { viewId })).result).toBeNull();
    await stand.rhythm();
    expect(stand.news(viewId)).toEqual([]);
    expect(stand.runtime.events.listeners).toBe(0);
    expect(stand.clock.waiting).toBe(0);
    expect(stand.bench.log).toEqual([]);
  });
});
