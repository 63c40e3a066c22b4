/** Bulk delivery: what each answer of the app leads to. Conformance cases 100 to 104. */
import assert from 'node:assert/strict';
import { entriesOf, statuses } from '../suite/app.ts';
import type { Responding } from '../suite/app-answer.ts';
import {
  LIMITS,
  allSuccess,
  batches,
  bulk,
  byData,
  publishAll,
  success,
  untilCame,
} from '../suite/batches.ts';
import type { Case } from '../suite/case.ts';
import { entriesIn, nothingArrives, objectOf } from '../suite/checks.ts';
import { appSays, heardRetry, otherPath, twice } from '../suite/spoiler.ts';

/** Answers by which every entry comes again. */
const ALL_RETRIED: readonly (readonly [id: string, basis: 'S' | 'R', row: string, answer: Responding])[] = [
  ['102a', 'S', 'bulk.2xx.missing', { status: 200 }],
  ['102b', 'S', 'bulk.2xx.missing', { status: 200, body: '{}' }],
  ['102c', 'R', 'behaviour 6.3', { status: 200, body: '[]' }],
  ['102d', 'R', 'behaviour 6.3', { status: 200, body: 'thanks' }],
  ['102e', 'R', 'behaviour 6.3', { status: 200, body: '{"statuses":null}' }],
  ['102f', 'S', 'bulk.2xx.missing', { status: 200, body: '{"statuses":[]}' }],
  ['102g', 'R', 'behaviour 6.3', { status: 200, body: 'null' }],
  ['102h', 'S', 'bulk.2xx.missing', { status: 200, body: '{"statuses":[', cut: true }],
  [
    '102i',
    'S',
    'bulk.2xx.missing',
    { status: 200, headers: { 'content-encoding': 'gzip' }, body: '{"statuses":[]}' },
  ],
  ['104b', 'S', 'bulk.other', { status: 500 }],
  ['104c', 'S', 'bulk.other', { status: 400, body: '{"statuses":[]}' }],
  ['104d', 'R', 'bulk.other', { status: 302, headers: { location: '/elsewhere' } }],
];

const allRetried = ALL_RETRIED.map(([id, basis, row, answer]): Case => ({
  id,
  title: `${answer.status} ${String(answer.body ?? 'without a body')}${answer.cut === true ? ', cut off' : ''}: every entry comes again`,
  basis,
  rows: [row],
  subscriptions: bulk,
  run: async (context) => {
    context.app.script(context.path(), answer, success);
    await publishAll(context, ['a', 'b', 'c']);
    await untilCame(context, 6);
    await context.fence();
    assert.deepEqual(batches(context).flat().map(String).toSorted(), ['a', 'a', 'b', 'b', 'c', 'c']);
  },
  spoils: [allSuccess],
}));

/** Answers to one entry by which it comes again. */
const wordCases = (['', 'success', 'OK'] as const).map((word, at): Case => ({
  id: `103${'abc'.charAt(at)}`,
  title: `entry status ${JSON.stringify(word)}: it comes again`,
  basis: 'R',
  rows: ['behaviour 6.3'],
  subscriptions: bulk,
  run: async (context) => {
    context.app.script(
      context.path(),
      byData(() => word),
      success,
    );
    await publishAll(context, ['a']);
    await untilCame(context, 2);
  },
  spoils: [allSuccess],
}));

export const bulkAnswerCases: readonly Case[] = [
  {
    id: '100',
    title: 'SUCCESS, RETRY and DROP in one batch: only the RETRY entry comes again',
    basis: 'S',
    rows: ['bulk.2xx.success', 'bulk.2xx.retry', 'bulk.2xx.drop'],
    subscriptions: bulk,
    run: async (context) => {
      const words: Readonly<Record<string, string>> = { a: 'SUCCESS', b: 'RETRY', c: 'DROP' };
      context.app.script(
        context.path(),
        byData((data) => words[data]),
        success,
      );
      await publishAll(context, ['a', 'b', 'c']);
      await untilCame(context, 4);
      await context.fence();
      assert.deepEqual(batches(context).slice(1), [['b']]);
      const [first, second] = context.seen();
      const inFirst = entriesIn(first ?? assert.fail()).find((one) => objectOf(one['event'])['data'] === 'b');
      const inSecond = entriesIn(second ?? assert.fail())[0];
      assert.deepEqual(inSecond?.['event'], inFirst?.['event']);
    },
    spoils: [allSuccess, heardRetry, appSays({ status: 404 })],
  },
  {
    id: '100b',
    title: 'a DROP entry goes to the dead-letter topic, the others do not',
    basis: 'R',
    rows: ['behaviour 6.3'],
    subscriptions: (own) => [
      own.bulk('t', LIMITS, { deadLetterTopic: own.topic('dead') }),
      own.subscription('dead'),
    ],
    run: async (context) => {
      context.app.script(
        context.path(),
        byData((data) => (data === 'b' ? 'DROP' : 'SUCCESS')),
      );
      await publishAll(context, ['a', 'b', 'c']);
      await context.arrive(1, 'dead');
      await context.fence();
      assert.deepEqual(
        context.seen('dead').map((one) => one.json()['data']),
        ['b'],
      );
    },
    spoils: [allSuccess, otherPath],
  },
  {
    id: '100c',
    title: 'attempts used up: only the failed entry goes to the dead-letter topic',
    basis: 'R',
    rows: ['behaviour 6.3', 'behaviour 5.3'],
    subscriptions: (own) => [
      own.bulk('t', { maxMessagesCount: 3, maxAwaitDurationMs: 20 }, { deadLetterTopic: own.topic('dead') }),
      own.subscription('dead'),
    ],
    run: async (context) => {
      context.app.script(
        context.path(),
        byData((data) => (data === 'b' ? 'RETRY' : 'SUCCESS')),
      );
      await publishAll(context, ['a', 'b', 'c']);
      await context.arrive(1, 'dead');
      await context.fence();
      assert.deepEqual(
        context.seen('dead').map((one) => one.json()['data']),
        ['b'],
      );
      const times = batches(context)
        .flat()
        .filter((data) => data === 'b').length;
      assert.equal(times, context.running.maxAttempts);
    },
    spoils: [allSuccess, otherPath],
  },
  {
    id: '101a',
    title: 'an entry left out of the answer comes again, alone',
    basis: 'S',
    rows: ['bulk.2xx.missing'],
    subscriptions: bulk,
    run: async (context) => {
      context.app.script(
        context.path(),
        byData((data) => (data === 'b' ? undefined : 'SUCCESS')),
        success,
      );
      await publishAll(context, ['a', 'b', 'c']);
      await untilCame(context, 4);
      assert.deepEqual(batches(context).slice(1), [['b']]);
    },
    spoils: [allSuccess],
  },
  {
    id: '101b',
    title: 'an unknown entryId in the answer is ignored',
    basis: 'R',
    rows: ['behaviour 6.3'],
    subscriptions: bulk,
    run: async (context) => {
      context.app.script(context.path(), (delivery) =>
        statuses([['nobody', 'RETRY'], ...(entriesOf(delivery) ?? []).map((id) => [id, 'SUCCESS'] as const)]),
      );
      await publishAll(context, ['a', 'b', 'c']);
      await untilCame(context, 3);
      await context.fence();
      assert.equal(batches(context).flat().length, 3);
    },
    spoils: [heardRetry],
  },
  ...allRetried,
  ...wordCases,
  {
    id: '104a',
    title: '404: every entry dropped, none on the dead-letter topic',
    basis: 'S',
    rows: ['bulk.404', 'behaviour 6.3'],
    subscriptions: (own) => [
      own.bulk('t', LIMITS, { deadLetterTopic: own.topic('dead') }),
      own.subscription('dead'),
    ],
    run: async (context) => {
      context.app.script(context.path(), { status: 404 });
      await publishAll(context, ['a', 'b', 'c']);
      await untilCame(context, 3);
      await nothingArrives(context, 'dead');
      assert.equal(batches(context).flat().length, 3);
    },
    spoils: [heardRetry, twice],
  },
];
