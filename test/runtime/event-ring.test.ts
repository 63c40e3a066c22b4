/** The ring of the newest events. */
import { describe, expect, test } from 'vitest';
import type { DeliveryState, RuleId } from '../../core/contract/delivery.ts';
import type { MessageRow, Transition } from '../../core/contract/message.ts';
import { STREAM } from '../../core/contract/stream-bounds.ts';
import type { StoredDelivery } from '../../core/ports/journal.ts';
import type { EventWatch } from '../../core/runtime/api.ts';
import { EventRing } from '../../core/runtime/telemetry/event-ring.ts';

function watchOf(more: Partial<EventWatch> = {}): EventWatch {
  return { dueAt: Infinity, dueBytes: Infinity, due: () => undefined, counted: () => undefined, ...more };
}

const rowOf = (number: number): MessageRow =>
  ({ number, messageId: `m${number}`, topic: '', contentType: '', deliveries: [] }) as unknown as MessageRow;

describe('the ring of events', () => {
  test('the ring returns missed events, or undefined if it has lost some', () => {
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

  test('what events say is given up, oldest first, up to the first about another message', () => {
    const events = new EventRing('e', 0);
    events.watch(watchOf());
    const givenUp = (): readonly number[] => {
      const numbers: number[] = [];
      for (let at = events.oldest; at <= events.sequence; at += 1)
        if (events.at(at)?.isGivenUp === true) numbers.push(at);
      return numbers;
    };
    for (let n = 1; n <= STREAM.ringEvents; n += 1) events.addRow(n, () => rowOf(n));
    events.giveUp(5);
    // A client that asked for missed events may do so again.
    expect(givenUp()).toEqual([]);
    events.add({ type: 'hold.changed', holdId: 'hld_1' });
    const from = events.oldest;
    events.giveUp(from + 3);
    expect(givenUp()).toEqual([from, from + 1, from + 2]);
    expect(events.at(from)).toMatchObject({ number: from, messageId: `m${from}`, type: 'message.added' });
    expect(() => events.at(from)?.read()).toThrow('has no event');
    events.giveUp(from);
    expect(givenUp()).toHaveLength(3);
    events.giveUp(Infinity);
    expect(givenUp()).toHaveLength(STREAM.ringEvents - 1);
    expect(events.since(events.sequence - 2, 10)).toBeUndefined();
    for (let n = 1; n <= 3; n += 1) events.addRow(n, () => rowOf(n));
    expect(events.since(events.sequence - 3, 10)).toHaveLength(3);
    expect(events.at(events.sequence)?.read()).toMatchObject({ row: { number: 3 } });
  });

  test('the ring builds no events if no client listened or asked during a whole ring', () => {
    const events = new EventRing('e', 0);
    const row = { topic: '', contentType: '', deliveries: [] } as unknown as MessageRow;
    let made = 0;
    const pass = (count: number): void => {
      for (let i = 0; i < count; i += 1) {
        events.addRow(1, () => {
          made += 1;
          return row;
        });
      }
    };
    pass(STREAM.ringEvents + 5);
    expect(made).toBe(STREAM.ringEvents);
    expect(events.since(events.sequence - 1, 10)).toBeUndefined();
    // A client that got the number of the last event finds all later ones.
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

  test('an event read later has the state of its time', () => {
    const events = new EventRing('e', 0);
    events.onEvent(() => undefined);
    const before: StoredDelivery = {
      deliveryId: 'dlv_1',
      messageId: 'msg_1',
      appId: 'app',
      subscription: { pubsubname: 'pubsub', topic: 'orders', source: 'programmatic' },
      state: 'retrying',
      attemptCount: 1,
      roundStart: 0,
      maxAttempts: 3,
      route: { path: '/orders' },
      nextAttemptAt: '1970-01-01T00:00:01.000Z',
      lastDurationMs: 4,
      lastAnswer: { status: 503 },
      rule: 'single.other',
      waitsFor: { pubsubname: 'pubsub', topic: 'orders' },
      changedWire: new Uint8Array(8),
      headers: { traceparent: 'x' },
    };
    const { nextAttemptAt: _due, waitsFor: _awaited, ...rest } = before;
    const after: StoredDelivery = { ...rest, state: 'processed', attemptCount: 2, rule: 'single.2xx.empty' };
    const change = (delivery: StoredDelivery, from: DeliveryState, rule: RuleId, note?: string): void => {
      const sequence = events.reserve();
      const { state: to } = delivery;
      const more = note === undefined ? {} : { note };
      const at = `at ${sequence}`;
      events.addChange(1, delivery, { from, to, at, sequence, cause: 'policy', rule, ...more });
    };
    change(before, 'attempting', 'single.other', 'why');
    change(after, 'retrying', 'single.2xx.empty');
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

  test('one who watches is called with the event that is due, finds all before it, and is not called for them', () => {
    const events = new EventRing('e', 0);
    const row = { topic: '', contentType: '', deliveries: [] } as unknown as MessageRow;
    const called: number[] = [];
    const watch = watchOf({ dueAt: 1, due: (number) => void called.push(number) });
    const stop = events.watch(watch);
    events.addRow(1, () => row);
    expect(called).toEqual([1]);
    for (const dueAt of [3, 200]) {
      watch.dueAt = dueAt;
      while (events.sequence < dueAt - 1) events.addRow(1, () => row);
      expect(called.at(-1)).toBeLessThan(dueAt);
      events.add({ type: 'hold.changed', holdId: 'hld_1' });
      expect(called.at(-1)).toBe(dueAt);
    }
    expect(events.since(0, 500)?.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 200 }, (_, place) => place + 1),
    );
    stop();
    watch.dueAt = 0;
    events.addRow(1, () => row);
    expect(called).toHaveLength(3);
  });

  describe('events about messages from a number on are counted only', () => {
    const filled = (): EventRing => {
      const events = new EventRing('e', 0);
      const stop = events.watch(watchOf());
      for (let n = 0; n <= STREAM.ringEvents; n += 1) events.addRow(1, () => rowOf(1));
      stop();
      for (let n = 0; n <= STREAM.ringEvents; n += 1) events.add({ type: 'hold.changed', holdId: 'hld_1' });
      return events;
    };
    const change = (events: EventRing, number: number): void =>
      events.addChange(number, delivery, {
        ...({} as Transition),
        sequence: events.reserve(),
      });
    const delivery = { messageId: 'm', deliveryId: 'd' } as unknown as StoredDelivery;

    test('who watches is called at the event that is due, and with the messages that are new', () => {
      const events = filled();
      const called: number[] = [];
      const counted: number[] = [];
      events.watch(
        watchOf({
          dueAt: events.sequence + 3,
          due: (number) => void called.push(number),
          counted: (number) => void counted.push(number),
        }),
      );
      expect(events.countFrom(10)).toBe(true);
      const before = events.sequence;
      events.addRow(10, () => rowOf(10));
      change(events, 11);
      change(events, 9);
      events.addRow(9, () => rowOf(9));
      expect(events.published).toBe(before + 4);
      expect(counted).toEqual([10]);
      expect(called).toEqual([before + 3, before + 4]);
      const numbers = [1, 2, 3, 4].map((at) => events.at(before + at)?.number);
      expect(numbers).toEqual([undefined, undefined, 9, 9]);
      expect(events.since(before + 2, 10)).toHaveLength(2);
      expect(events.since(before, 10)).toBeUndefined();
    });

    test.each<[string, (events: EventRing) => unknown]>([
      ['another one watches', (events) => events.watch(watchOf())],
      ['one listens', (events) => events.onEvent(() => undefined)],
      ['a client asks for what it missed', (events) => events.since(events.sequence, 10)],
    ])('none any more once %s', (_, joins) => {
      const events = filled();
      events.watch(watchOf());
      expect(events.countFrom(1)).toBe(true);
      joins(events);
      events.addRow(10, () => rowOf(10));
      expect(events.at(events.sequence)?.number).toBe(10);
      expect(events.countFrom(1)).toBe(false);
      events.addRow(11, () => rowOf(11));
      expect(events.at(events.sequence)?.number).toBe(11);
    });

    test('the ring goes on as if it had them', () => {
      const events = filled();
      events.watch(watchOf());
      events.addRow(1, () => rowOf(1));
      const kept = events.sequence;
      events.countFrom(2);
      for (let n = 0; n < STREAM.ringEvents; n += 1) change(events, 2);
      expect(events.oldest).toBe(events.sequence - STREAM.ringEvents + 1);
      expect(kept).toBeLessThan(events.oldest);
    });
  });

  test('one who watches is called when there are many bytes of events', () => {
    const events = new EventRing('e', 0);
    const called: number[] = [];
    events.watch(watchOf({ dueBytes: 3000, due: (number) => void called.push(number) }));
    const entry = { at: '', level: 'info', part: 'p', text: 'x'.repeat(1000) } as const;
    for (let i = 0; i < 3; i += 1) events.add({ type: 'log.added', entry });
    expect(called).toEqual([3]);
  });

  test('an overwritten slot has nothing of the old event', () => {
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

  test('the ring keeps to its limit of bytes, however long the texts are', () => {
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
