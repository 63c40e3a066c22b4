/** Views: how many, how long, over which carrier, and what of the stream belongs to them. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { viewRows } from '../../core/contract/view-rows.ts';
import { settle } from './bench.ts';
import { Stand } from './stand.ts';
import type { Answer } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

/** Gives every row so many deliveries that an answer has two of them. */
function makeHeavy(): void {
  const { journal } = stand.runtime;
  const rows = journal.rows.bind(journal);
  const one = { deliveryId: 'd', appId: 'shop', state: 'processed', attempts: 1 } as const;
  const deliveries = Array.from({ length: 15_000 }, () => one);
  journal.rows = async (numbers) => (await rows(numbers)).map((row) => row && { ...row, deliveries });
}

/** Reads ranges of a view, after it has called `before` with their first position. */
const reader = (viewId: string, before: (from: number) => void | Promise<unknown> = () => undefined) => {
  return async ({ from, count }: { readonly from: number; readonly count: number }) => {
    await before(from);
    const { result } = await stand.ask('view.rows', { viewId, from, count });
    if (result === undefined) throw new Error('the rows were refused');
    return result;
  };
};

describe('limits and mistakes of views', () => {
  test('a connection has at most 20 views', async () => {
    for (let n = 0; n < 20; n += 1) await stand.view({ filter: `topic:t${n}` });
    expect(await stand.ask('view.open')).toMatchObject({
      error: { code: -32013, data: { code: 'TOO_LARGE' } },
    });
    await stand.ask('view.close', { viewId: 'view_1' });
    expect((await stand.ask('view.open')).result).toMatchObject({ total: 0 });
  });

  test('all connections have at most 100 different filters at a time', async () => {
    let end = stand.attach();
    for (let n = 0; n < 100; n += 1) {
      if (n % 20 === 0) end = stand.attach();
      await stand.view({ filter: `topic:t${n}` }, end);
    }
    const other = stand.attach();
    expect(await stand.ask('view.open', { filter: 'topic:more' }, other)).toMatchObject({
      error: { data: { code: 'TOO_LARGE' } },
    });
    expect((await stand.ask('view.open', { filter: 'topic:t0' }, other)).result).toMatchObject({ total: 0 });
  });

  test.each([
    [
      'view.open',
      { groupBy: 'topics' },
      { code: -32602, data: { code: 'INVALID_PARAMS', field: 'groupBy' } },
    ],
    ['view.open', { filter: 'topik:a' }, { code: -32602, data: { code: 'FILTER_SYNTAX', position: 1 } }],
    ['view.rows', { viewId: 'view_9', from: 0, count: 1 }, { code: -32004, data: { code: 'NOT_FOUND' } }],
    ['view.open', { sortBy: 'colour' }, { code: -32602, data: { field: 'sortBy' } }],
    ['view.open', { sortBy: 'size', groupBy: 'topic' }, { code: -32602, data: { field: 'sortBy' } }],
    ['view.open', { groupBy: 'data.' }, { code: -32602, data: { field: 'groupBy' } }],
    ['messages.values', { numbers: [1], paths: ['topic'] }, { code: -32602, data: { field: 'paths' } }],
    ['view.close', { viewId: 'view_9' }, { code: -32004, data: { code: 'NOT_FOUND' } }],
  ])('%s %j is refused', async (method, params, error) => {
    expect(await stand.ask(method, params)).toMatchObject({ error });
    expect(stand.runtime.events.listeners).toBe(0);
  });

  test.each([
    ['a plain view', {}, 0],
    ['a sorted view', { sortBy: 'size' }, 0],
    ['an open group', { groupBy: 'topic' }, 1],
  ])('%s with very many deliveries is read in several answers', async (_, params, heads) => {
    await stand.accept(5);
    makeHeavy();
    const { viewId } = await stand.view(params);
    await stand.rhythm(6);
    if (heads > 0) await stand.ask('view.expand', { viewId, open: true });
    const asked: number[] = [];
    const read = reader(viewId, (from) => void asked.push(from));
    const whole = await viewRows(read, { from: 0, count: 5 + heads });
    expect(new Set(whole.rows.map(({ number }) => number)).size).toBe(5);
    expect(asked).toEqual([0, 2 + heads, 4 + heads]);
    expect((await read({ from: heads, count: 1 })).rows).toHaveLength(1);
  });

  test('a range that was read in several answers is followed as a whole', async () => {
    await stand.accept(2100);
    makeHeavy();
    const { viewId } = await stand.view({ order: 'oldest' });
    const read = reader(viewId);
    await viewRows(read, { from: 0, count: 5 });
    await stand.runtime.move('msg_1', 'queued');
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)?.rows).toMatchObject([{ index: 0, row: { number: 1 } }]);
    const told = stand.news(viewId).length;
    await read({ from: 2, count: 1 });
    await stand.runtime.move('msg_1', 'processed');
    await stand.rhythm();
    expect(stand.news(viewId)).toHaveLength(told);
  });

  test.each([{ sortBy: 'size' }, { groupBy: 'topic' }])(
    'the stream follows all of a range of %j that was read in several answers',
    async (params) => {
      await stand.ask('stream.open', { scope: 'views' });
      await stand.accept(5);
      makeHeavy();
      const { viewId } = await stand.view({ order: 'oldest', ...params });
      await stand.rhythm(6);
      await stand.ask('view.expand', { viewId, open: true });
      await viewRows(reader(viewId), { from: 0, count: 6 });
      const before = stand.told('stream.batch').length;
      stand.ack(5);
      await stand.runtime.move('msg_1', 'queued');
      stand.clock.advance(1000);
      const events = stand
        .told('stream.batch')
        .slice(before)
        .flatMap((batch) => batch.events);
      expect(events).toMatchObject([{ messageId: 'msg_1' }]);
    },
  );

  test('a range is read again if rows before it were removed between its answers', async () => {
    await stand.accept(8);
    makeHeavy();
    const { viewId } = await stand.view({ order: 'oldest' });
    let left = 0;
    const read = reader(viewId, async (from) => {
      if (from === 0 || left > 0) return;
      left = 6;
      await stand.runtime.prune(left);
      await stand.rhythm();
    });
    const { rows, total } = await viewRows(read, { from: 0, count: 4 });
    expect(rows.map(({ number }) => number)).toEqual([3, 4, 5, 6]);
    expect(total).toBe(6);
  });

  test('a range is read again if a new row came before it between its answers', async () => {
    await stand.accept(5);
    makeHeavy();
    const { viewId } = await stand.view();
    let isLate = false;
    const read = reader(viewId, async (from) => {
      if (from === 0 || isLate) return;
      isLate = true;
      await stand.accept(1);
      await stand.rhythm();
    });
    const { rows } = await viewRows(read, { from: 0, count: 4 });
    expect(rows.map(({ number }) => number)).toEqual([6, 5, 4, 3]);
  });

  test('each line of a group comes once, in the answer in which its position is', async () => {
    await stand.accept(6, (n) => ({ topic: n < 3 ? 'first' : 'second' }));
    makeHeavy();
    const { viewId } = await stand.view({ order: 'oldest', groupBy: 'topic' });
    await stand.rhythm(6);
    await stand.ask('view.expand', { viewId, open: true });
    const read = reader(viewId);
    const { next = 0, groups = [] } = await read({ from: 0, count: 8 });
    expect(groups.filter(({ index }) => index >= next)).toEqual([]);
    const whole = await viewRows(read, { from: 0, count: 8 });
    expect(whole.groups?.map(({ index }) => index)).toEqual([0, 4]);
    const inside = await viewRows(read, { from: 1, count: 7 });
    expect(inside.groups?.map(({ index }) => index)).toEqual([0, 4]);
  });

  test('a view is unknown to other connections', async () => {
    const { viewId } = await stand.view();
    expect(await stand.ask('view.rows', { viewId, from: 0, count: 1 }, stand.attach())).toMatchObject({
      error: { data: { code: 'NOT_FOUND' } },
    });
  });

  test('views close with their connection', async () => {
    await stand.view();
    await stand.view({ filter: 'topic:a age:<1m' });
    expect(stand.runtime.events.listeners).toBe(1);
    stand.pipe.close();
    await settle();
    expect(stand.runtime.events.listeners).toBe(0);
    expect(stand.clock.waiting).toBe(0);
  });

  test('an unreadable journal is an error for the client, and logged', async () => {
    await stand.accept(1);
    await stand.runtime.journal.close();
    expect(await stand.ask('view.open')).toMatchObject({ error: { code: -32603 } });
    expect(stand.runtime.events.listeners).toBe(0);
    expect(stand.bench.log).toHaveLength(1);
  });

  test('a search that fails once is repeated', async () => {
    await stand.accept(10);
    const { journal } = stand.runtime;
    const test = journal.test.bind(journal);
    journal.test = () => Promise.reject(new Error('disk trouble'));
    const { viewId } = await stand.view({ filter: 'topic:orders', order: 'oldest' });
    await stand.accept(1);
    await stand.rhythm();
    expect(stand.bench.log).toMatchObject([
      { level: 'error', text: expect.stringContaining('disk trouble') },
    ]);
    journal.test = test;
    stand.clock.advance(5000);
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 11 });
  });
});

describe('over POST /rpc', () => {
  const answer = async (method: string, params: object = {}): Promise<Answer> => {
    const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    return JSON.parse((await stand.console.answer(text, new AbortController().signal)) ?? '');
  };

  test('a view is complete when it is opened', async () => {
    await stand.accept(9000, (n) => ({ topic: n === 0 ? 'first' : 'orders' }));
    const { result } = await answer('view.open', { filter: 'topic:first' });
    expect(result).toMatchObject({ total: 1 });
    const rows = await answer('view.rows', { viewId: result?.viewId ?? '', from: 0, count: 5 });
    expect(rows).toMatchObject({ result: { rows: [{ number: 1 }], total: 1 } });
    expect((await answer('view.close', { viewId: result?.viewId ?? '' })).result).toBeNull();
    expect(stand.runtime.events.listeners).toBe(0);
  });

  test('the least recently used view is closed for a 21st; all are closed after 10 min without a request', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 21; n += 1) {
      stand.clock.advance(1);
      ids.push((await answer('view.open')).result?.viewId ?? '');
      if (n === 19) await answer('view.rows', { viewId: ids[0] ?? '', from: 0, count: 1 });
    }
    const isThere = async (n: number): Promise<boolean> => {
      return (await answer('view.rows', { viewId: ids[n] ?? '', from: 0, count: 1 })).error === undefined;
    };
    expect([await isThere(0), await isThere(1), await isThere(20)]).toEqual([true, false, true]);
    stand.clock.advance(1_300_000);
    expect(stand.runtime.events.listeners).toBe(0);
    expect(stand.clock.waiting).toBe(0);
  });
});

describe('a stream of scope opened', () => {
  test('has the events of messages that were opened, and of no message', async () => {
    await stand.accept(3);
    await stand.ask('stream.open', { scope: 'opened' });
    await stand.view({ order: 'oldest' });
    await stand.ask('messages.get', { messageId: 'msg_2' });
    for (const id of ['msg_1', 'msg_2', 'msg_3']) await stand.runtime.move(id, 'queued');
    stand.runtime.events.add({ type: 'hold.changed', holdId: 'h' });
    stand.log(1);
    stand.clock.advance(33);
    const [batch] = stand.told('stream.batch');
    expect([batch?.from, batch?.to]).toEqual([4, 8]);
    expect(batch?.events).toMatchObject([{ messageId: 'msg_2' }, { type: 'hold.changed' }]);
  });

  test('remembers the last fifty', async () => {
    await stand.accept(51);
    await stand.ask('stream.open', { scope: 'opened' });
    for (let n = 1; n <= 51; n += 1) await stand.ask('messages.get', { messageId: `msg_${n}` });
    for (const id of ['msg_1', 'msg_51']) await stand.runtime.move(id, 'queued');
    stand.clock.advance(33);
    expect(stand.told('stream.batch')[0]?.events).toMatchObject([{ messageId: 'msg_51' }]);
  });
});

describe('a stream of scope views', () => {
  const shown = (): readonly unknown[] =>
    stand.told('stream.batch').map(({ from, to, events }) => [from, to, events.length]);

  test('has the events of rows in the windows only, and covers every number', async () => {
    await stand.accept(2600);
    await stand.ask('stream.open', { scope: 'views' });
    const { viewId } = await stand.view({ order: 'oldest' });
    await stand.numbers(viewId, 90, 20);
    await stand.runtime.move('msg_100', 'queued');
    await stand.runtime.move('msg_300', 'queued');
    await stand.runtime.move('msg_2500', 'queued');
    stand.runtime.events.add({ type: 'hold.changed', holdId: 'h' });
    stand.runtime.events.add({
      type: 'log.added',
      entry: { at: '', level: 'info', part: 'test', text: 'not shown' },
    });
    stand.clock.advance(33);
    expect(shown()).toEqual([[2601, 2605, 2]]);
    expect(stand.told('stream.batch')[0]?.events).toMatchObject([
      { messageId: 'msg_100' },
      { type: 'hold.changed' },
    ]);
  });

  test('in a flood the stream sends the lines of the window only', async () => {
    await stand.ask('stream.open', { scope: 'views' });
    const { viewId } = await stand.view();
    await stand.numbers(viewId, 0, 50);
    await stand.accept(400);
    stand.clock.advance(33);
    expect(shown()).toEqual([[1, 400, 50]]);
    expect(stand.told('stream.batch')[0]?.events.at(-1)).toMatchObject({ row: { number: 400 } });
  });

  test('after a whole window of new rows the stream sends the next ones together, a fifth of a second later', async () => {
    await stand.ask('stream.open', { scope: 'views' });
    const { viewId } = await stand.view();
    await stand.numbers(viewId, 0, 50);
    await stand.accept(60);
    stand.clock.advance(33);
    for (let n = 0; n < 2; n += 1) {
      await stand.accept(60);
      stand.clock.advance(33);
    }
    expect(shown()).toEqual([[1, 60, 50]]);
    stand.ack(60);
    stand.clock.advance(133);
    expect(shown()).toHaveLength(1);
    stand.clock.advance(1);
    expect(shown()).toEqual([
      [1, 60, 50],
      [61, 180, 50],
    ]);
    stand.pipe.close();
    await settle();
    expect(stand.clock.waiting).toBe(0);
  });

  test('a new message is in the window at once', async () => {
    await stand.ask('stream.open', { scope: 'views' });
    const { viewId } = await stand.view();
    await stand.numbers(viewId, 0, 50);
    await stand.accept(1);
    await stand.runtime.move('msg_1', 'queued');
    stand.clock.advance(33);
    expect(shown()).toEqual([[1, 2, 2]]);
  });

  test('without a view there are no rows', async () => {
    await stand.ask('stream.open', { scope: 'views' });
    await stand.accept(3);
    stand.clock.advance(33);
    await stand.accept(2);
    stand.clock.advance(33);
    expect(shown()).toEqual([]);
    stand.clock.advance(167);
    expect(shown()).toEqual([[1, 5, 0]]);
    stand.clock.advance(1000);
    expect(shown()).toHaveLength(1);
  });

  test('numbers without an event for it go with the next one that has', async () => {
    await stand.ask('stream.open', { scope: 'opened' });
    await stand.accept(3);
    stand.clock.advance(33);
    await stand.ask('messages.get', { messageId: 'msg_2' });
    await stand.runtime.move('msg_2', 'queued');
    stand.clock.advance(33);
    expect(shown()).toEqual([[1, 4, 1]]);
    stand.clock.advance(1000);
    expect(shown()).toHaveLength(1);
    expect(stand.clock.waiting).toBeLessThan(2);
  });

  test('a client that is behind gets numbers without an event once it has acknowledged', async () => {
    await stand.ask('stream.open', { scope: 'views' });
    const { viewId } = await stand.view();
    await stand.numbers(viewId, 0, 50);
    for (let n = 0; n < 4; n += 1) {
      await stand.accept(1);
      stand.clock.advance(33);
    }
    stand.log(1);
    stand.clock.advance(400);
    expect(shown()).toHaveLength(4);
    stand.ack(4);
    stand.clock.advance(400);
    expect(shown().at(-1)).toEqual([5, 5, 0]);
  });

  test('a client that is behind gets the news of its views once it has caught up', async () => {
    await stand.ask('stream.open');
    const { viewId } = await stand.view({ order: 'oldest' });
    for (let n = 0; n < 6; n += 1) {
      await stand.accept(1);
      await stand.rhythm(1);
    }
    const told = stand.news(viewId).length;
    expect(told).toBeLessThan(6);
    stand.pipe.send({ jsonrpc: '2.0', method: 'stream.ack', params: { sequence: 4 } });
    await settle();
    expect(stand.news(viewId)).toHaveLength(told + 1);
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 6 });
    expect(stand.news(viewId).reduce((sum, { appended }) => sum + appended, 0)).toBe(6);
  });
});
