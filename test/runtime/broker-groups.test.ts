/** Messages that a lost group has not received: separate from those that it was never meant to get, and those that others have. */
import { beforeEach, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { Settings } from '../../core/host/settings.ts';
import { BrokerGroups, MAX_GROUPS } from '../../core/runtime/apps/broker-groups.ts';
import { Writer } from '../../core/runtime/persistence/writer.ts';
import { Backlog } from '../../core/runtime/state/backlog.ts';
import { LiveSet } from '../../core/runtime/state/live-set.ts';
import { LogBook } from '../../core/runtime/telemetry/log-book.ts';
import { EventRing } from '../../core/runtime/telemetry/event-ring.ts';
import { accepted, changed, delivered, finished, published } from '../adapters/journal-records.ts';
import { LastingJournal } from '../support/lasting-journal.ts';
import { ManualClock } from '../support/manual-clock.ts';

const mail = { appId: 'mail', pubsubname: 'pubsub', topic: 'orders' };
const other = { ...mail, appId: 'other' };
const broker = { id: '1' };

let journal: LastingJournal;
beforeEach(() => {
  journal = new LastingJournal();
});

/** Starts the groups as a run of the runtime does that begins after that many messages. */
function started(lastNumber = 0): BrokerGroups {
  const clock = new ManualClock();
  const log = new LogBook({ write: () => undefined }, clock, new EventRing('e', 0));
  const writer = new Writer({ journal, clock, log, sequence: () => 0, onCaughtUp: () => undefined });
  const parts = { settings: new Settings(new Map(), new Map()) };
  const backlog = new Backlog({ ...parts, memoryBytes: Infinity, journalBytes: undefined });
  const live = new LiveSet({ journal, codec: bufferCodec, backlog });
  const groups = new BrokerGroups({ journal, clock, live, writer });
  groups.continueFrom(lastNumber);
  return groups;
}

test('later runs know a group and where the history began for it, until its broker is gone', async () => {
  await journal.append([...finished(1), ...finished(2)]);
  const first = started(2);
  expect(await first.since(mail)).toBeUndefined();
  // Published before it subscribed, in this run: the broker has it for the group.
  await journal.append([accepted(3), published(3)]);
  await first.note(mail);
  const second = started(3);
  expect(await second.since(mail)).toBe(2);
  expect(await second.neverReceived(mail, 2)).toEqual(['msg_3']);
  expect(await second.since(other)).toBeUndefined();
  await second.forget(mail);
  expect(await started().since(mail)).toBeUndefined();
});

test('a group never received the messages that the broker accepted and no app got', async () => {
  const on = (topic: string): { readonly row: { readonly topic: string } } => ({ row: { topic } });
  await journal.append([
    // Before it began.
    ...[accepted(1), published(1)],
    // Delivered to no app.
    ...[accepted(2), published(2)],
    // Had by it.
    ...finished(3),
    // Had by another app, out of the broker.
    ...[
      accepted(4, { row: { broker } }),
      published(4),
      delivered(4, 'processed', { delivery: { appId: 'x' } }),
    ],
    // Had by another app, out of the history.
    ...[accepted(5), published(5), delivered(5, 'processed', { delivery: { appId: 'x' } })],
    // Messages of another topic, of a topic that only looks the same, and of another component.
    ...[accepted(6, on('bills')), published(6)],
    ...[accepted(7, on('Orders')), published(7)],
    ...[accepted(8, { row: { pubsubname: 'y' } }), published(8)],
    // Never reached the broker.
    ...[accepted(9), changed(9, { stage: 'refused' }), published(9)],
    ...[accepted(10), published(10)],
    // Replayed to another app alone; given to it, and not yet.
    ...[
      accepted(11, { row: { replayTo: 'x' } }),
      published(11),
      delivered(11, 'processed', { delivery: { appId: 'x' } }),
    ],
    ...[accepted(12, { row: { replayTo: 'x' } }), published(12)],
    // The message waits for another app that was not discovered yet, and for this one.
    ...[accepted(13), changed(13, { stage: 'waiting', waitingFor: ['x'] }), published(13)],
    ...[accepted(14), changed(14, { stage: 'waiting', waitingFor: ['mail'] }), published(14)],
  ]);
  expect(await started().neverReceived(mail, 1)).toEqual(['msg_2', 'msg_4', 'msg_5', 'msg_10', 'msg_13']);
});

test('the messages that a group never received are found in all of a long history', async () => {
  for (let number = 1; number <= 2_500; number += 1)
    await journal.append(number % 500 === 0 ? [accepted(number), published(number)] : finished(number));
  expect(await started().neverReceived(mail, 500)).toEqual(['msg_1000', 'msg_1500', 'msg_2000', 'msg_2500']);
});

test('notes of many subscriptions at the same time are one write or two, and the least used of too many groups are forgotten', async () => {
  const topicOf = (n: number): typeof mail => ({ ...mail, topic: `t${n}` });
  const first = started(7);
  const some = Array.from({ length: 1_000 }, (_, n) => n);
  await Promise.all(some.map(async (n) => first.note(topicOf(n))));
  expect(journal.records.filter(({ kind }) => kind === 'kept').length).toBeLessThanOrEqual(2);
  expect(await started().since(topicOf(999))).toBe(7);

  const second = started(8);
  expect(await second.since(topicOf(0))).toBe(7);
  const more = Array.from({ length: MAX_GROUPS }, (_, n) => 1_000 + n);
  await Promise.all(more.slice(999).map(async (n) => second.note(topicOf(n))));
  const third = started();
  expect(await third.since(topicOf(0))).toBe(7);
  expect(await third.since(topicOf(1))).toBeUndefined();
  expect(await third.since(topicOf(MAX_GROUPS + 999))).toBe(8);
  expect(Object.keys(Object(await journal.kept('broker-groups')))).toHaveLength(MAX_GROUPS);
});

test('names of thousands of characters count by their length', async () => {
  const topicOf = (n: number): typeof mail => ({ ...mail, topic: `${n}${'x'.repeat(50_000)}` });
  const groups = started(1);
  for (let n = 0; n < 100; n += 1) await groups.note(topicOf(n));
  const kept = JSON.stringify(await journal.kept('broker-groups'));
  expect(kept.length).toBeLessThan(4.3 * 1024 * 1024);
  expect(await started().since(topicOf(99))).toBe(1);
  expect(await started().since(topicOf(0))).toBeUndefined();
});
