/** The runtime's small parts for themselves: timers, queue, writer, ring of events, counters. */
import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { STREAM } from '../../core/contract/stream-bounds.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { MessageRow, Transition } from '../../core/contract/message.ts';
import { JournalError } from '../../core/ports/journal.ts';
import type { Log } from '../../core/ports/log.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';
import { Fifo } from '../../core/runtime/state/fifo.ts';
import { LogBook } from '../../core/runtime/telemetry/log-book.ts';
import { Metrics } from '../../core/runtime/telemetry/metrics.ts';
import { EventRing } from '../../core/runtime/telemetry/event-ring.ts';
import { Timers } from '../../core/runtime/time/timers.ts';
import { Waits } from '../../core/runtime/time/waits.ts';
import { Writer } from '../../core/runtime/persistence/writer.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import type { LastingOptions } from '../support/lasting-journal.ts';
import { ManualClock } from '../support/manual-clock.ts';

describe('timers', () => {
  test('run in the order of their moments, with one timer of the clock', () => {
    const clock = new ManualClock();
    const timers = new Timers(clock);
    const ran: number[] = [];
    for (const ms of [50, 10, 30, 20, 40, 10]) timers.at(clock.now() + ms, () => ran.push(ms));
    expect(clock.waiting).toBe(1);
    clock.advance(35);
    expect(ran).toEqual([10, 10, 20, 30]);
    clock.advance(100);
    expect(ran).toEqual([10, 10, 20, 30, 40, 50]);
    expect(clock.waiting).toBe(0);
  });

  test('cancelled ones do not run and are let go, however many', () => {
    const clock = new ManualClock();
    const timers = new Timers(clock);
    const ran: string[] = [];
    const cancels = Array.from({ length: 5000 }, (_, i) =>
      timers.at(clock.now() + 1000 + (i % 7), () => ran.push('cancelled')),
    );
    timers.at(clock.now() + 2000, () => ran.push('kept'));
    for (const cancel of cancels) {
      cancel();
      cancel();
    }
    expect(timers.size).toBe(1);
    clock.advance(5000);
    expect(ran).toEqual(['kept']);
    expect(clock.waiting).toBe(0);
  });

  test('one that sets another for the same moment, and one that closes them all', () => {
    const clock = new ManualClock();
    const timers = new Timers(clock);
    const ran: string[] = [];
    timers.at(clock.now() + 10, () => {
      ran.push('first');
      timers.at(clock.now(), () => ran.push('second'));
    });
    timers.at(clock.now() + 20, () => timers.close());
    timers.at(clock.now() + 20, () => ran.push('never'));
    clock.advance(100);
    expect(ran).toEqual(['first', 'second']);
    timers.at(clock.now(), () => ran.push('never'));
    expect([timers.size, clock.waiting]).toEqual([0, 0]);
  });
});

test('waits end in time, when woken, and at once from the end on', async () => {
  const clock = new ManualClock();
  const waits = new Waits(clock);
  const ended: string[] = [];
  void waits.wait(100).then(() => ended.push('in time'));
  clock.advance(100);
  await setImmediate();
  void waits.wait(1000).then(() => ended.push('woken'));
  waits.wake();
  await setImmediate();
  void waits.wait(1000).then(() => ended.push('at the end'));
  waits.end();
  await waits.wait(1000);
  expect(ended).toEqual(['in time', 'woken', 'at the end']);
  expect(clock.waiting).toBe(0);
});

test('a queue keeps its order through thousands', () => {
  const queue = new Fifo<number>();
  const taken: (number | undefined)[] = [];
  for (let i = 0; i < 10_000; i += 1) {
    queue.push(i);
    if (i % 3 !== 0) taken.push(queue.shift());
  }
  let next = taken.length;
  expect(taken).toEqual(Array.from({ length: next }, (_, i) => i));
  expect(queue.first(3)).toEqual([next, next + 1, next + 2]);
  expect(queue.size).toBe(10_000 - next);
  while (queue.size > 0) expect(queue.shift()).toBe(next++);
  expect(queue.shift()).toBeUndefined();
});

describe('the writer', () => {
  const kept = (key: string): JournalRecord => ({ kind: 'kept', key, value: 1 });
  function writing(options: LastingOptions = {}): {
    journal: LastingJournal;
    writer: Writer;
    clock: ManualClock;
    sequence: { now: number };
  } {
    const clock = new ManualClock();
    const journal = new LastingJournal(options);
    const events = new EventRing('e', 0);
    const sequence = { now: 0 };
    const log = new LogBook({ write: () => undefined }, clock, events);
    const onCaughtUp = (): void => undefined;
    const writer = new Writer({ journal, clock, log, sequence: () => sequence.now, onCaughtUp });
    return { journal, writer, clock, sequence };
  }
  const keys = (journal: LastingJournal): string[] =>
    journal.records.flatMap((record) => (record.kind === 'kept' ? [record.key] : []));

  test('what was refused is written before what came later', async () => {
    const { journal, writer, clock } = writing();
    void writer.record([kept('1')]);
    await setImmediate();
    journal.failure = new Error('full');
    void writer.record([kept('2')]);
    void writer.record([kept('3')]);
    await setImmediate();
    void writer.record([kept('4')]);
    await setImmediate();
    journal.failure = undefined;
    clock.advance(1000);
    await setImmediate();
    void writer.record([kept('5')]);
    await setImmediate();
    expect(keys(journal)).toEqual(['1', '2', '3', '4', '5']);
  });

  test.each([true, false])(
    'says each time that a full journal takes messages again (at once: %s)',
    async (takesAtOnce) => {
      const { journal, clock } = writing({ takesAtOnce });
      const lines: string[] = [];
      const outside = { write: (...[, , text]: Parameters<Log['write']>) => void lines.push(text) };
      const log = new LogBook(outside, clock, new EventRing('e', 0));
      const writer = new Writer({ journal, clock, log, sequence: () => 0, onCaughtUp: () => undefined });
      for (const round of ['first', 'second']) {
        journal.failure = new JournalError('full', 'no room');
        await expect(writer.accept([kept(round)])).rejects.toThrow('no room');
        journal.failure = undefined;
        await writer.accept([kept(round)]);
        await setImmediate();
      }
      const fails = 'Writing to the journal fails: no room';
      const works = 'Writing to the journal works again.';
      expect(lines).toEqual([fails, works, fails, works]);
    },
  );

  test('a group that a new message makes too big goes without it', async () => {
    const { journal, writer } = writing();
    const first = writer.record([kept('1')]);
    const append = journal.append.bind(journal);
    journal.append = async (records) => {
      if (records.some((record) => record.kind === 'kept' && record.key === 'new'))
        throw new Error('no room');
      await append(records);
    };
    const accepted = writer.accept([kept('new')]);
    const second = writer.record([kept('2')]);
    await expect(accepted).rejects.toThrow('no room');
    await Promise.all([first, second]);
    expect(keys(journal)).toEqual(['1', '2']);
    expect(writer.trouble).toBeUndefined();
  });

  test('a journal that takes records at once has them in their order, and whoever waits hears of it afterwards', async () => {
    const { journal, writer } = writing({ takesAtOnce: true });
    const told: string[] = [];
    writer.later([kept('1')], () => {
      told.push('1');
      writer.later([kept('3')], () => told.push('3'));
    });
    expect(writer.accept([kept('2')])).toBeUndefined();
    expect([keys(journal), told]).toEqual([['1', '2'], []]);
    await setImmediate();
    expect([keys(journal), told]).toEqual([
      ['1', '2', '3'],
      ['1', '3'],
    ]);
    expect(await journal.lastSequence()).toBe(0);
  });

  test('what a journal refuses that takes records at once stays owed, in its order, and a new message is refused', async () => {
    const { journal, writer, clock } = writing({ takesAtOnce: true });
    const told: string[] = [];
    writer.later([kept('1')], () => told.push('1'));
    journal.failure = new Error('full');
    await expect(writer.accept([kept('new')])).rejects.toThrow('full');
    writer.later([kept('2')], () => told.push('2'));
    writer.later([kept('3')], () => told.push('3'));
    await setImmediate();
    expect(writer.trouble).toBe('full');
    await expect(writer.accept([kept('new')])).rejects.toThrow('full');
    journal.failure = undefined;
    writer.later([kept('4')], () => told.push('4'));
    clock.advance(1000);
    await setImmediate();
    writer.later([kept('5')], () => told.push('5'));
    await setImmediate();
    expect(keys(journal)).toEqual(['1', '2', '3', '4', '5']);
    expect([told, writer.trouble]).toEqual([['1', '2', '3', '4', '5'], undefined]);
  });

  test.each([false, true])(
    'the last number given to an event is written beside what it numbers: at once %s',
    async (takesAtOnce) => {
      const { journal, writer, sequence } = writing({ takesAtOnce });
      sequence.now = 41;
      await writer.record([kept('1')]);
      expect(await journal.lastSequence()).toBe(41);
    },
  );

  /** Groups as they were appended, without the sequence. */
  function lingering(): ReturnType<typeof writing> & { appends: string[][] } {
    const made = writing();
    const append = made.journal.append.bind(made.journal);
    const appends: string[][] = [];
    Object.assign(made.journal, {
      lingerMs: 5,
      append: async (records: readonly JournalRecord[]) => {
        await append(records);
        appends.push(records.flatMap((record) => (record.kind === 'kept' ? [record.key] : [])));
      },
    });
    return { ...made, appends };
  }

  test('where the journal lets records gather, they go with the next new message', async () => {
    const { writer, appends, clock } = lingering();
    const ends = [writer.record([kept('end 1')]), writer.record([kept('end 2')])];
    await setImmediate();
    expect(appends).toEqual([]);
    await writer.accept([kept('new')]);
    await Promise.all(ends);
    expect(appends).toEqual([['end 1', 'end 2', 'new']]);
    expect(clock.waiting).toBe(0);
  });

  test('those that come while a group is written gather too, and go a few milliseconds later', async () => {
    const { writer, appends, clock } = lingering();
    const accepted = writer.accept([kept('new')]);
    const end = writer.record([kept('end')]);
    await accepted;
    await setImmediate();
    expect(appends).toEqual([['new']]);
    clock.advance(4);
    await setImmediate();
    expect(appends).toHaveLength(1);
    clock.advance(1);
    await end;
    expect(appends).toEqual([['new'], ['end']]);
  });

  test('what a person does, and what is asked to be settled, waits for nothing', async () => {
    const { writer, appends } = lingering();
    void writer.record([kept('end')]);
    await writer.keep('settings', 1);
    expect(appends).toEqual([['end', 'settings']]);
    void writer.record([kept('other')]);
    await writer.settled();
    expect(appends).toEqual([['end', 'settings'], ['other']]);
  });

  test('a new message that the journal takes at once takes with it what gathered, whose waiters hear of it afterwards', async () => {
    const { journal, writer, clock } = writing({ lingers: true });
    await writer.accept([kept('first')]);
    await setImmediate();
    const told: string[] = [];
    writer.later([kept('end')], () => told.push('end'));
    expect(keys(journal)).toEqual(['first']);
    expect(writer.accept([kept('new')])).toBeUndefined();
    expect([keys(journal), told]).toEqual([['first', 'end', 'new'], []]);
    await setImmediate();
    expect([told, clock.waiting]).toEqual([['end'], 0]);
  });

  test('where the journal refuses what it takes at once, nothing is lost or written twice, and the message is refused', async () => {
    const { journal, writer, clock } = writing({ lingers: true });
    await writer.accept([kept('first')]);
    await setImmediate();
    const told: string[] = [];
    writer.later([kept('end')], () => told.push('end'));
    journal.failure = new Error('full');
    await expect(writer.accept([kept('new')])).rejects.toThrow('full');
    expect([keys(journal), told]).toEqual([['first'], []]);
    journal.failure = undefined;
    clock.advance(1000);
    await setImmediate();
    await setImmediate();
    expect([keys(journal), told]).toEqual([['first', 'end'], ['end']]);
  });

  test('messages that come at one moment share an append', async () => {
    const { writer, journal } = lingering();
    const appends: number[] = [];
    const append = journal.append.bind(journal);
    Object.assign(journal, {
      gather: (go: () => void) => void setImmediate().then(go),
      append: async (records: readonly JournalRecord[]) => {
        await append(records);
        appends.push(records.length);
      },
    });
    await Promise.all(['1', '2', '3'].map(async (key) => writer.accept([kept(key)])));
    expect(keys(journal)).toEqual(['1', '2', '3']);
    expect(appends).toHaveLength(1);
  });

  test('so many records do not gather', async () => {
    const { writer, appends } = lingering();
    for (let n = 0; n <= 500; n++) void writer.record([kept(String(n))]);
    await setImmediate();
    expect(appends).toHaveLength(1);
    expect(appends[0]).toHaveLength(501);
  });

  test('what gathers is written at the end', async () => {
    const { writer, appends } = lingering();
    void writer.record([kept('end')]);
    await writer.drain(0);
    await setImmediate();
    expect(appends).toEqual([['end']]);
  });

  test('after the drain a new message is refused, and nothing is tried again', async () => {
    const { journal, writer, clock } = writing();
    journal.failure = new Error('full');
    void writer.record([kept('1')]);
    await setImmediate();
    const drained = writer.drain(10);
    for (let i = 0; i < 5; i += 1) {
      clock.advance(5);
      await setImmediate();
    }
    await drained;
    await expect(writer.accept([kept('2')])).rejects.toMatchObject({ code: 'closed' });
    expect(clock.waiting).toBe(0);
  });
});

describe('the ring of events', () => {
  test('gives what was missed, or says that it no longer can', () => {
    const events = new EventRing('e', 7);
    events.onEvent(() => undefined);
    for (let i = 0; i < STREAM.ringEvents + 10; i += 1)
      events.add({ type: 'hold.changed', holdId: String(i) });
    expect(events.sequence).toBe(7 + STREAM.ringEvents + 10);
    expect(events.since(events.sequence, 10)).toEqual([]);
    expect(events.since(events.sequence - 2, 10)).toHaveLength(2);
    expect(events.since(17, 20_000)).toHaveLength(STREAM.ringEvents);
    expect(events.since(16, 10)).toBeUndefined();
    expect(events.since(events.sequence + 1, 10)).toBeUndefined();
  });

  test('makes no events where nobody listened or asked for as long as it is', () => {
    const events = new EventRing('e', 0);
    const row = { topic: '', contentType: '', deliveries: [] } as unknown as MessageRow;
    let made = 0;
    const pass = (count: number): void => {
      for (let i = 0; i < count; i += 1) {
        events.addRow(() => {
          made += 1;
          return row;
        });
      }
    };
    pass(STREAM.ringEvents + 5);
    expect(made).toBe(STREAM.ringEvents);
    expect(events.since(events.sequence - 1, 10)).toBeUndefined();
    // Whoever was told where to go on finds everything from there.
    const asked = events.sequence;
    pass(STREAM.ringEvents);
    expect(events.since(asked, STREAM.ringEvents)).toHaveLength(STREAM.ringEvents);
    const stop = events.onEvent(() => undefined);
    pass(STREAM.ringEvents + 5);
    expect(made).toBe(3 * STREAM.ringEvents + 5);
    stop();
    const left = events.sequence;
    pass(STREAM.ringEvents);
    expect(events.since(left, STREAM.ringEvents)).toHaveLength(STREAM.ringEvents);
  });

  test('an event that is read later says what was so when it happened', () => {
    const events = new EventRing('e', 0);
    events.onEvent(() => undefined);
    const delivery = {
      deliveryId: 'dlv_1',
      appId: 'app',
      message: { messageId: 'msg_1', row: { number: 1 } },
      state: 'retrying' as DeliveryState,
      attemptCount: 1,
      route: { path: '/orders' },
      dueMs: 1000 as number | undefined,
      lastDurationMs: 4,
      span: undefined,
      lastAnswer: { status: 503 },
      waits: true,
      subscription: { pubsubname: 'pubsub', topic: 'orders' },
      heldAt: undefined,
    };
    const change = (from: DeliveryState | null, rule: Transition['rule'], note?: string): void => {
      const sequence = events.reserve();
      const { state: to } = delivery;
      const more = note === undefined ? {} : { note };
      events.addChange(delivery, {
        from,
        to,
        at: `at ${sequence}`,
        sequence,
        cause: 'policy',
        rule,
        ...more,
      });
    };
    change('attempting', 'single.other', 'why');
    Object.assign(delivery, { state: 'processed', attemptCount: 2, dueMs: undefined, waits: false });
    change('retrying', 'single.2xx.empty');
    const [first, second] = events.since(0, 2)?.map((event) => event.read()) ?? [];
    expect(first).toEqual({
      type: 'delivery.changed',
      sequence: 1,
      messageId: 'msg_1',
      deliveryId: 'dlv_1',
      number: 1,
      attempts: 1,
      nextAttemptAt: '1970-01-01T00:00:01.000Z',
      transition: {
        from: 'attempting',
        to: 'retrying',
        at: 'at 1',
        sequence: 1,
        cause: 'policy',
        rule: 'single.other',
        note: 'why',
      },
      delivery: {
        deliveryId: 'dlv_1',
        appId: 'app',
        state: 'retrying',
        attempts: 1,
        route: '/orders',
        nextAttemptAt: '1970-01-01T00:00:01.000Z',
        lastDurationMs: 4,
        rule: 'single.other',
        lastAnswer: { status: 503 },
        waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
      },
    });
    expect(second).toMatchObject({
      attempts: 2,
      transition: { to: 'processed' },
      delivery: { state: 'processed' },
    });
    expect(second).not.toHaveProperty('delivery.waitsFor');
  });

  test('a place that is written over has nothing of the event before', () => {
    const events = new EventRing('e', 0);
    events.onEvent(() => undefined);
    events.add({ type: 'log.added', entry: { at: '', level: 'info', part: 'p', text: 'line' } });
    for (let i = 0; i < STREAM.ringEvents; i += 1) events.add({ type: 'hold.changed', holdId: `hld_${i}` });
    const [newest] = events.since(STREAM.ringEvents, 1) ?? [];
    expect(newest?.read()).toEqual({
      type: 'hold.changed',
      holdId: `hld_${STREAM.ringEvents - 1}`,
      sequence: STREAM.ringEvents + 1,
    });
  });

  test('keeps no more bytes than it may, however long the texts are', () => {
    const events = new EventRing('e', 0);
    const text = 'x'.repeat(1024 * 1024);
    for (let i = 0; i < 40; i += 1) {
      events.add({ type: 'log.added', entry: { at: '', level: 'info', part: 'p', text } });
    }
    const most = Math.floor(STREAM.ringBytes / text.length);
    expect(events.since(40 - most, 100)).toBeUndefined();
    expect(events.since(40 - most + 1, 100)).toHaveLength(most - 1);
  });
});

test('counters of topics that nobody uses any more are forgotten, open ones are not', () => {
  const clock = new ManualClock();
  const metrics = new Metrics(clock);
  metrics.accepted('pubsub', 'open');
  metrics.moved({ pubsubname: 'pubsub', topic: 'open', lane: 'l' }, null, 'held');
  for (let i = 0; i < 15_000; i += 1) {
    clock.advance(1);
    metrics.accepted('pubsub', `topic-${i}`);
  }
  const topics = metrics.topics();
  expect(topics.length).toBeLessThanOrEqual(10_000);
  expect(topics.some(({ topic }) => topic === 'open')).toBe(true);
  expect(topics.some(({ topic }) => topic === 'topic-0')).toBe(false);
  expect(topics.some(({ topic }) => topic === 'topic-14999')).toBe(true);
});
