/** A history of many finished messages, written straight into the journal's file: publishing as many would take minutes. */
import { createHash } from 'node:crypto';
import { openFile } from '../../core/adapters/sqlite-journal/open.ts';
import { opsOf, RecentWires } from '../../core/adapters/sqlite-journal/records.ts';
import type { Op } from '../../core/adapters/sqlite-journal/records.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { JournalRecord } from '../../core/ports/journal.ts';

const CALLS = 500;
const TOPICS = 20;
const FIRST_MS = Date.parse('2026-03-01T10:00:00.000Z');
/** Characters of an attempt's text that are compared to leave it out. */
const RECENT = 1_000_000;

/** Writes messages 1 to `count`, each with one delivery, its attempt and three transitions. Gives the seconds it took. */
export function fillJournal(folder: string, count: number): number {
  const from = performance.now();
  const { db, tables } = openFile({ folder, sync: 'normal', ballastBytes: 0, now: Date.now });
  const recent = new RecentWires(RECENT);
  for (let first = 1; first <= count; first += CALLS) {
    const calls: Op[][] = [];
    for (let number = first; number < first + CALLS && number <= count; number++)
      calls.push(opsOf(recordsOf(number), recent));
    const failed = tables.write(calls).find((error) => error !== undefined);
    if (failed !== undefined) throw new Error('the file could not be filled', { cause: failed });
  }
  tables.write([[['sequence', count * 4]]]);
  tables.markClean(true);
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  db.close();
  return (performance.now() - from) / 1000;
}

/** 989 of 1,000 messages are processed, 10 dropped, 1 parked. */
function stateOf(number: number): DeliveryState {
  if (number % 1000 === 0) return 'parked';
  return number % 100 === 1 ? 'dropped' : 'processed';
}

/** As the product gives one to an event that has none: what comes one after the other lies anywhere in an index. */
export function eventIdOf(number: number): string {
  const digits = createHash('md5').update(String(number)).digest('hex');
  const from = (start: number, end: number): string => digits.slice(start, end);
  return `${from(0, 8)}-${from(8, 12)}-4${from(13, 16)}-a${from(17, 20)}-${from(20, 32)}`;
}

function recordsOf(number: number): JournalRecord[] {
  const hex = (value: number): string => value.toString(16).padStart(12, '0');
  const idEnd = hex(FIRST_MS + number * 10) + hex(number);
  const messageId = `msg_${idEnd}`;
  const deliveryId = `dlv_${idEnd}`;
  const eventId = eventIdOf(number);
  const topic = `t${number % TOPICS}`;
  const at = (ms: number): string => new Date(FIRST_MS + number * 10 + ms).toISOString();
  const wire = JSON.stringify({
    specversion: '1.0',
    id: eventId,
    source: 'shop',
    type: 'com.example.order.changed',
    datacontenttype: 'application/json',
    pubsubname: 'pubsub',
    topic,
    time: at(0),
    data: {
      orderId: number,
      total: number % 1000,
      customer: `customer ${number % 5000}`,
      note: number % 50_000 === 7 ? 'a needle in the hay' : 'nothing of note',
      lines: [{ sku: `sku-${number % 300}`, count: 1 + (number % 9) }],
    },
  });
  const state = stateOf(number);
  const delivery = {
    deliveryId,
    messageId,
    appId: 'app',
    subscription: { pubsubname: 'pubsub', topic, source: 'programmatic' as const },
    route: { path: `/${topic}` },
    maxAttempts: 10,
    attemptCount: 1,
    roundStart: 0,
  };
  const sequence = number * 4;
  const word = state === 'processed' ? 'SUCCESS' : state === 'dropped' ? 'DROP' : 'RETRY';
  return [
    {
      kind: 'message.accepted',
      message: {
        row: {
          messageId,
          number,
          at: at(0),
          pubsubname: 'pubsub',
          topic,
          appId: 'app',
          source: 'http',
          eventId,
          eventType: 'com.example.order.changed',
          contentType: 'application/json',
          sizeBytes: wire.length,
          raw: false,
          deliveries: [],
        },
        wire,
        metadata: {},
        givenContentType: 'application/json',
      },
    },
    {
      kind: 'delivery',
      delivery: { ...delivery, state: 'queued', attemptCount: 0 },
      transition: { from: null, to: 'queued', at: at(1), sequence, cause: 'policy', rule: 'policy.accepted' },
    },
    { kind: 'message.published', messageId },
    {
      kind: 'delivery',
      delivery: { ...delivery, state: 'attempting' },
      transition: {
        from: 'queued',
        to: 'attempting',
        at: at(2),
        sequence: sequence + 1,
        cause: 'policy',
        rule: 'policy.attempt',
      },
    },
    {
      kind: 'delivery',
      delivery: { ...delivery, state, lastDurationMs: 3, lastAnswer: { status: 200, word } },
      transition: {
        from: 'attempting',
        to: state,
        at: at(5),
        sequence: sequence + 2,
        cause: state === 'parked' ? 'policy' : 'app',
        rule: state === 'parked' ? 'policy.exhausted' : 'single.2xx.success',
      },
      attempt: {
        attemptId: `att_${number}`,
        number: 1,
        startedAt: at(2),
        endedAt: at(5),
        durationMs: 3,
        request: {
          method: 'POST',
          url: `http://127.0.0.1:6001/${topic}`,
          headers: { 'content-type': 'application/cloudevents+json' },
          body: wire,
        },
        response: {
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ status: word }),
        },
      },
    },
  ];
}
