/** The language of `match`. Behaviour 4.4; conformance case 70. */
import assert from 'node:assert/strict';
import type { Case } from '../suite/case.ts';
import { accepted, objectOf } from '../suite/checks.ts';
import { dataAt, publishJson, publishType, routed } from '../suite/routes.ts';
import { otherDelivery, otherPath } from '../suite/spoiler.ts';

export const matchCases: readonly Case[] = [
  {
    id: '70a',
    title: 'numbers compare without a cast',
    basis: 'R',
    rows: ['behaviour 4.4'],
    subscriptions: routed([['event.data.amount > 100', 'a']], 'def'),
    run: async (context) => {
      await publishJson(context, { amount: 150 });
      await publishJson(context, { amount: 50 });
      await context.arrive(1, 'a');
      await context.arrive(1, 'def');
      assert.deepEqual(dataAt(context, 'a'), [{ amount: 150 }]);
    },
    spoils: [otherPath, otherDelivery('150', '50')],
  },
  ...(
    [
      ['event.data.v == 9007199254740993', '9007199254740992', '9007199254740994', 'a number beyond 2^53'],
      ['event.data.v in [9007199254740993]', '9007199254740993', '9007199254740994', 'one in a list'],
      ['string(event.data.v) == "1.234567e+06"', '1234567', '7654321', 'the text of a number'],
      ['event.data.v == "\ufffd"', '"\\ud800"', '"\\ud83d\\ude00"', 'half a surrogate'],
    ] as const
  ).map(([rule, yes, no, what], at): Case => ({
    id: `70${'mnop'.charAt(at)}`,
    title: `${what} is read as the reference reads it`,
    basis: 'R',
    rows: ['behaviour 4.4'],
    subscriptions: routed([[rule, 'a']], 'def'),
    run: async (context) => {
      for (const v of [yes, no])
        accepted(
          await context.sidecar.publish(context.topic(), `{"v":${v},"is":"${v === yes ? 'yes' : 'no'}"}`, {
            contentType: 'application/json',
          }),
        );
      await context.arrive(1, 'a');
      await context.arrive(1, 'def');
      const found = (name: string): readonly unknown[] =>
        context.seen(name).map((delivery) => objectOf(delivery.json()['data'])['is']);
      assert.deepEqual([found('a'), found('def')], [['yes'], ['no']]);
    },
    spoils: [otherPath, otherDelivery('"is":"yes"', '"is":"no"')],
  })),
  ...(['order:created', 'ns/type', 'package', 'order.2024', 'event.created', '123'] as const).map(
    (type, at): Case => ({
      id: `65${'bcdefg'.charAt(at)}`,
      title: `event.type == ${type} without quotes compares with that text`,
      basis: 'S',
      rows: ['discovery.rules.match'],
      subscriptions: routed([[`event.type == ${type}`, 'a']], 'def'),
      run: async (context) => {
        await publishType(context, encodeURIComponent(type), 'yes');
        await publishType(context, 'other', 'no');
        await context.arrive(1, 'a');
        await context.arrive(1, 'def');
        assert.deepEqual([dataAt(context, 'a'), dataAt(context, 'def')], [['yes'], ['no']]);
      },
      spoils: [otherPath, otherDelivery('"data":"yes"', '"data":"no"')],
    }),
  ),
  {
    id: '70b',
    title: 'a missing member without has() is an error: no later rule, dead letter',
    basis: 'Take',
    rows: ['behaviour 4.4', 'behaviour 5.3'],
    subscriptions: (own) => [
      ...routed(
        [
          ['event.data.missing == 1', 'a'],
          ['event.type != ""', 'b'],
        ],
        'def',
        {
          deadLetterTopic: own.topic('dead'),
        },
      )(own),
      own.subscription('dead'),
    ],
    run: async (context) => {
      await publishJson(context, { amount: 1 });
      await context.arrive(1, 'dead');
      await context.fence();
      assert.deepEqual([context.seen('a'), context.seen('b'), context.seen('def')], [[], [], []]);
    },
    spoils: [otherPath],
  },
  {
    id: '70c',
    title: 'has() asks first: a missing member is no match',
    basis: 'R',
    rows: ['behaviour 4.4'],
    subscriptions: routed([['has(event.data.missing) && event.data.missing == 1', 'a']], 'def'),
    run: async (context) => {
      await publishJson(context, { amount: 1 });
      await context.arrive(1, 'def');
    },
    spoils: [otherPath],
  },
  ...(
    [
      ['event.type in ["a", "b"]', 'a'],
      ['event.type.endsWith("a") || event.type.contains("zzz")', 'xa'],
      ['size(event.type) == 4', 'four'],
      ['!(event.type != "n")', 'n'],
      ['int(event.id) > 41', 'byid'],
    ] as const
  ).map(([match, type], at): Case => ({
    id: `70${'defgh'.charAt(at)}`,
    title: `match ${match}`,
    basis: 'R',
    rows: ['behaviour 4.4'],
    subscriptions: routed([[match, 'a']], 'def'),
    run: async (context) => {
      const query = `metadata.cloudevent.type=${type}&metadata.cloudevent.id=42`;
      accepted(await context.sidecar.publish(context.topic(), 'yes', { query }));
      const other = 'metadata.cloudevent.type=otherwise&metadata.cloudevent.id=1';
      accepted(await context.sidecar.publish(context.topic(), 'no', { query: other }));
      await context.arrive(1, 'a');
      await context.arrive(1, 'def');
      assert.deepEqual([dataAt(context, 'a'), dataAt(context, 'def')], [['yes'], ['no']]);
    },
    spoils: [otherPath, otherDelivery('"data":"yes"', '"data":"no"')],
  })),
];
