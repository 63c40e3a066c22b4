/** Odd replies of a gRPC app to a batch, as bytes. Cases G66b to G66d. */
import assert from 'node:assert/strict';
import type { Case, Context, Own, WireSubscription } from '../suite/case.ts';
import { accepted, listOf, objectOf } from '../suite/checks.ts';
import type { Delivery } from '../suite/deliveries.ts';
import { lost, twice } from '../suite/spoiler.ts';

/** The bytes of a reply to a batch whose only entry has this id. */
type Reply = (id: readonly number[]) => readonly number[];

const RETRY = [0x10, 1];
const DROP = [0x10, 2];
/** A field of the reply with these bytes as its content: an entry. */
const entry = (...bytes: readonly number[]): number[] => [
  0x0a,
  ...(bytes.length < 128 ? [bytes.length] : [(bytes.length & 127) | 128, bytes.length >> 7]),
  ...bytes,
];
const MINUS_ONE = [0x10, ...Array.from({ length: 9 }, () => 0xff), 1];

const READ: readonly (readonly [string, Reply])[] = [
  ['no status', (id) => entry(...id)],
  ['the status before the id', (id) => entry(...DROP, ...id)],
  ['a status of which 32 bits count', (id) => entry(...id, 0x10, 0x82, 0x80, 0x80, 0x80, 0x10)],
  ['two ids and two statuses in one entry', (id) => entry(0x0a, 1, 0x62, ...RETRY, ...id, ...DROP)],
  ['a status as a text', (id) => entry(...id, 0x12, 1, 0x31)],
  ['a status in four bytes', (id) => entry(...id, 0x15, 1, 0, 0, 0)],
  ['fields that are not known', (id) => [0x12, 1, 0xff, ...entry(...id, 0x1a, 1, 0xff), 0x18, 5]],
  ['entries as a number', (id) => [8, 1, ...entry(...id)]],
  ['an entry without a byte beside it', (id) => [...entry(), ...entry(...id)]],
  ['an id that was not sent beside it', (id) => [...entry(...id), ...entry(0x0a, 1, 0x62, ...DROP)]],
];

const RETRIED: readonly (readonly [string, Reply])[] = [
  ['no byte', () => []],
  ['a status without a word', (id) => entry(...id, 0x10, 7)],
  ['a negative status', (id) => entry(...id, ...MINUS_ONE)],
  ['another id last', (id) => entry(...id, 0x0a, 1, 0x62)],
  ['an id as a number', () => entry(8, 0x61, ...DROP)],
  ['an entry that is cut off', (id) => entry(...id).with(1, 100)],
  ['an id that is not UTF-8', () => entry(0x0a, 1, 0xff)],
  ['an entry, and then one that is not UTF-8', (id) => [...entry(...id), ...entry(0x0a, 1, 0xff)]],
  ['half a status', (id) => entry(...id, 0x10)],
  ['a field without a number', (id) => entry(...id, 0, 0)],
  ['a group that goes beyond its entry', (id) => [...entry(...id, 0x23), 0x24]],
  ['an entry, and then half a tag', (id) => [...entry(...id), 0xff]],
  ['JSON', () => [...Buffer.from('{"statuses":[]}')]],
  ['SUCCESS, and RETRY behind it', (id) => [...entry(...id), ...entry(...id, ...RETRY)]],
];

const TWICE: readonly (readonly [string, Reply])[] = [
  ['RETRY, and SUCCESS behind it', (id) => [...entry(...id, ...RETRY), ...entry(...id)]],
  ['DROP, and SUCCESS behind it', (id) => [...entry(...id, ...DROP), ...entry(...id)]],
];

const topicOf = (place: number): string => `t${place}`;

/** The id of the batch's only entry, as a field. */
function idOf(delivery: Delivery): readonly number[] {
  const [first] = listOf(delivery.json()['entries']);
  const bytes = Buffer.from(first === undefined ? '' : String(objectOf(first)['entry_id']));
  return [0x0a, bytes.length, ...bytes];
}

/** Publishes one message for each reply, and gives how often the app was called for each. */
async function calls(
  context: Context,
  replies: readonly (readonly [string, Reply])[],
  most: number,
): Promise<Readonly<Record<string, number>>> {
  for (const [place, [, reply]] of replies.entries()) {
    context.app.script(context.path(topicOf(place)), (delivery) => ({
      status: 200,
      body: Uint8Array.from(reply(idOf(delivery))),
    }));
  }
  for (const place of replies.keys())
    accepted(await context.sidecar.publish(context.topic(topicOf(place)), 'hi'));
  for (const place of replies.keys()) await context.arrive(most, topicOf(place));
  await context.fence();
  return Object.fromEntries(
    replies.map(([name], place) => [name, context.seen(topicOf(place)).length] as const),
  );
}

function caseOf(
  id: string,
  title: string,
  replies: readonly (readonly [string, Reply])[],
  more: Pick<Case, 'basis' | 'spoils'> & {
    readonly most: (context: Context) => number;
    /** How many copies a dead-letter topic gets; absent: the subscriptions have none. */
    readonly dead?: number;
  },
): Case {
  const { most, dead, ...rest } = more;
  return {
    id,
    title,
    rows: ['grpc.bulk-delivery'],
    ...rest,
    subscriptions: (own: Own): readonly WireSubscription[] => {
      const limits = { maxMessagesCount: 1, maxAwaitDurationMs: 50 };
      const deadLetter = dead === undefined ? {} : { deadLetterTopic: own.topic('dead') };
      const all = replies.map((_, place) => own.bulk(topicOf(place), limits, deadLetter));
      return dead === undefined ? all : [...all, own.subscription('dead')];
    },
    run: async (context) => {
      const times = most(context);
      const expected = Object.fromEntries(replies.map(([name]) => [name, times]));
      assert.deepEqual(await calls(context, replies, times), expected);
      if (dead === undefined) return;
      if (dead > 0) await context.arrive(dead, 'dead');
      assert.equal(context.seen('dead').length, dead);
    },
  };
}

export const grpcBatchReplyCases: readonly Case[] = [
  caseOf('G66b', 'odd replies to a batch that say how its entry went: one call', READ, {
    basis: 'R',
    most: () => 1,
    spoils: [lost, twice],
  }),
  caseOf(
    'G66c',
    'replies to a batch that do not say it, or are no message: tried again to the end',
    RETRIED,
    {
      basis: 'R',
      most: ({ running }) => running.maxAttempts,
      // Without a dead-letter topic the memory component of 1.13 hands a message over again, ten times in all.
      dead: RETRIED.length,
      spoils: [
        {
          name: 'the sidecar hears SUCCESS',
          answered: (said, { headers }) =>
            String(headers[':method']).startsWith('OnBulk') ? { status: 200 } : said,
        },
      ],
    },
  ),
  caseOf('G66d', 'an entry that is named twice: the last status counts', TWICE, {
    basis: 'Take',
    most: () => 1,
    dead: 0,
    spoils: [lost, twice],
  }),
];
