/** Components and subscriptions from files. Conformance cases 75, 76, 127 to 130. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context } from '../suite/case.ts';
import { accepted, listOf, objectOf, refused, staysAt } from '../suite/checks.ts';
import type { Delivery } from '../suite/deliveries.ts';
import { otherDelivery, otherPath, otherStatus, otherText, twice } from '../suite/spoiler.ts';

/** Waits for a delivery with this data at a fixed path. */
const cameTo = async (context: Context, path: string, data: string): Promise<readonly Delivery[]> =>
  context.app.log.until(
    path,
    (seen) => seen.some((delivery) => delivery.json()['data'] === data),
    `"${data}"`,
    context.patienceMs,
  );
const times = (context: Context, path: string, data: string): number =>
  context.app.log.at(path).filter((delivery) => delivery.json()['data'] === data).length;

export const componentCases: readonly Case[] = [
  {
    id: '75',
    title: "a topic declared in a file and by the app: the app's route, one delivery",
    basis: 'R',
    rows: ['behaviour 4.2'],
    subscriptions: (own) => [own.subscription('t', { topic: 'declared-twice' })],
    run: async (context) => {
      accepted(await context.sidecar.publish('declared-twice', 'hi'));
      await staysAt(context, 1);
      assert.deepEqual(context.app.log.at('/from-file'), []);
    },
    spoils: [otherPath, twice],
  },
  ...(
    [
      ['a', 'v1alpha1', 'declared-v1', '/declared-v1'],
      ['b', 'v2alpha1, default route', 'declared-v2', '/declared-v2'],
    ] as const
  ).map(([letter, title, topic, path]): Case => ({
    id: `76${letter}`,
    title: `a declared subscription ${title}`,
    basis: 'R',
    rows: ['behaviour 4.3'],
    run: async (context) => {
      const data = context.topic();
      accepted(await context.sidecar.publish(topic, data));
      await cameTo(context, path, data);
    },
    spoils: [otherPath],
  })),
  {
    id: '76c',
    title: 'a declared subscription v2alpha1 with a rule',
    basis: 'R',
    rows: ['behaviour 4.3'],
    run: async (context) => {
      const data = context.topic();
      const query = 'metadata.cloudevent.type=special';
      accepted(await context.sidecar.publish('declared-v2', data, { query }));
      await cameTo(context, '/declared-special', data);
    },
    spoils: [otherPath],
  },
  {
    id: '76d',
    title: 'a declared subscription of other apps is ignored',
    basis: 'R',
    rows: ['behaviour 4.3'],
    run: async (context) => {
      accepted(await context.sidecar.publish('declared-others', 'hi'));
      await context.fence();
      assert.deepEqual(context.app.log.at('/declared-others'), []);
    },
    spoils: [
      {
        name: 'it arrives all the same',
        invented: (request) => (request.target.includes('declared-others') ? '/declared-others' : undefined),
      },
    ],
  },
  {
    id: '127a',
    title: 'two documents of one file are two components',
    basis: 'R',
    rows: [
      'behaviour 10',
      'component.apiVersion',
      'versions.component',
      'component.kind',
      'component.name',
      'component.type',
      'component.version',
    ],
    run: async (context) => {
      for (const component of ['first-of-two', 'second-of-two']) {
        accepted(await context.sidecar.publish('t', 'hi', { component }));
      }
      const names = listOf(objectOf((await context.sidecar.send('/v1.0/metadata')).json())['components'])
        .map(objectOf)
        .filter((one_) => String(one_['name']).endsWith('-of-two'));
      assert.deepEqual(
        names
          .map((one_) => `${String(one_['name'])} ${String(one_['type'])} ${String(one_['version'])}`)
          .toSorted(),
        ['first-of-two pubsub.in-memory v1', 'second-of-two pubsub.in-memory v1'],
      );
    },
    spoils: [otherStatus(404), otherText('second-of-two', 'third-of-two')],
  },
  {
    id: '127b',
    title: 'a .txt file is ignored',
    basis: 'R',
    rows: ['behaviour 10'],
    run: async (context) =>
      void refused(
        await context.sidecar.publish('t', 'hi', { component: 'from-text' }),
        404,
        'ERR_PUBSUB_NOT_FOUND',
      ),
    spoils: [otherStatus(204)],
  },
  {
    id: '128b',
    title: 'an unknown type with ignoreErrors: health 204, publish 404',
    basis: 'Take',
    rows: ['behaviour 10'],
    run: async (context) => {
      accepted(await context.sidecar.send('/v1.0/healthz'));
      accepted(await context.sidecar.send('/v1.0/healthz/outbound'));
      refused(
        await context.sidecar.publish('t', 'hi', { component: 'ignored-errors' }),
        404,
        'ERR_PUBSUB_NOT_FOUND',
      );
    },
    spoils: [otherStatus(500), otherStatus(204)],
  },
  {
    id: '129',
    title: 'secretKeyRef from a file store that a later file defines',
    basis: 'R',
    rows: ['component.secrets', 'component.metadata', 'behaviour 10'],
    run: async (context) => {
      const component = 'from-secret';
      accepted(await context.sidecar.publish('kept-secret', 'hi', { component }));
      refused(await context.sidecar.publish('else', 'hi', { component }), 403, 'ERR_PUBSUB_FORBIDDEN');
    },
    spoils: [otherStatus(204), otherStatus(403)],
  },
  {
    id: '130',
    title: '{appID} in a value is the app id',
    basis: 'R',
    rows: ['behaviour 10'],
    run: async (context) => {
      const component = 'templated';
      accepted(await context.sidecar.publish(`${context.appId}-orders`, 'hi', { component }));
      refused(
        await context.sidecar.publish('{appID}-orders', 'hi', { component }),
        403,
        'ERR_PUBSUB_FORBIDDEN',
      );
    },
    spoils: [otherStatus(204), otherStatus(403)],
  },
  {
    id: 'x7',
    title: 'a resiliency policy of the component: maxRetries 2 are three attempts',
    basis: 'R',
    rows: ['behaviour 5.3'],
    subscriptions: (own) => [own.subscription('t', { pubsubname: 'resilient' })],
    run: async (context) => {
      context.app.script(context.path(), { status: 500 });
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'resilient' }));
      await staysAt(context, 3);
    },
    spoils: [twice],
  },
  {
    id: 'x8',
    title: 'several components: one delivery, from the component of the subscription',
    basis: 'S',
    rows: ['discovery.pubsubname', 'publish.route'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'elsewhere', { component: 'first-of-two' }));
      accepted(await context.sidecar.publish(context.topic(), 'here'));
      await staysAt(context, 1);
      assert.equal(times(context, context.path(), 'here'), 1);
    },
    spoils: [twice, otherDelivery('"here"', '"elsewhere"')],
  },
];

/** A component that cannot be loaded, without ignoreErrors. `name` is the component's. */
export const brokenComponentCases = (id: string, name: string, title: string): readonly Case[] => [
  {
    id,
    title: `${title}: the process runs, both health routes 500, publish 404`,
    basis: 'Take',
    rows: ['behaviour 10', 'behaviour 7.1', 'health.500', 'health.outbound.500'],
    run: async (context) => {
      const outbound = await context.poll(
        async () => context.sidecar.send('/v1.0/healthz/outbound'),
        (answer) => answer.status === 500,
        'outbound 500',
      );
      assert.deepEqual(refused(outbound, 500, 'ERR_OUTBOUND_HEALTH_NOT_READY'), {
        errorCode: 'ERR_OUTBOUND_HEALTH_NOT_READY',
        message: `${context.names.brandWord} outbound is not ready`,
      });
      refused(await context.sidecar.send('/v1.0/healthz'), 500, 'ERR_HEALTH_NOT_READY');
      refused(await context.sidecar.publish('t', 'hi', { component: name }), 404, 'ERR_PUBSUB_NOT_FOUND');
      accepted(await context.sidecar.publish('t', 'hi'));
    },
    spoils: [otherStatus(204), otherStatus(500), otherText('outbound is', 'outbound was')],
  },
];
