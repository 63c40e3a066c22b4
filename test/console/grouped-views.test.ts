/** Grouped views: lines of groups and of their messages, and their news, over both journals. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GroupRow } from '../../core/contract/view.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import { Stand } from './stand.ts';

let stand: Stand;
beforeEach(() => {
  stand = new Stand();
});
afterEach(() => stand.console.close());

interface Lines {
  readonly rows: readonly MessageRow[];
  readonly total: number;
  readonly groups: readonly { readonly index: number; readonly group: GroupRow }[];
}

async function read(viewId: string, from = 0, count = 500): Promise<Lines> {
  const { result } = await stand.ask('view.rows', { viewId, from, count });
  return result as unknown as Lines;
}

/** "orders 3" for a group, 5 for message 5, in the order of the lines. */
async function lines(viewId: string, from = 0, count = 500): Promise<(string | number)[]> {
  const { rows, groups } = await read(viewId, from, count);
  const heads = new Map(groups.map(({ index, group }) => [index, group]));
  const left = [...rows];
  const inside = groups.filter(({ index }) => index >= from);
  return Array.from({ length: rows.length + inside.length }, (_, offset) => {
    const group = heads.get(from + offset);
    if (group !== undefined) return `${group.value ?? '-'} ${group.messages}`;
    return left.shift()?.number ?? 'missing';
  });
}

const TOPICS = ['orders', 'refunds', 'tickets'];
const byTopic = (n: number): Partial<MessageRow> => ({ topic: TOPICS[n % 3] ?? '' });

async function open(params: object = {}): Promise<{ viewId: string; total: number }> {
  const opened = await stand.view({ order: 'oldest', groupBy: 'topic', ...params });
  await stand.rhythm(12);
  return opened;
}

describe('groups', () => {
  test('stand in the order of their names, with count, worst state and time span', async () => {
    await stand.accept(7, byTopic);
    await stand.runtime.move('msg_4', 'parked');
    await stand.runtime.move('msg_1', 'processed');
    const { viewId } = await open();
    expect(await lines(viewId)).toEqual(['orders 3', 'refunds 2', 'tickets 2']);
    const { groups, total } = await read(viewId);
    expect(total).toBe(3);
    expect(groups[0]?.group).toEqual({
      groupId: '=orders',
      value: 'orders',
      messages: 3,
      worst: 'parked',
      states: { parked: 1, none: 1, processed: 1 },
      firstAt: '2026-01-02T03:04:05.000Z',
      lastAt: '2026-01-02T03:04:05.000Z',
      isOpen: false,
    });
  });

  test('by time stand the other way round with the newest first, and so do their messages', async () => {
    await stand.accept(7, (n) => ({ batchId: TOPICS[n % 3] ?? '' }));
    const { viewId } = await open({ order: 'newest', groupBy: 'batch' });
    await stand.ask('view.expand', { viewId, groupId: '=orders', open: true });
    expect(await lines(viewId)).toEqual(['tickets 2', 'refunds 2', 'orders 3', 7, 4, 1]);
  });

  test('by name keep their order with the newest first, and their messages do not', async () => {
    await stand.accept(4, (n) => ({ topic: ['zebra', 'ape', 'zebra', 'ape'][n] ?? '' }));
    const { viewId } = await open({ order: 'newest' });
    await stand.ask('view.expand', { viewId, groupId: '=ape', open: true });
    expect(await lines(viewId)).toEqual(['ape 2', 4, 2, 'zebra 2']);
    await stand.accept(1, () => ({ topic: 'cat' }));
    await stand.rhythm(12);
    expect(await lines(viewId)).toEqual(['ape 2', 4, 2, 'cat 1', 'zebra 2']);
  });

  test('by state stand in the order of attention', async () => {
    await stand.accept(3);
    await stand.runtime.move('msg_1', 'processed');
    await stand.runtime.move('msg_3', 'parked');
    const { viewId } = await open({ groupBy: 'state' });
    expect(await lines(viewId)).toEqual(['parked 1', 'none 1', 'processed 1']);
  });

  test('have a line for each message once they are open, and any range of lines can be read', async () => {
    await stand.accept(9, byTopic);
    const { viewId } = await open();
    const { result } = await stand.ask('view.expand', { viewId, groupId: '=refunds', open: true });
    expect(result).toEqual({ total: 6 });
    expect(await lines(viewId)).toEqual(['orders 3', 'refunds 3', 2, 5, 8, 'tickets 3']);
    expect(await lines(viewId, 3, 2)).toEqual([5, 8]);
    expect(await lines(viewId, 4, 9)).toEqual([8, 'tickets 3']);
    expect((await read(viewId, 3, 2)).groups).toMatchObject([{ index: 1, group: { value: 'refunds' } }]);
    await stand.ask('view.expand', { viewId, open: true });
    expect((await read(viewId)).total).toBe(12);
    await stand.ask('view.expand', { viewId, groupId: '=orders', open: false });
    expect((await read(viewId)).total).toBe(9);
    await stand.ask('view.expand', { viewId, open: false });
    expect(await lines(viewId)).toEqual(['orders 3', 'refunds 3', 'tickets 3']);
  });

  test('a group that was opened before it came is open when it comes', async () => {
    const { viewId } = await open();
    await stand.ask('view.expand', { viewId, groupId: '=orders', open: true });
    await stand.accept(2, () => ({ topic: 'orders' }));
    await stand.rhythm(12);
    expect(await lines(viewId)).toEqual(['orders 2', 1, 2]);
  });

  test('a message goes to another group by state when its delivery changes', async () => {
    await stand.accept(3);
    await stand.runtime.move('msg_1', 'parked');
    await stand.runtime.move('msg_3', 'parked');
    const { viewId } = await open({ groupBy: 'state' });
    expect(await lines(viewId)).toEqual(['parked 2', 'none 1']);
    await stand.runtime.move('msg_1', 'processed');
    await stand.rhythm(12);
    expect(await lines(viewId)).toEqual(['parked 1', 'none 1', 'processed 1']);
  });

  test('the states of a group by route are counted', async () => {
    await stand.accept(3);
    await stand.runtime.move('msg_1', 'parked');
    await stand.runtime.move('msg_3', 'processed');
    const { viewId } = await open({ groupBy: 'route' });
    expect(await lines(viewId)).toEqual(['/orders 2', '- 1']);
    const { groups } = await read(viewId);
    expect(groups[0]?.group).toMatchObject({ worst: 'parked', states: { processed: 1, parked: 1 } });
  });

  test('messages that have no such value are one group', async () => {
    await stand.accept(4, (n) => (n % 2 === 0 ? {} : { batchId: 'b1' }));
    const { viewId } = await open({ groupBy: 'batch' });
    expect(await lines(viewId)).toEqual(['- 2', 'b1 2']);
    expect((await read(viewId)).groups[0]?.group).toMatchObject({ groupId: 'none' });
  });

  test('a path into the payload makes a group for each value', async () => {
    await stand.runtime.accept({}, { order: { id: 7 } });
    await stand.runtime.accept({}, { order: { id: 'x' } });
    await stand.runtime.accept({}, { order: { id: 7 } });
    const { viewId } = await open({ groupBy: 'data.order.id' });
    expect(await lines(viewId)).toEqual(['7 2', 'x 1']);
    const values = await stand.ask('messages.values', {
      numbers: [2, 9, 1],
      paths: ['data.order.id', 'data.no'],
    });
    expect(values.result).toEqual({
      items: [
        { number: 2, values: ['x', null] },
        { number: 1, values: ['7', null] },
      ],
    });
    const previews = await stand.ask('messages.values', { numbers: [2, 9], paths: [], preview: true });
    expect(previews.result).toEqual({ items: [{ number: 2, values: [], preview: '{"order":{"id":"x"}}' }] });
  });

  test('a chain of replays has its original, which stays there when it changes', async () => {
    await stand.accept(2);
    await stand.runtime.accept({ replayOf: 'msg_1' });
    await stand.runtime.accept({ replayOf: 'msg_3' });
    const { viewId } = await open({ groupBy: 'replay' });
    expect(await lines(viewId)).toEqual(['msg_1 3', '- 1']);
    await stand.runtime.accept({ replayOf: 'msg_2' });
    await stand.runtime.move('msg_1', 'processed');
    await stand.rhythm(12);
    await stand.ask('view.expand', { viewId, open: true });
    expect(await lines(viewId)).toEqual(['msg_1 3', 1, 3, 4, 'msg_2 2', 2, 5]);
  });

  test('have only what the filter matches', async () => {
    await stand.accept(9, byTopic);
    const { viewId } = await open({ filter: 'topic:orders,refunds' });
    expect(await lines(viewId)).toEqual(['orders 3', 'refunds 3']);
  });
});

describe('while messages come, change and go', () => {
  test('counts are updated, new groups come to their place, and changes are reported a few times a second', async () => {
    await stand.accept(3, byTopic);
    const { viewId } = await open();
    const before = stand.news(viewId).length;
    await stand.accept(4, byTopic);
    await stand.runtime.accept({ topic: 'new' });
    await stand.runtime.move('msg_2', 'parked');
    await stand.rhythm(3);
    expect(stand.news(viewId)).toHaveLength(before);
    await stand.rhythm(9);
    expect(stand.news(viewId).at(-1)).toMatchObject({ total: 4, appended: 5, rows: [], moved: true });
    expect(await lines(viewId)).toEqual(['new 1', 'orders 3', 'refunds 2', 'tickets 2']);
    expect((await read(viewId)).groups[2]?.group.worst).toBe('parked');
  });

  test('a message that the filter no longer matches leaves its group, and an empty group goes', async () => {
    await stand.accept(2, byTopic);
    await stand.runtime.move('msg_1', 'queued');
    await stand.runtime.move('msg_2', 'queued');
    const { viewId } = await open({ filter: 'state:queued' });
    expect(await lines(viewId)).toEqual(['orders 1', 'refunds 1']);
    await stand.runtime.move('msg_1', 'processed');
    await stand.rhythm(12);
    expect(await lines(viewId)).toEqual(['refunds 1']);
  });

  test('pruned messages leave their groups', async () => {
    await stand.accept(300, byTopic);
    for (let n = 1; n <= 300; n += 1) if (n > 3) await stand.runtime.move(`msg_${n}`, 'processed');
    const { viewId } = await open();
    await stand.ask('view.expand', { viewId, groupId: '=refunds', open: true });
    await stand.runtime.prune(100);
    await stand.rhythm(12);
    const { groups, total, rows } = await read(viewId);
    const amounts = groups.map(({ group }) => group.messages);
    expect(amounts.reduce((sum, n) => sum + n, 0)).toBe(100);
    expect(total).toBe(3 + rows.length);
    expect(rows.every(({ topic }) => topic === 'refunds')).toBe(true);
  });

  test('lines that grow above the lines that were read are reported as a shift', async () => {
    await stand.accept(9, byTopic);
    const { viewId } = await open();
    await stand.ask('view.expand', { viewId, groupId: '=orders', open: true });
    expect(await lines(viewId, 5, 1)).toEqual(['tickets 3']);
    await stand.accept(4, () => ({ topic: 'orders' }));
    await stand.rhythm(12);
    expect(stand.news(viewId).at(-1)).toMatchObject({ shift: 4 });
    expect(await lines(viewId, 9, 1)).toEqual(['tickets 3']);
  });

  test('the stream sends only events of messages on the lines that were read', async () => {
    await stand.start({ scope: 'views' });
    await stand.accept(6, byTopic);
    const { viewId } = await open();
    await stand.ask('view.expand', { viewId, groupId: '=orders', open: true });
    await lines(viewId);
    stand.pipe.texts.length = 0;
    await stand.runtime.move('msg_1', 'queued');
    await stand.runtime.move('msg_2', 'queued');
    await stand.rhythm();
    const told = stand.told('stream.batch').flatMap(({ events }) => events);
    expect(told.map((event) => (event.type === 'delivery.changed' ? event.messageId : ''))).toEqual([
      'msg_1',
    ]);
  });

  test('a journal that cannot be read for a moment is read again', async () => {
    await stand.accept(3, byTopic);
    const { viewId } = await open();
    const { summaries } = stand.runtime.journal;
    const broken: Pick<typeof stand.runtime.journal, 'summaries'> = stand.runtime.journal;
    broken.summaries = () => Promise.reject(new Error('for a moment'));
    await stand.accept(2, byTopic);
    await stand.rhythm(12);
    broken.summaries = summaries;
    stand.clock.advance(5000);
    await stand.rhythm(12);
    expect(await lines(viewId)).toEqual(['orders 2', 'refunds 2', 'tickets 1']);
  });
});

test('a view that is not grouped has nothing to expand', async () => {
  const { viewId } = await stand.view();
  expect(await stand.ask('view.expand', { viewId, open: true })).toMatchObject({
    error: { data: { code: 'INVALID_PARAMS', field: 'viewId' } },
  });
});

test('a connection has at most four grouped or sorted views', async () => {
  const first = await stand.view({ groupBy: 'topic' });
  for (const groupBy of ['type', 'trace']) await stand.view({ groupBy });
  await stand.view({ sortBy: 'size' });
  expect(await stand.ask('view.open', { groupBy: 'batch' })).toMatchObject({
    error: { data: { code: 'TOO_LARGE' } },
  });
  expect((await stand.ask('view.open')).result).toMatchObject({ total: 0 });
  await stand.ask('view.close', { viewId: first.viewId });
  expect((await stand.ask('view.open', { groupBy: 'batch' })).result).toMatchObject({ total: 0 });
});
