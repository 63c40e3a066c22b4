/** Batches over the real ring: every event is in exactly one of them. */
import { expect, test } from 'vitest';
import { Batcher } from '../../core/console/stream/batcher.ts';
import type { MessageRow, Transition } from '../../core/contract/message.ts';
import { STREAM } from '../../core/contract/stream-bounds.ts';
import type { StoredDelivery } from '../../core/ports/journal.ts';
import { EventRing } from '../../core/runtime/telemetry/event-ring.ts';
import { ManualClock } from '../support/manual-clock.ts';

const row = { topic: '', contentType: '', deliveries: [] } as unknown as MessageRow;
const delivery = { messageId: 'msg_1', deliveryId: 'dlv_1' } as unknown as StoredDelivery;

function transitionOf(sequence: number): Transition {
  return { from: null, to: 'queued', at: '', sequence, cause: 'policy', rule: 'policy.accepted' };
}

interface Stand {
  readonly events: EventRing;
  readonly clock: ManualClock;
  readonly batcher: Batcher;
  /** Numbers of the events that the batches had, in their order. */
  readonly numbers: readonly number[];
  readonly leave: () => void;
}

function stand(): Stand {
  const events = new EventRing('e', 0);
  const clock = new ManualClock();
  const batcher = new Batcher(events, clock);
  const numbers: number[] = [];
  const leave = batcher.listen((batch) => batcher.visit(batch, ({ sequence }) => numbers.push(sequence)));
  return { events, clock, batcher, numbers, leave };
}

function upTo(last: number): readonly number[] {
  return Array.from({ length: last }, (_, place) => place + 1);
}

test('events of every kind are in batches once each, whatever fills them', () => {
  const { events, clock, numbers } = stand();
  for (let turn = 0; turn < 5 * STREAM.batchEvents; turn += 1) {
    if (turn % 7 === 0)
      events.add({
        type: 'log.added',
        entry: { at: '', level: 'info', part: 'p', text: 'x'.repeat(turn % 900) },
      });
    else if (turn % 3 === 0) events.addRow(1, () => row);
    else events.addChange(1, delivery, transitionOf(events.reserve()));
    if (turn % 611 === 0) clock.advance(STREAM.batchMs);
  }
  clock.advance(STREAM.batchMs);
  expect(numbers).toEqual(upTo(events.sequence));
});

test('an event that comes between a reserved number and its event is in a batch, and so is that one', () => {
  for (const fill of [0, STREAM.batchEvents - 2, STREAM.batchEvents - 1]) {
    const { events, clock, batcher, numbers } = stand();
    for (let n = 0; n < fill; n += 1) events.addRow(1, () => row);
    const reserved = events.reserve();
    events.add({ type: 'hold.changed', holdId: 'hld_1' });
    batcher.flush();
    expect(numbers).not.toContain(reserved + 1);
    events.addChange(1, delivery, transitionOf(reserved));
    events.addRow(1, () => row);
    clock.advance(STREAM.batchMs);
    expect(numbers).toEqual(upTo(events.sequence));
  }
});

test('events that came while nobody listened are in no batch, and later ones are whole', () => {
  const { events, clock, batcher, numbers, leave } = stand();
  events.addRow(1, () => row);
  clock.advance(STREAM.batchMs);
  leave();
  for (let n = 0; n < STREAM.ringEvents + 17; n += 1) events.addRow(1, () => row);
  const from = events.sequence;
  const types: string[] = [];
  batcher.listen((batch) => batcher.visit(batch, ({ type }) => types.push(type)));
  events.addChange(1, delivery, transitionOf(events.reserve()));
  clock.advance(STREAM.batchMs);
  expect(numbers).toEqual([1]);
  expect(batcher.sentTo).toBe(from + 1);
  expect(types).toEqual(['delivery.changed']);
});
