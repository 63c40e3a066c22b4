/** Views: positions, filters, what is told while messages come, change and go. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { settle } from './parts.ts';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.desk.close());

describe('an unfiltered view', () => {
  test.each([
    ['newest', [10, 9, 8], [3, 2, 1]],
    ['oldest', [1, 2, 3], [8, 9, 10]],
  ] as const)('%s first', async (order, first, last) => {
    await stand.accept(10);
    const { viewId, total, sequence } = await stand.view({ order });
    expect([total, sequence]).toEqual([10, 10]);
    expect(await stand.numbers(viewId, 0, 3)).toEqual(first);
    expect(await stand.numbers(viewId, 7, 500)).toEqual(last);
    expect(await stand.numbers(viewId, 10, 5)).toEqual([]);
    expect(await stand.numbers(viewId, 0, 0)).toEqual([]);
  });

  test('newest is the default', async () => {
    await stand.accept(3);
    const { viewId } = await stand.view();
    expect(await stand.numbers(viewId, 0, 3)).toEqual([3, 2, 1]);
  });

  test('new messages are told with their positions, once', async () => {
    await stand.accept(5);
    const { viewId } = await stand.view({ order: 'oldest' });
    await stand.accept(3);
    await stand.rhythm();
    expect(stand.news(viewId)).toMatchObject([
      { total: 8, appended: 3, rows: [{ index: 5 }, { index: 6 }, { index: 7, row: { number: 8 } }] },
    ]);
    expect(stand.news(viewId)[0]?.moved).toBeUndefined();
    await stand.rhythm();
    expect(stand.news(viewId)).toHaveLength(1);
    expect(await stand.numbers(viewId, 5, 5)).toEqual([6, 7, 8]);
  });

  test('a changed message is told with its row', async () => {
    await stand.accept(5);
    const { viewId } = await stand.view();
    await stand.runtime.move('msg_2', 'queued');
    await stand.runtime.move('msg_2', 'processed');
    await stand.rhythm();
    expect(stand.news(viewId)).toMatchObject([
      {
        total: 5,
        appended: 0,
        rows: [{ index: 3, row: { number: 2, deliveries: [{ state: 'processed' }] } }],
      },
    ]);
  });

  test('a change whose event names the message by id only is told as well', async () => {
    await stand.accept(5);
    const { viewId } = await stand.view();
    await stand.runtime.move('msg_2', 'parked', false);
    await stand.rhythm();
    expect(stand.news(viewId)).toMatchObject([
      { rows: [{ index: 3, row: { deliveries: [{ state: 'parked' }] } }] },
    ]);
  });

  test('rows outside the window and the newest 2,000 are not sent', async () => {
    await stand.accept(2600);
    const { viewId } = await stand.view({ order: 'oldest' });
    await stand.runtime.move('msg_100', 'queued');
    await stand.runtime.move('msg_600', 'queued');
    await stand.rhythm();
    expect(stand.news(viewId)).toEqual([]);
    await stand.numbers(viewId, 90, 20);
    await stand.runtime.move('msg_100', 'processed');
    await stand.runtime.move('msg_599', 'processed');
    await stand.runtime.move('msg_601', 'processed');
    await stand.rhythm();
    expect(stand.news(viewId)).toMatchObject([{ rows: [{ index: 99 }, { index: 600 }] }]);
  });

  test('pruned messages leave it; those that stay keep their order', async () => {
    await stand.accept(300);
    for (const n of [3, 40, 41]) await stand.runtime.move(`msg_${n}`, 'held');
    const { viewId } = await stand.view({ order: 'oldest' });
    await stand.runtime.prune(100);
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 100, moved: true });
    const left = await stand.numbers(viewId, 0, 500);
    expect(left.slice(0, 5)).toEqual([3, 40, 41, 204, 205]);
    expect(left).toHaveLength(100);
    await stand.accept(1);
    await stand.rhythm();
    expect(await stand.numbers(viewId, 99, 5)).toEqual([300, 301]);
    await stand.runtime.prune(50);
    await stand.rhythm();
    expect((await stand.numbers(viewId, 0, 500)).slice(0, 5)).toEqual([3, 40, 41, 255, 256]);
  });

  test('opened over a history with gaps it has only what is kept', async () => {
    await stand.accept(300);
    for (const n of [3, 40, 41]) await stand.runtime.move(`msg_${n}`, 'held');
    await stand.runtime.prune(100);
    const { viewId, total } = await stand.view({ order: 'oldest' });
    expect(total).toBe(100);
    expect((await stand.numbers(viewId, 0, 5)).slice(0, 4)).toEqual([3, 40, 41, 204]);
  });

  test('what is asked for at the moment it is pruned is simply not there', async () => {
    await stand.accept(20);
    const { viewId } = await stand.view({ order: 'oldest' });
    await stand.runtime.journal.append([{ kind: 'message.removed', messageIds: ['msg_2', 'msg_3'] }]);
    const { result } = await stand.ask('view.rows', { viewId, from: 0, count: 4 });
    expect(result?.rows.map(({ number }) => number)).toEqual([1, 4, 5, 6]);
    expect(result?.total).toBe(18);
  });

  test('an empty history', async () => {
    const { viewId, total } = await stand.view();
    expect(total).toBe(0);
    await stand.accept(1);
    await stand.rhythm();
    expect(stand.news(viewId)).toMatchObject([{ total: 1, appended: 1 }]);
  });

  test('messages that come while it is opened are there once', async () => {
    await stand.accept(3);
    stand.pipe.send({ jsonrpc: '2.0', id: 'x', method: 'view.open', params: { order: 'oldest' } });
    await stand.accept(2);
    await settle(10);
    await stand.rhythm();
    const viewId = `view_1`;
    expect(await stand.numbers(viewId, 0, 10)).toEqual([1, 2, 3, 4, 5]);
    const told = stand.news(viewId).reduce((sum, { appended }) => sum + appended, 0);
    const { result } = JSON.parse(stand.pipe.texts.find((text) => text.includes('"id":"x"')) ?? '{}');
    expect(result.total + told).toBe(5);
  });
});

describe('a filtered view of 10,000 messages', () => {
  beforeEach(() => stand.accept(10_000, (n) => ({ topic: n % 10 === 0 ? 'refunds' : 'orders' })));

  test('finds its matches, newest first, and says how far it is', async () => {
    const { viewId, total } = await stand.view({ filter: 'topic:refunds' });
    expect(total).toBeGreaterThan(0);
    await stand.rhythm(10);
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

  test('live: a new match is appended, another is not; a change lets one in and out', async () => {
    const { viewId } = await stand.view({ filter: 'state:parked', order: 'oldest' });
    await stand.rhythm(10);
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

  test('live while it is still searching', async () => {
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
    await stand.rhythm(10);
    expect(await stand.numbers('view_1', 0, 10)).toEqual([1, 9999, 10_001]);
  });

  test('pruned messages leave it', async () => {
    const { viewId } = await stand.view({ filter: 'topic:refunds', order: 'oldest' });
    await stand.rhythm(10);
    await stand.runtime.prune(5000);
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 500, moved: true });
    expect(await stand.numbers(viewId, 0, 2)).toEqual([5001, 5011]);
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

  test('age: time alone lets messages out', async () => {
    stand.clock.advance(3_600_000);
    await stand.accept(1, () => ({ at: new Date(stand.clock.now()).toISOString() }));
    const { viewId } = await stand.view({ filter: 'age:<1m' });
    await stand.rhythm(10);
    expect(await stand.numbers(viewId, 0, 10)).toEqual([10_001]);
    stand.clock.advance(60_000);
    await stand.rhythm();
    stand.clock.advance(10_000);
    await stand.rhythm();
    expect(await stand.numbers(viewId, 0, 10)).toEqual([]);
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 0, moved: true });
  });

  test('closed in the middle of a search it stops', async () => {
    const { viewId } = await stand.view({ filter: '"nowhere"' });
    expect((await stand.ask('view.close', { viewId })).result).toBeNull();
    await stand.rhythm();
    expect(stand.news(viewId)).toEqual([]);
    expect(stand.runtime.events.listeners).toBe(0);
    expect(stand.clock.waiting).toBe(0);
    expect(stand.bench.log).toEqual([]);
  });
});
