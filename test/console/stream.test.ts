/** The stream of one client: rhythm, folding, how it starts. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STREAM } from '../../core/contract/stream-bounds.ts';
import type { Batch, ConsoleEvent } from '../../core/contract/console.ts';
import { logEvent } from '../support/fake-events.ts';
import { settle } from './bench.ts';
import { answerIn, batchesIn } from './read-frames.ts';
import { Stand } from './stand.ts';

let stand: Stand;
function use(ringSize?: number): void {
  stand = new Stand(ringSize);
}
beforeEach(() => use());
afterEach(() => stand.console.close());

describe('rhythm', () => {
  test('a batch leaves 33 ms after the first unsent event', async () => {
    await stand.start();
    stand.log(1);
    stand.clock.advance(32);
    expect(stand.spans()).toEqual([]);
    stand.log(2);
    stand.clock.advance(1);
    expect(stand.spans()).toEqual([[1, 3]]);
    stand.clock.advance(1000);
    expect(stand.spans()).toEqual([[1, 3]]);
    stand.log(1);
    stand.clock.advance(33);
    expect(stand.spans()).toEqual([
      [1, 3],
      [4, 4],
    ]);
  });

  test('a batch leaves at once with 500 events', async () => {
    await stand.start();
    stand.log(STREAM.batchEvents - 1);
    expect(stand.spans()).toEqual([]);
    stand.log(2);
    expect(stand.spans()).toEqual([[1, 500]]);
    stand.clock.advance(33);
    expect(stand.spans()).toEqual([
      [1, 500],
      [501, 501],
    ]);
  });

  test('a batch leaves at once with 256 KiB, and no frame is larger unless one event is', async () => {
    await stand.start();
    stand.log(3, 'x'.repeat(100_000));
    expect(stand.spans()).toEqual([
      [1, 2],
      [3, 3],
    ]);
    stand.ack(3);
    stand.log(1, 'y'.repeat(400_000));
    stand.log(1);
    stand.clock.advance(33);
    expect(stand.spans().slice(2)).toEqual([
      [4, 4],
      [5, 5],
    ]);
    const sizes = stand.pipe.texts
      .filter((text) => text.includes('stream.batch'))
      .map((text) => Buffer.byteLength(text));
    expect(sizes.filter((size) => size > STREAM.batchBytes + 1000)).toHaveLength(1);
  });

  test('without an open stream there is no listener, timer or buffer', async () => {
    expect(stand.runtime.events.listeners).toBe(0);
    await stand.start();
    expect(stand.runtime.events.listeners).toBe(1);
    stand.log(1);
    stand.pipe.send({ jsonrpc: '2.0', id: 1, method: 'stream.close' });
    await settle();
    stand.clock.advance(1000);
    expect(stand.runtime.events.listeners).toBe(0);
    expect(stand.clock.waiting).toBe(0);
    expect(stand.spans()).toEqual([]);
    await stand.start();
    stand.log(1);
    stand.clock.advance(33);
    expect(stand.spans()).toEqual([[2, 2]]);
    stand.pipe.close();
    expect(stand.runtime.events.listeners).toBe(0);
    expect(stand.console.pipes).toBe(0);
  });
});

describe('folding', () => {
  function eventsOf([batch]: readonly Batch[]): readonly ConsoleEvent[] {
    return batch?.events ?? [];
  }

  test('the last change of a delivery stands for all, and the row is the newest', async () => {
    await stand.start();
    await stand.runtime.accept({ topic: 'a' });
    await stand.runtime.move('msg_1', 'queued');
    await stand.runtime.accept({ topic: 'b' });
    await stand.runtime.move('msg_2', 'queued');
    await stand.runtime.move('msg_1', 'attempting');
    await stand.runtime.move('msg_1', 'processed');
    stand.clock.advance(33);
    expect(stand.spans()).toEqual([[1, 6]]);
    expect(eventsOf(stand.told('stream.batch'))).toMatchObject([
      {
        type: 'message.added',
        sequence: 1,
        row: { messageId: 'msg_1', deliveries: [{ state: 'processed' }] },
      },
      { type: 'message.added', sequence: 3, row: { messageId: 'msg_2', deliveries: [{ state: 'queued' }] } },
      { type: 'delivery.changed', sequence: 4, messageId: 'msg_2' },
      { type: 'delivery.changed', sequence: 6, messageId: 'msg_1', delivery: { state: 'processed' } },
    ]);
  });

  test('several rows of one message become the last one, with its number', async () => {
    await stand.start();
    const row = await stand.runtime.accept();
    stand.log(1);
    stand.runtime.events.add({ type: 'message.added', row: { ...row, note: 'second' } });
    stand.clock.advance(33);
    expect(eventsOf(stand.told('stream.batch'))).toMatchObject([
      { type: 'log.added', sequence: 2 },
      { type: 'message.added', sequence: 3, row: { note: 'second' } },
    ]);
  });

  test('events that are no rows are never folded', async () => {
    await stand.start();
    for (let n = 0; n < 2; n += 1) {
      stand.log(1, 'same');
      stand.runtime.events.add({ type: 'hold.changed', holdId: 'h' });
      stand.runtime.events.add({ type: 'topology.changed', appId: 'a' });
      stand.runtime.events.add({ type: 'messages.pruned', beforeSequence: 1, count: 1 });
    }
    stand.clock.advance(33);
    expect(eventsOf(stand.told('stream.batch'))).toHaveLength(8);
  });
});

describe('start', () => {
  test('a first start gets a snapshot with the newest 100 rows, the counts and the oldest kept number', async () => {
    for (let n = 0; n < 120; n += 1) await stand.runtime.accept();
    await stand.runtime.move('msg_120', 'parked');
    const start = await stand.start();
    expect(start).toMatchObject({
      epoch: 'epoch-1',
      sequence: 121,
      snapshot: { counts: { parked: 1 }, oldestKept: 1 },
    });
    expect(start.missed).toBeUndefined();
    expect(start.snapshot?.rows.map(({ number }) => number)).toEqual(
      Array.from({ length: 100 }, (_, n) => 120 - n),
    );
  });

  test('a later start gets what was missed, event by event', async () => {
    await stand.runtime.accept();
    await stand.runtime.move('msg_1', 'queued');
    await stand.runtime.move('msg_1', 'processed');
    for (const params of [{ epoch: 'epoch-1', since: 1 }, { since: 1 }]) {
      const start = await stand.start(params);
      expect(start.snapshot).toBeUndefined();
      expect(start.missed?.map(({ sequence }) => sequence)).toEqual([2, 3]);
    }
    expect((await stand.start({ epoch: 'epoch-1', since: 3 })).missed).toEqual([]);
  });

  test.each([
    ['another epoch', { epoch: 'epoch-0', since: 3 }],
    ['a number never given', { epoch: 'epoch-1', since: 4 }],
    ['no number', { epoch: 'epoch-1' }],
  ])('%s starts over', async (_name, params) => {
    stand.log(3);
    expect(await stand.start(params)).toMatchObject({ sequence: 3, snapshot: { rows: [] } });
  });

  test('a number that the ring has lost starts over', async () => {
    use(10);
    stand.log(20);
    expect(await stand.start({ since: 9 })).toMatchObject({ sequence: 20, snapshot: { rows: [] } });
    expect((await stand.start({ since: 10 })).missed).toHaveLength(10);
  });

  test('missed events that do not fit one frame are a snapshot', async () => {
    for (let n = 0; n < 1200; n += 1) stand.runtime.events.add(logEvent('x'.repeat(8000)));
    expect(await stand.start({ since: 0 })).toMatchObject({ sequence: 1200, snapshot: { rows: [] } });
    expect((await stand.start({ since: 700 })).missed).toHaveLength(500);
  });

  test('the first batch begins after the sequence and leaves after the answer', async () => {
    const other = stand.attach();
    await stand.start({}, other);
    stand.log(3);
    stand.pipe.send({ jsonrpc: '2.0', id: 'start', method: 'stream.open' });
    // Events that come while the snapshot is read.
    stand.log(STREAM.batchEvents + 100);
    await settle();
    stand.clock.advance(33);
    const [first, ...rest] = stand.pipe.texts;
    expect(first).toContain('"id":"start"');
    expect(answerIn(stand.pipe.texts, 'start')).toMatchObject({ sequence: 3 });
    expect(batchesIn(rest).map(({ from, to }) => [from, to])).toEqual([
      [4, 503],
      [504, 603],
    ]);
    expect(stand.spans(other)).toEqual([
      [1, 3],
      [4, 503],
      [504, 603],
    ]);
  });

  test('a stream that is closed before its snapshot was read sends nothing', async () => {
    await stand.accept(1);
    stand.pipe.send({ jsonrpc: '2.0', id: 'start', method: 'stream.open' });
    stand.pipe.send({ jsonrpc: '2.0', id: 'end', method: 'stream.close' });
    await settle();
    stand.log(1);
    stand.clock.advance(33);
    expect(stand.pipe.texts).toHaveLength(2);
    expect(stand.runtime.events.listeners).toBe(0);
  });

  test('a second open starts over; the batches of the first are forgotten', async () => {
    await stand.start();
    for (let n = 0; n < 6; n += 1) {
      stand.log(1);
      stand.clock.advance(33);
    }
    expect(stand.spans()).toHaveLength(STREAM.unacknowledged);
    expect((await stand.start()).sequence).toBe(6);
    stand.log(1);
    stand.clock.advance(33);
    expect(stand.spans()).toEqual([[7, 7]]);
  });

  test('a start that fails opens nothing', async () => {
    await stand.runtime.journal.close();
    stand.pipe.send({ jsonrpc: '2.0', id: 1, method: 'stream.open' });
    await settle();
    expect(JSON.parse(stand.pipe.texts[0] ?? '')).toMatchObject({ error: { code: -32603 } });
    expect(stand.runtime.events.listeners).toBe(0);
  });
});
