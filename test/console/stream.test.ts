/** The stream of one client: rhythm, folding, acknowledgement, gap, reset, back-pressure. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { STREAM } from '../../core/contract/console.ts';
import type { Batch, ConsoleEvent, StreamStart } from '../../core/contract/console.ts';
import { Console } from '../../core/console/console.ts';
import { logEvent } from '../support/fake-events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { attachPipe, benchParts, settle } from './parts.ts';
import type { Bench, PipeEnd } from './parts.ts';
import { answerIn, batchesIn, notificationsIn } from './read-frames.ts';

let clock: ManualClock;
let bench: Bench;
let desk: Console;
let pipe: PipeEnd;

function setUp(ringSize?: number): void {
  clock = new ManualClock();
  bench = benchParts(clock, ringSize);
  desk = new Console(bench.parts);
  pipe = attachPipe(desk);
}
beforeEach(() => setUp());
afterEach(() => desk.close());

async function open(params: object = {}, end: PipeEnd = pipe): Promise<StreamStart> {
  end.texts.length = 0;
  end.send({ jsonrpc: '2.0', id: 'open', method: 'stream.open', params });
  await settle();
  return answerIn(end.texts, 'open') as StreamStart;
}

function ack(sequence: number, end: PipeEnd = pipe): void {
  end.send({ jsonrpc: '2.0', method: 'stream.ack', params: { sequence } });
}

function log(count: number, text = 'line'): void {
  for (let n = 0; n < count; n += 1) bench.runtime.events.add(logEvent(text));
}

const spans = (end: PipeEnd = pipe): readonly (readonly [number, number])[] => {
  return batchesIn(end.texts).map(({ from, to }) => [from, to] as const);
};

describe('rhythm', () => {
  test('a batch leaves 33 ms after the first unsent event', async () => {
    await open();
    log(1);
    clock.advance(32);
    expect(spans()).toEqual([]);
    log(2);
    clock.advance(1);
    expect(spans()).toEqual([[1, 3]]);
    clock.advance(1000);
    expect(spans()).toEqual([[1, 3]]);
    log(1);
    clock.advance(33);
    expect(spans()).toEqual([
      [1, 3],
      [4, 4],
    ]);
  });

  test('or at 500 events, at once', async () => {
    await open();
    log(STREAM.batchEvents - 1);
    expect(spans()).toEqual([]);
    log(2);
    expect(spans()).toEqual([[1, 500]]);
    clock.advance(33);
    expect(spans()).toEqual([
      [1, 500],
      [501, 501],
    ]);
  });

  test('or at 256 KiB; no frame is larger unless one event is', async () => {
    await open();
    log(3, 'x'.repeat(100_000));
    expect(spans()).toEqual([
      [1, 2],
      [3, 3],
    ]);
    ack(3);
    log(1, 'y'.repeat(400_000));
    log(1);
    clock.advance(33);
    expect(spans().slice(2)).toEqual([
      [4, 4],
      [5, 5],
    ]);
    const sizes = pipe.texts
      .filter((text) => text.includes('stream.batch'))
      .map((text) => Buffer.byteLength(text));
    expect(sizes.filter((size) => size > STREAM.batchBytes + 1000)).toHaveLength(1);
  });

  test('nothing is listened to, timed or kept while no stream is open', async () => {
    expect(bench.runtime.events.listeners).toBe(0);
    await open();
    expect(bench.runtime.events.listeners).toBe(1);
    log(1);
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'stream.close' });
    await settle();
    clock.advance(1000);
    expect(bench.runtime.events.listeners).toBe(0);
    expect(clock.waiting).toBe(0);
    expect(spans()).toEqual([]);
    await open();
    log(1);
    clock.advance(33);
    expect(spans()).toEqual([[2, 2]]);
    pipe.close();
    expect(bench.runtime.events.listeners).toBe(0);
    expect(desk.pipes).toBe(0);
  });
});

describe('folding', () => {
  function eventsOf([batch]: readonly Batch[]): readonly ConsoleEvent[] {
    return batch?.events ?? [];
  }

  test('the last change of a delivery stands for all, and the row is the newest', async () => {
    await open();
    await bench.runtime.accept({ topic: 'a' });
    await bench.runtime.move('msg_1', 'queued');
    await bench.runtime.accept({ topic: 'b' });
    await bench.runtime.move('msg_2', 'queued');
    await bench.runtime.move('msg_1', 'attempting');
    await bench.runtime.move('msg_1', 'processed');
    clock.advance(33);
    expect(spans()).toEqual([[1, 6]]);
    expect(eventsOf(batchesIn(pipe.texts))).toMatchObject([
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
    await open();
    const row = await bench.runtime.accept();
    log(1);
    bench.runtime.events.add({ type: 'message.added', row: { ...row, note: 'second' } });
    clock.advance(33);
    expect(eventsOf(batchesIn(pipe.texts))).toMatchObject([
      { type: 'log.added', sequence: 2 },
      { type: 'message.added', sequence: 3, row: { note: 'second' } },
    ]);
  });

  test('what is no row is never folded', async () => {
    await open();
    for (let n = 0; n < 2; n += 1) {
      log(1, 'same');
      bench.runtime.events.add({ type: 'hold.changed', holdId: 'h' });
      bench.runtime.events.add({ type: 'topology.changed', appId: 'a' });
      bench.runtime.events.add({ type: 'messages.pruned', beforeSequence: 1, count: 1 });
    }
    clock.advance(33);
    expect(eventsOf(batchesIn(pipe.texts))).toHaveLength(8);
  });
});

describe('start', () => {
  test('with a snapshot: newest 100 rows, counts, oldest kept', async () => {
    for (let n = 0; n < 120; n += 1) await bench.runtime.accept();
    await bench.runtime.move('msg_120', 'parked');
    const start = await open();
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

  test('with what was missed, uncoalesced', async () => {
    await bench.runtime.accept();
    await bench.runtime.move('msg_1', 'queued');
    await bench.runtime.move('msg_1', 'processed');
    for (const params of [{ epoch: 'epoch-1', since: 1 }, { since: 1 }]) {
      const start = await open(params);
      expect(start.snapshot).toBeUndefined();
      expect(start.missed?.map(({ sequence }) => sequence)).toEqual([2, 3]);
    }
    expect((await open({ epoch: 'epoch-1', since: 3 })).missed).toEqual([]);
  });

  test.each([
    ['another epoch', { epoch: 'epoch-0', since: 3 }],
    ['a number never given', { epoch: 'epoch-1', since: 4 }],
    ['no number', { epoch: 'epoch-1' }],
  ])('%s starts over', async (_name, params) => {
    log(3);
    expect((await open(params)).snapshot).toBeDefined();
  });

  test('a number that the ring has lost starts over', async () => {
    setUp(10);
    log(20);
    expect((await open({ since: 9 })).snapshot).toBeDefined();
    expect((await open({ since: 10 })).missed).toHaveLength(10);
  });

  test('missed events that do not fit one frame are a snapshot', async () => {
    for (let n = 0; n < 1200; n += 1) bench.runtime.events.add(logEvent('x'.repeat(8000)));
    expect((await open({ since: 0 })).snapshot).toBeDefined();
    expect((await open({ since: 700 })).missed).toHaveLength(500);
  });

  test('the first batch begins after the sequence and leaves after the answer', async () => {
    const other = attachPipe(desk);
    await open({}, other);
    log(3);
    pipe.send({ jsonrpc: '2.0', id: 'open', method: 'stream.open' });
    // Events that come while the snapshot is read.
    log(STREAM.batchEvents + 100);
    await settle();
    clock.advance(33);
    const [first, ...rest] = pipe.texts;
    expect(first).toContain('"id":"open"');
    expect(answerIn(pipe.texts, 'open')).toMatchObject({ sequence: 3 });
    expect(batchesIn(rest).map(({ from, to }) => [from, to])).toEqual([
      [4, 503],
      [504, 603],
    ]);
    expect(spans(other)).toEqual([
      [1, 3],
      [4, 503],
      [504, 603],
    ]);
  });

  test('a second open starts over; the batches of the first are forgotten', async () => {
    await open();
    for (let n = 0; n < 6; n += 1) {
      log(1);
      clock.advance(33);
    }
    expect(spans()).toHaveLength(STREAM.unacknowledged);
    expect((await open()).sequence).toBe(6);
    log(1);
    clock.advance(33);
    expect(spans()).toEqual([[7, 7]]);
  });

  test('a start that fails opens nothing', async () => {
    await bench.runtime.journal.close();
    pipe.send({ jsonrpc: '2.0', id: 1, method: 'stream.open' });
    await settle();
    expect(JSON.parse(pipe.texts[0] ?? '')).toMatchObject({ error: { code: -32603 } });
    expect(bench.runtime.events.listeners).toBe(0);
  });
});

describe('back-pressure', () => {
  test('with 4 unacknowledged batches nothing more is sent; an acknowledgement goes on where it stopped', async () => {
    await open();
    for (let n = 0; n < 10; n += 1) {
      log(1);
      clock.advance(33);
    }
    expect(spans()).toEqual([1, 2, 3, 4].map((n) => [n, n]));
    ack(1);
    expect(spans().slice(4)).toEqual([[5, 10]]);
    ack(10);
    log(1);
    clock.advance(33);
    expect(spans().slice(5)).toEqual([[11, 11]]);
  });

  test('what was missed is folded and cut like any batch', async () => {
    await open();
    for (let n = 0; n < 4; n += 1) {
      log(1);
      clock.advance(33);
    }
    log(1200);
    clock.advance(33);
    ack(4);
    expect(spans().slice(4)).toEqual([
      [5, 504],
      [505, 1004],
      [1005, 1204],
    ]);
  });

  test('an acknowledgement of what was not sent, or twice, changes nothing', async () => {
    await open();
    log(1);
    clock.advance(33);
    ack(99);
    ack(0);
    ack(1);
    log(1);
    clock.advance(33);
    expect(spans()).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  test('when the ring has lost some of it there is one reset, and nothing until the next open', async () => {
    setUp(50);
    await open();
    for (let n = 0; n < 4; n += 1) {
      log(1);
      clock.advance(33);
    }
    log(60);
    clock.advance(33);
    ack(4);
    ack(4);
    log(60);
    clock.advance(33);
    expect(notificationsIn(pipe.texts, 'stream.reset')).toEqual([{ epoch: 'epoch-1' }]);
    expect(spans()).toHaveLength(4);
    expect(bench.runtime.events.listeners).toBe(0);
    expect((await open({ epoch: 'epoch-1', since: 4 })).snapshot).toBeDefined();
    log(1);
    clock.advance(33);
    expect(spans()).toEqual([[125, 125]]);
  });

  test('50 clients that never acknowledge get 4 batches each, made once', async () => {
    const slow = Array.from({ length: 50 }, () => attachPipe(desk));
    for (const end of slow) await open({}, end);
    await open();
    for (let n = 0; n < 200; n += 1) {
      log(STREAM.batchEvents, 'x'.repeat(300));
      clock.advance(33);
      ack(Number.MAX_SAFE_INTEGER);
    }
    for (const end of slow) {
      expect(spans(end)).toHaveLength(STREAM.unacknowledged);
      // The very same text, not a copy of it.
      expect(
        end.texts.filter((text) => text.includes('stream.batch')).every((text) => pipe.texts.includes(text)),
      ).toBe(true);
    }
    const sent = batchesIn(pipe.texts);
    expect(sent.at(-1)?.to).toBe(200 * STREAM.batchEvents);
    expect(sent.every((batch, n) => n === 0 || batch.from === (sent[n - 1]?.to ?? 0) + 1)).toBe(true);
  });
});

describe('runtime.changed', () => {
  const statuses = (): readonly object[] => notificationsIn(pipe.texts, 'runtime.changed');

  test('at the start, then at most every 500 ms while something changes', async () => {
    await open();
    expect(statuses()).toMatchObject([{ kept: 0 }]);
    for (let n = 0; n < 10; n += 1) {
      await bench.runtime.accept();
      clock.advance(100);
      ack(Number.MAX_SAFE_INTEGER);
    }
    expect(statuses()).toMatchObject([{ kept: 0 }, { kept: 5 }, { kept: 10 }]);
    clock.advance(5000);
    expect(statuses().at(-1)).toMatchObject({ kept: 10 });
    const told = statuses().length;
    clock.advance(60_000);
    expect(statuses()).toHaveLength(told);
    expect(clock.waiting).toBe(0);
  });

  test('goes on while the rates fall', async () => {
    await open();
    bench.runtime.rates = { in: 3, out: 3 };
    log(1);
    clock.advance(600);
    bench.runtime.rates = { in: 0, out: 0 };
    clock.advance(500);
    expect(statuses().at(-1)).toMatchObject({ rates: { in: 0 } });
    clock.advance(60_000);
    expect(clock.waiting).toBe(0);
  });

  test('a client that is behind gets the newest one when it has caught up', async () => {
    await open();
    for (let n = 0; n < 4; n += 1) {
      log(1);
      clock.advance(33);
    }
    const told = statuses().length;
    await bench.runtime.accept();
    clock.advance(5000);
    expect(statuses()).toHaveLength(told);
    ack(4);
    expect(statuses().at(-1)).toMatchObject({ kept: 1 });
    expect(statuses()).toHaveLength(told + 1);
  });
});
