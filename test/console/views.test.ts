/** Views without a filter: positions, and news while messages are added, changed and removed. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { KeptMessages } from '../../core/console/views/kept-messages.ts';
import { EventSlot } from '../../core/runtime/telemetry/event-slot.ts';
import { settle } from './bench.ts';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

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

  test('new messages are reported with their positions, once', async () => {
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

  test('after a screenful of new messages the next ones are reported together, a fifth of a second later', async () => {
    await stand.accept(5);
    const { viewId } = await stand.view({ order: 'oldest' });
    await stand.accept(60);
    await stand.rhythm(1);
    expect(stand.news(viewId)).toMatchObject([{ total: 65, appended: 60 }]);
    await stand.accept(1);
    await stand.rhythm(1);
    await stand.accept(2);
    await stand.rhythm(1);
    expect(stand.news(viewId)).toHaveLength(1);
    await stand.rhythm(6);
    expect(stand.news(viewId).slice(1)).toMatchObject([{ total: 68, appended: 3, rows: [{}, {}, {}] }]);
  });

  test('during a pause rows are built only for messages that are sent', async () => {
    await stand.accept(5);
    await stand.view({ order: 'oldest' });
    await stand.accept(60);
    await stand.rhythm(1);
    const read = vi.spyOn(EventSlot.prototype, 'read');
    for (let batch = 0; batch < 4; batch += 1) {
      await stand.accept(100);
      await stand.rhythm(1);
    }
    expect(read).not.toHaveBeenCalled();
    await stand.rhythm(4);
    expect(read).toHaveBeenCalledTimes(80);
    read.mockRestore();
  });

  test('rows are right where more happened while it rested than the ring of events has', async () => {
    const small = new Stand(150);
    await small.accept(5);
    const { viewId } = await small.view({ order: 'oldest' });
    await small.accept(60);
    await small.rhythm(1);
    for (let batch = 0; batch < 2; batch += 1) {
      await small.accept(100);
      await small.runtime.move('msg_60', 'queued');
      await small.rhythm(1);
    }
    await small.runtime.move('msg_260', 'parked');
    await small.rhythm(6);
    const [, ...later] = small.news(viewId);
    const rows = new Map(later.flatMap((news) => news.rows.map(({ index, row }) => [index, row] as const)));
    expect(later.at(-1)?.total).toBe(265);
    expect([...rows.keys()]).toEqual(Array.from({ length: 80 }, (_, n) => 185 + n));
    expect(rows.get(259)).toMatchObject({ number: 260, deliveries: [{ state: 'parked' }] });
    await small.console.close();
  });

  test('a changed message is reported with its row', async () => {
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

  test('a change whose event names the message by id only is reported too', async () => {
    await stand.accept(5);
    const { viewId } = await stand.view();
    await stand.runtime.move('msg_2', 'parked', false);
    await stand.rhythm();
    expect(stand.news(viewId)).toMatchObject([
      { rows: [{ index: 3, row: { deliveries: [{ state: 'parked' }] } }] },
    ]);
  });

  test('the last 80 rows that changed among the newest 2,000 are sent, and the range of the others', async () => {
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
    expect(stand.news(viewId)).toMatchObject([{ rows: [{ index: 99 }], omitted: { from: 600, count: 1 } }]);
    await stand.runtime.move('msg_2521', 'processed');
    await stand.runtime.move('msg_2520', 'processed');
    await stand.runtime.move('msg_2000', 'processed');
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({
      rows: [{ index: 2520 }],
      omitted: { from: 1999, count: 521 },
    });
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

  test('the history is not searched for pruned messages where none stays between them', async () => {
    await stand.accept(9000);
    const { viewId } = await stand.view({ order: 'oldest' });
    const scan = vi.spyOn(stand.runtime.journal, 'scan');
    // The second removal is done before the view hears of the first one.
    await stand.runtime.prune(6000);
    await stand.runtime.prune(3000);
    await stand.rhythm();
    await stand.accept(1);
    await stand.rhythm();
    expect((await stand.numbers(viewId, 0, 2)).slice(0, 2)).toEqual([6001, 6002]);
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 3001 });
    expect(scan).not.toHaveBeenCalled();
  });

  test('an old message that stays costs a search of a few messages, and not of thousands', async () => {
    await stand.accept(9000);
    await stand.runtime.move('msg_1', 'held');
    const { viewId } = await stand.view({ order: 'oldest' });
    const scan = vi.spyOn(stand.runtime.journal, 'scan');
    await stand.runtime.prune(8990);
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 8990 });
    expect((await stand.numbers(viewId, 0, 2)).slice(0, 2)).toEqual([1, 12]);
    expect(scan).toHaveBeenCalled();
    const asked = scan.mock.calls.reduce((sum, [{ limit }]) => sum + limit, 0);
    expect(asked).toBeLessThanOrEqual(400);
  });

  test('a search for many old messages that stay has larger and larger slices', async () => {
    await stand.accept(2000);
    for (let n = 1; n <= 500; n += 1) await stand.runtime.move(`msg_${n}`, 'held');
    const { viewId } = await stand.view({ order: 'oldest' });
    const scan = vi.spyOn(stand.runtime.journal, 'scan');
    await stand.runtime.prune(1000);
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 1000 });
    expect((await stand.numbers(viewId, 499, 2)).slice(0, 2)).toEqual([500, 1501]);
    expect(scan.mock.calls.map(([{ limit }]) => limit).slice(0, 3)).toEqual([100, 200, 400]);
  });

  test('an old message that goes while the history is searched for pruned ones leaves it too', async () => {
    await stand.accept(3000);
    for (const n of [30, 40]) await stand.runtime.move(`msg_${n}`, 'held');
    const { viewId } = await stand.view({ order: 'oldest' });
    const { journal } = stand.runtime;
    const scan = journal.scan.bind(journal);
    let goOn = (): void => undefined;
    const gate = new Promise<void>((go) => (goOn = go));
    journal.scan = async (query) => {
      const slice = await scan(query);
      await gate;
      return slice;
    };
    await stand.runtime.prune(2000);
    await stand.rhythm();
    journal.scan = scan;
    await stand.runtime.move('msg_30', 'processed');
    // The number of the message is far below that of the first removal.
    await stand.runtime.prune(1999);
    await stand.rhythm();
    goOn();
    await stand.rhythm();
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 1999 });
    expect((await stand.numbers(viewId, 0, 2)).slice(0, 2)).toEqual([40, 1003]);
  });

  test('a removed message leaves it, though rows of pruned ones are found missing before', async () => {
    await stand.accept(30);
    const { journal } = stand.runtime;
    const onRemoved = (): void => undefined;
    const kept = new KeptMessages({ journal, clock: stand.clock, onRemoved, onFailure: onRemoved });
    await kept.ready;
    await stand.runtime.prune(20);
    await journal.append([{ kind: 'message.removed', messageIds: ['msg_25'] }]);
    const stats = journal.stats.bind(journal);
    let goOn = (): void => undefined;
    const gate = new Promise<void>((go) => (goOn = go));
    journal.stats = async () => {
      await gate;
      return stats();
    };
    kept.pruned(10, 11);
    kept.pruned(1, 0);
    expect(kept.removeMissing([1, 2])).toBe(true);
    goOn();
    await expect.poll(() => [kept.total, kept.has(25)]).toEqual([19, false]);
    kept.close();
  });

  test('opened over a history with gaps it has only what is kept', async () => {
    await stand.accept(300);
    for (const n of [3, 40, 41]) await stand.runtime.move(`msg_${n}`, 'held');
    await stand.runtime.prune(100);
    const { viewId, total } = await stand.view({ order: 'oldest' });
    expect(total).toBe(100);
    expect((await stand.numbers(viewId, 0, 5)).slice(0, 4)).toEqual([3, 40, 41, 204]);
  });

  test('rows come behind the changes before their read, and in front of the changes during it', async () => {
    await stand.accept(300);
    const { viewId } = await stand.view({ order: 'oldest' });
    const { journal } = stand.runtime;
    const rows = journal.rows.bind(journal);
    let goOn: () => void = () => undefined;
    journal.rows = async (numbers) => {
      const found = await rows(numbers);
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return found;
    };
    // The view has noticed the removal, and its client has not been notified yet.
    await stand.runtime.prune(200);
    await stand.rhythm(1);
    expect(stand.news(viewId)).toEqual([]);
    stand.pipe.texts.length = 0;
    const params = { viewId, from: 0, count: 3 };
    stand.pipe.send({ jsonrpc: '2.0', id: 'read', method: 'view.rows', params });
    await settle();
    await stand.runtime.prune(150);
    await stand.rhythm(6);
    expect(stand.news(viewId).map(({ total }) => total)).toEqual([200]);
    goOn();
    await stand.rhythm(6);
    const order = stand.pipe.texts.map((text) => JSON.parse(text)).filter(({ id, method }) => id ?? method);
    expect(order).toMatchObject([
      { method: 'view.changed', params: { total: 200, moved: true } },
      { id: 'read', result: { total: 200, rows: [{ number: 101 }, { number: 102 }, { number: 103 }] } },
      { method: 'view.changed', params: { total: 150, moved: true } },
    ]);
  });

  test('two reads of a view at the same time, or in one batch, are both answered, and its changes follow', async () => {
    await stand.accept(30);
    const { viewId } = await stand.view({ order: 'oldest' });
    stand.pipe.texts.length = 0;
    const read = (id: string): object => ({
      jsonrpc: '2.0',
      id,
      method: 'view.rows',
      params: { viewId, from: 0, count: 1 },
    });
    stand.pipe.send([read('a'), read('b')]);
    stand.pipe.send(read('c'));
    await settle();
    await stand.accept(1);
    await stand.rhythm(6);
    const heard = stand.pipe.texts.map((text) => JSON.parse(text));
    expect(heard).toContainEqual([
      expect.objectContaining({ id: 'a' }),
      expect.objectContaining({ id: 'b' }),
    ]);
    expect(heard).toContainEqual(expect.objectContaining({ id: 'c' }));
    expect(stand.news(viewId)).toMatchObject([{ total: 31, appended: 1 }]);
  });

  test('a client whose reads of a view always overlap is told of changes in front of their rows', async () => {
    await stand.accept(30);
    const { viewId } = await stand.view({ order: 'oldest' });
    const { journal } = stand.runtime;
    const rows = journal.rows.bind(journal);
    const waiting: (() => void)[] = [];
    journal.rows = async (numbers) => {
      const found = await rows(numbers);
      await new Promise<void>((resolve) => waiting.push(resolve));
      return found;
    };
    stand.pipe.texts.length = 0;
    const read = (id: number): void =>
      stand.pipe.send({ jsonrpc: '2.0', id, method: 'view.rows', params: { viewId, from: 0, count: 40 } });
    read(0);
    for (let id = 1; id <= 3; id += 1) {
      read(id);
      await stand.accept(1);
      await stand.rhythm(6);
      waiting.shift()?.();
      await stand.rhythm(1);
    }
    const heard = stand.pipe.texts.map((text) => JSON.parse(text));
    expect(heard.map(({ id, params, result }) => [id ?? 'news', (params ?? result).total])).toEqual([
      [0, 30],
      ['news', 31],
      [1, 31],
      ['news', 32],
      [2, 32],
      ['news', 33],
    ]);
    expect(waiting).toHaveLength(1);
  });

  test('a read that waits for another one ends with the view', async () => {
    await stand.accept(30);
    const { viewId } = await stand.view({ order: 'oldest' });
    stand.runtime.journal.rows = () => new Promise(() => undefined);
    void stand.ask('view.rows', { viewId, from: 0, count: 1 }).catch(() => undefined);
    const second = stand.ask('view.rows', { viewId, from: 0, count: 1 });
    await settle();
    await stand.ask('view.close', { viewId });
    expect((await second).error?.data).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('two batches that read two views in opposite order are both answered', async () => {
    await stand.accept(30);
    const [one, other] = [await stand.view({ order: 'oldest' }), await stand.view({ order: 'newest' })];
    const read = (id: string, { viewId }: { readonly viewId: string }): object => ({
      jsonrpc: '2.0',
      id,
      method: 'view.rows',
      params: { viewId, from: 0, count: 1 },
    });
    stand.pipe.texts.length = 0;
    stand.pipe.send([read('a', one), read('b', other)]);
    stand.pipe.send([read('c', other), read('d', one)]);
    await settle();
    expect(
      stand.pipe.texts
        .flatMap((text) => JSON.parse(text))
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(['a', 'b', 'c', 'd']);
  });

  test('rows are read though thousands before them were pruned and no event has said so', async () => {
    await stand.accept(3000);
    await stand.runtime.move('msg_2995', 'held');
    const { viewId } = await stand.view({ order: 'oldest' });
    const keep = { maxMessages: 100, maxBytes: Number.MAX_SAFE_INTEGER, olderThanMs: 0 };
    for (let part = 0; part < 3; part += 1) await stand.runtime.journal.prune(keep, 0, 1000);
    expect(await stand.numbers(viewId, 0, 3)).toEqual([2901, 2902, 2903]);
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 100, moved: true });
  });

  test('a row requested while it is pruned is absent', async () => {
    await stand.accept(20);
    const { viewId } = await stand.view({ order: 'oldest' });
    await stand.runtime.journal.append([{ kind: 'message.removed', messageIds: ['msg_2', 'msg_3'] }]);
    const { result } = await stand.ask('view.rows', { viewId, from: 0, count: 4 });
    expect(result?.rows.map(({ number }) => number)).toEqual([1, 4, 5, 6]);
    expect(result?.total).toBe(18);
  });

  test('a view is not reported before the answer that opens it', async () => {
    await stand.accept(3000, (n) => ({ topic: n === 0 ? 'first' : 'orders' }));
    const { journal } = stand.runtime;
    const { stats } = journal;
    let goOn: () => void = () => undefined;
    journal.stats = async () => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      return stats.call(journal);
    };
    stand.pipe.send({ jsonrpc: '2.0', id: 'x', method: 'view.open', params: { order: 'oldest' } });
    await settle();
    await stand.accept(1);
    await stand.rhythm();
    expect(stand.pipe.texts).toEqual([]);
    goOn();
    await stand.rhythm();
    expect(stand.pipe.texts.map((text) => JSON.parse(text))).toMatchObject([
      { id: 'x', result: { total: 3001 } },
    ]);
  });

  test('messages pruned and accepted while the history is read are not lost', async () => {
    await stand.accept(100);
    await stand.runtime.journal.append([{ kind: 'message.removed', messageIds: ['msg_50'] }]);
    const { journal } = stand.runtime;
    const { scan } = journal;
    let isHeld = true;
    let goOn: () => void = () => undefined;
    journal.scan = async (query) => {
      const slice = await scan.call(journal, query);
      if (isHeld) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
      }
      return slice;
    };
    stand.pipe.send({ jsonrpc: '2.0', id: 'x', method: 'view.open', params: { order: 'oldest' } });
    await settle();
    await stand.runtime.prune(90);
    await stand.accept(1);
    await stand.rhythm();
    isHeld = false;
    goOn();
    await stand.rhythm(5);
    expect(await stand.numbers('view_1', 0, 3)).toEqual([10, 11, 12]);
    expect(await stand.numbers('view_1', 88, 10)).toEqual([99, 100, 101]);
  });

  test('opened over an empty history has no rows and reports the first message', async () => {
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
