/** Discovery answers and the choice of a route. Conformance cases 64 to 72 and 77 to 79. */
import assert from 'node:assert/strict';
import type { Case } from '../suite/case.ts';
import { dataAt, publishType, routed } from '../suite/routes.ts';
import { accepted, nothingArrives, refused, staysAt } from '../suite/checks.ts';
import { inventedDelivery, lost, otherDelivery, otherPath, otherStatus, twice } from '../suite/spoiler.ts';

export const routingCases: readonly Case[] = [
  {
    id: '64',
    title: 'a rule leads to its path, the rest to the default',
    basis: 'S',
    rows: [
      'discovery.rules',
      'discovery.rules.match',
      'discovery.rules.path',
      'discovery.default',
      'delivery.route',
    ],
    subscriptions: routed([['event.type == "a"', 'a']], 'def'),
    run: async (context) => {
      await publishType(context, 'a');
      await publishType(context, 'b');
      await context.arrive(1, 'a');
      await context.arrive(1, 'def');
      await context.fence();
      assert.deepEqual([dataAt(context, 'a'), dataAt(context, 'def')], [['a'], ['b']]);
    },
    spoils: [otherPath, otherDelivery('"data":"a"', '"data":"b"'), twice],
  },
  {
    id: '65',
    title: 'a word without quotes on the right of == is a text',
    basis: 'S',
    rows: ['discovery.rules', 'discovery.rules.match', 'discovery.rules.path'],
    subscriptions: routed([['event.type == order', 'a']], 'def'),
    run: async (context) => {
      await publishType(context, 'order');
      await publishType(context, 'other');
      await context.arrive(1, 'a');
      await context.arrive(1, 'def');
      assert.deepEqual([dataAt(context, 'a'), dataAt(context, 'def')], [['order'], ['other']]);
    },
    spoils: [otherPath, otherDelivery('"data":"order"', '"data":"other"')],
  },
  {
    id: '66',
    title: 'the first rule that holds wins',
    basis: 'R',
    rows: ['behaviour 4.2'],
    subscriptions: routed([
      ['event.type == "never"', 'a'],
      ['event.type.startsWith("x")', 'b'],
      ['event.type == "x1"', 'c'],
    ]),
    run: async (context) => {
      await publishType(context, 'x1');
      await context.arrive(1, 'b');
      await context.fence();
      assert.deepEqual([dataAt(context, 'a'), dataAt(context, 'b'), dataAt(context, 'c')], [[], ['x1'], []]);
    },
    spoils: [otherPath, twice],
  },
  ...([undefined, ''] as const).map((match, at): Case => ({
    id: `67${'ab'.charAt(at)}`,
    title: `a rule ${match === undefined ? 'without match' : 'with an empty match'} always holds`,
    basis: 'R',
    rows: ['behaviour 4.2'],
    subscriptions: routed([[match, 'a']], 'def'),
    run: async (context) => {
      await publishType(context, 'any');
      await context.arrive(1, 'a');
    },
    spoils: [otherPath],
  })),
  {
    id: '68a',
    title: 'route alone is the default route',
    basis: 'R',
    rows: ['behaviour 4.2'],
    subscriptions: (own) => [own.subscription('t', { routes: undefined, route: own.path('v1') })],
    run: async (context) => {
      await publishType(context, 'any');
      await context.arrive(1, 'v1');
    },
    spoils: [otherPath],
  },
  {
    id: '68b',
    title: 'a path without a leading slash gets one',
    basis: 'R',
    rows: ['behaviour 4.2'],
    subscriptions: (own) => [own.subscription('t', { routes: undefined, route: own.path('v1').slice(1) })],
    run: async (context) => {
      await publishType(context, 'any');
      await context.arrive(1, 'v1');
    },
    spoils: [otherPath],
  },
  {
    id: '68c',
    title: 'routes.default beats route',
    basis: 'R',
    rows: ['behaviour 4.2'],
    subscriptions: (own) => [
      own.subscription('t', { route: own.path('v1'), routes: { default: own.path('v2') } }),
    ],
    run: async (context) => {
      await publishType(context, 'any');
      await context.arrive(1, 'v2');
      await nothingArrives(context, 'v1');
    },
    spoils: [otherPath],
  },
  {
    id: '69a',
    title: 'no rule holds and there is no default: accepted and not delivered',
    basis: 'R',
    rows: ['behaviour 4.4'],
    subscriptions: routed([['event.type == "a"', 'a']]),
    run: async (context) => {
      await publishType(context, 'b');
      await nothingArrives(context, 'a');
      await publishType(context, 'a');
      await context.arrive(1, 'a');
    },
    spoils: [lost, otherStatus(500)],
  },
  {
    id: '69b',
    title: 'no route, with a dead-letter topic: it goes there',
    basis: 'R',
    rows: ['behaviour 4.4', 'behaviour 5.3'],
    subscriptions: (own) => [
      ...routed([['event.type == "a"', 'a']], undefined, { deadLetterTopic: own.topic('dead') })(own),
      own.subscription('dead'),
    ],
    run: async (context) => {
      await publishType(context, 'b');
      await context.arrive(1, 'dead');
      assert.deepEqual(dataAt(context, 'dead'), ['b']);
    },
    spoils: [otherPath, otherDelivery('"data":"b"', '"data":"c"')],
  },
  {
    id: '71',
    title: 'null members count as absent',
    basis: 'R',
    rows: ['behaviour 4.2'],
    subscriptions: (own) => [
      own.subscription('t', {
        route: own.path('v1'),
        routes: null,
        bulkSubscribe: null,
        metadata: null,
        deadLetterTopic: null,
      }),
    ],
    run: async (context) => {
      await publishType(context, 'any');
      const [delivery] = await context.arrive(1, 'v1');
      assert.equal(delivery?.headers['content-type'], 'application/cloudevents+json');
    },
    spoils: [otherPath],
  },
  {
    id: '72a',
    title: 'the spelling pubsubName is accepted',
    basis: 'R',
    rows: ['behaviour 4.2'],
    profiles: ['dapr', 'dapr-1.18'],
    subscriptions: (own) => [own.subscription('t', { pubsubname: undefined, pubsubName: own.component })],
    run: async (context) => {
      await publishType(context, 'any');
      await context.arrive();
    },
    spoils: [lost],
  },
  {
    id: '77',
    title: 'a subscription on an unknown component harms nothing',
    basis: 'R',
    rows: ['behaviour 4.2'],
    subscriptions: (own) => [own.subscription('gone', { pubsubname: 'nope' }), own.subscription()],
    run: async (context) => {
      refused(
        await context.sidecar.publish(context.topic('gone'), 'hi', { component: 'nope' }),
        404,
        'ERR_PUBSUB_NOT_FOUND',
      );
      await publishType(context, 'any');
      await context.arrive();
    },
    spoils: [otherStatus(204), lost],
  },
  {
    id: '78a',
    title: 'two topics may share a path',
    basis: 'R',
    rows: ['behaviour 4.2', 'discovery.topic'],
    subscriptions: (own) => [
      own.subscription('t', { routes: { default: own.path('both') } }),
      own.subscription('u', { routes: { default: own.path('both') } }),
    ],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic('t'), 'one'));
      accepted(await context.sidecar.publish(context.topic('u'), 'two'));
      await context.arrive(2, 'both');
      assert.deepEqual(dataAt(context, 'both').map(String).toSorted(), ['one', 'two']);
    },
    spoils: [otherPath, otherDelivery('"two"', '"one"')],
  },
  {
    id: '78b',
    title: 'two rules of one topic lead to two paths',
    basis: 'S',
    rows: ['discovery.rules', 'discovery.rules.match', 'discovery.rules.path', 'delivery.route'],
    subscriptions: routed([
      ['event.type == "a"', 'a'],
      ['event.type == "b"', 'b'],
    ]),
    run: async (context) => {
      await publishType(context, 'b');
      await publishType(context, 'a');
      await context.arrive(1, 'a');
      await context.arrive(1, 'b');
      assert.deepEqual([dataAt(context, 'a'), dataAt(context, 'b')], [['a'], ['b']]);
    },
    spoils: [otherPath, otherDelivery('"data":"a"', '"data":"b"')],
  },
  {
    id: '79',
    title: 'a topic with * takes longer names, not the bare prefix',
    basis: 'R',
    rows: ['behaviour 4.2', 'behaviour 5.4'],
    subscriptions: (own) => [own.subscription('t', { topic: `${own.topic()}*` })],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'bare'));
      accepted(await context.sidecar.publish(`${context.topic()}1`, 'longer'));
      await staysAt(context, 1);
      assert.deepEqual(dataAt(context, 't'), ['longer']);
    },
    spoils: [otherDelivery('"longer"', '"bare"'), twice, inventedDelivery],
  },
  {
    id: 'x1',
    title: 'a topic that nobody subscribes to is accepted',
    basis: 'Take',
    rows: ['behaviour 4.1', 'publish.204'],
    run: async (context) => accepted(await context.sidecar.publish(context.topic(), 'hi')),
    spoils: [otherStatus(404)],
  },
  {
    id: 'x2',
    title: 'the same topic twice in the answer: the last one counts',
    basis: 'R',
    rows: ['behaviour 4.2'],
    subscriptions: (own) => [
      own.subscription('t', { routes: { default: own.path('first') } }),
      own.subscription('t', { routes: { default: own.path('second') } }),
    ],
    run: async (context) => {
      await publishType(context, 'any');
      await context.arrive(1, 'second');
      await nothingArrives(context, 'first');
    },
    spoils: [otherPath],
  },
];
