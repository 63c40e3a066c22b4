/** How an app that speaks gRPC is found and asked. Cases G37 to G44 and G58 of the gRPC surface. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context, Own } from '../suite/case.ts';
import { accepted, listOf, objectOf, staysAt } from '../suite/checks.ts';
import { listing } from '../suite/configuration.ts';
import { consoleOf } from '../suite/console-checks.ts';
import type { Delivery } from '../suite/deliveries.ts';
import { ready } from '../suite/discovery.ts';
import { lost, toldOtherwise } from '../suite/spoiler.ts';
import type { Spoil } from '../suite/spoiler.ts';

const isDiscovery = ({ headers }: Delivery): boolean => headers[':method'] === 'ListTopicSubscriptions';

/** Discovery seems to be asked once more than it is. */
const asksOnceMore: Spoil = {
  name: 'the sidecar seems to ask twice',
  delivered: (delivery) => (isDiscovery(delivery) ? [delivery, delivery] : [delivery]),
};

/** Spoil: the list of the app does not arrive. */
const listNotHeard: Spoil = {
  name: 'the sidecar hears that the app lists nothing',
  answered: (said, delivery) => (isDiscovery(delivery) ? { status: 12 } : said),
};

/** A publish to the topic of the folder's file arrives at its route. */
const declaredArrives = async (context: Context): Promise<void> => {
  const mark = context.topic();
  accepted(await context.sidecar.publish('declared-alone', mark));
  await context.app.log.until(
    '/declared-alone',
    (seen) => seen.some(({ headers }) => headers[':data'] === mark),
    'the message of the subscription in a file',
    context.patienceMs,
  );
};

/** Discovery answers with a code that says nothing for good: `calls` calls, and the files count. */
export const noListCases = (id: string, code: string, calls: number): readonly Case[] => [
  {
    id,
    title: `discovery answers ${code}: ${calls} call${calls === 1 ? '' : 's'}, the subscriptions of files count, healthz 204`,
    basis: calls === 1 ? 'R' : 'Take',
    rows: ['grpc.discovery'],
    run: async (context) => {
      await ready(context);
      await declaredArrives(context);
      assert.equal(context.app.discoveries().length, calls);
    },
    spoils: [lost, asksOnceMore],
  },
];

/** Discovery is answered INTERNAL twice, then with the list; a file subscribes to `declared-alone` too. */
export const brokenListCases: readonly Case[] = [
  {
    id: 'G38',
    title: 'discovery answers INTERNAL twice, then the list: subscribed after three calls',
    basis: 'R',
    rows: ['grpc.discovery'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 1);
      assert.equal(context.app.discoveries().length, 3);
    },
    spoils: [lost],
  },
  {
    id: 'G41',
    title: "a topic of a file that the app lists too: the app's path, once",
    basis: 'R',
    rows: ['grpc.discovery'],
    subscriptions: (own: Own) => [own.subscription('t', { topic: 'declared-alone' })],
    run: async (context) => {
      accepted(await context.sidecar.publish('declared-alone', 'hi'));
      await staysAt(context, 1);
      assert.deepEqual(context.app.log.at('/declared-alone'), []);
    },
    spoils: [lost],
  },
];

/** The app's port is closed until the case opens it. */
export const lateGrpcAppCases: readonly Case[] = [
  {
    id: 'G39',
    title: "the app's port opens after the sidecar has waited for it: subscribed",
    basis: 'Take',
    rows: ['grpc.discovery'],
    subscriptions: one,
    run: async (context) => {
      await context.later(1_000);
      await context.app.open(context.appPort);
      await ready(context);
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.arrive();
    },
    spoils: [lost, listNotHeard],
  },
];

/** Attempts without end: the app goes and comes back. */
export const grpcAppDownCases: readonly Case[] = [
  {
    id: 'G44',
    title: 'an app that comes back with another list is asked again',
    basis: 'Take',
    rows: ['grpc.discovery'],
    subscriptions: () => [],
    run: async (context) => {
      const { component, app, names } = context;
      await app.close();
      accepted(await context.sidecar.publish('suite-fence', 'while it is away'));
      await context.later(500);
      const added = {
        pubsubname: component,
        topic: context.topic(),
        routes: { default: context.path() },
      };
      app.script(names.discoveryPath, listing([added]));
      await app.open(context.appPort);
      await context.poll(
        async () => (await context.sidecar.send('/v1.0/metadata')).text,
        (text) => text.includes(context.topic()),
        'the new subscription in the metadata',
      );
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.arrive();
    },
    spoils: [lost],
  },
  {
    id: 'G58',
    title: 'an app that ends in the middle of a call gets the event again when it is back',
    basis: 'R',
    rows: ['grpc.outcome'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), 'hang', { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [first] = await context.arrive();
      await context.app.close();
      await context.app.open(context.appPort);
      const [, again] = await context.arrive(2);
      assert.equal(again?.json()['id'], first?.json()['id']);
    },
    spoils: [lost],
  },
];

/** Health checks are on, and the app has no health service. */
export const grpcHealthCases: readonly Case[] = [
  {
    id: 'G42',
    title: 'health checks, and no health service: never asked for its subscriptions',
    basis: 'R',
    rows: ['grpc.discovery'],
    run: async (context) => {
      const probes = (): number => context.app.log.at('HealthCheck').length;
      const before = probes();
      // An app that is well is asked before its next probe.
      await context.poll(
        async () => Promise.resolve(probes()),
        (count) => count >= before + 3,
        'three more probes',
      );
      assert.deepEqual(context.app.discoveries(), []);
    },
    spoils: [
      {
        name: 'the sidecar hears that the app is well',
        answered: (said, delivery) =>
          delivery.headers[':method'] === 'HealthCheck' ? { status: 200 } : said,
      },
    ],
  },
  {
    id: 'G42b',
    title: 'the console says why nothing is delivered',
    basis: 'Take',
    rows: ['grpc.discovery'],
    needsConsole: true,
    run: async (context) => {
      await context.poll(
        async () => JSON.stringify(listOf(objectOf(await consoleOf(context).call('apps.list', {}))['items'])),
        (text) => text.includes('the app has no health service'),
        'the reason',
      );
    },
    spoils: [toldOtherwise('no health service', 'nothing')],
  },
];
