/** Single delivery: the request, drops, dead letters, redelivery. Conformance cases 80 to 96. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Own, WireSubscription } from '../suite/case.ts';
import { accepted, nothingArrives, staysAt } from '../suite/checks.ts';
import {
  heardRetry,
  heardSuccess,
  lost,
  otherDelivery,
  otherDeliveryHeader,
  otherPath,
  twice,
} from '../suite/spoiler.ts';

const withDeadLetters = (own: Own): readonly WireSubscription[] => [
  own.subscription('t', { deadLetterTopic: own.topic('dead') }),
  own.subscription('dead'),
];
export const deliveryCases: readonly Case[] = [
  {
    id: '80',
    title: 'a POST of the envelope as application/cloudevents+json',
    basis: 'S',
    rows: ['delivery.route', 'delivery.body', 'behaviour 5.1'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [delivery] = await context.arrive();
      assert.equal(delivery?.method, 'POST');
      assert.equal(delivery.headers['content-type'], 'application/cloudevents+json');
      assert.equal(delivery.headers['content-length'], String(delivery.body.length));
      assert.equal(delivery.headers['transfer-encoding'], undefined);
      assert.equal(delivery.json()['data'], 'hi');
    },
    spoils: [
      otherDeliveryHeader('content-type', 'application/json'),
      otherDeliveryHeader('content-length', undefined),
      otherDelivery('"hi"', '"ho"'),
    ],
  },
  {
    id: '81a',
    title: 'the header pubsubname names the component',
    basis: 'R',
    rows: ['behaviour 5.1'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [delivery] = await context.arrive();
      assert.equal(delivery?.headers['pubsubname'], context.component);
      assert.equal(delivery.headers[context.names.tokenHeader], undefined);
    },
    spoils: [otherDeliveryHeader('pubsubname', undefined)],
  },
  {
    id: '81b',
    title: "the subscription's metadata are headers",
    basis: 'R',
    rows: ['behaviour 5.1'],
    subscriptions: (own) => [own.subscription('t', { metadata: { rawPayload: 'true', tenant: 'blue' } })],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [delivery] = await context.arrive();
      assert.deepEqual([delivery?.headers['rawpayload'], delivery?.headers['tenant']], ['true', 'blue']);
    },
    spoils: [otherDeliveryHeader('tenant', undefined)],
  },
  {
    id: '83c',
    title: 'DROP: once, and never again',
    basis: 'S',
    rows: ['single.2xx.drop'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), { status: 200, body: '{"status":"DROP"}' });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 1);
    },
    spoils: [heardRetry, twice],
  },
  {
    id: '85',
    title: 'the member name Status counts as status',
    basis: 'R',
    rows: ['behaviour 5.2'],
    subscriptions: withDeadLetters,
    run: async (context) => {
      context.app.script(context.path(), { status: 200, body: '{"Status":"DROP"}' });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      // Only a drop brings a copy to the dead-letter topic: a success would not.
      await context.arrive(1, 'dead');
      await staysAt(context, 1);
    },
    spoils: [heardSuccess],
  },
  {
    id: '86',
    title: '404: once, never again, and not on the dead-letter topic',
    basis: 'S',
    rows: ['single.404', 'behaviour 5.3'],
    profiles: ['sidecar', 'dapr'],
    subscriptions: withDeadLetters,
    run: async (context) => {
      context.app.script(context.path(), { status: 404 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 1);
      await nothingArrives(context, 'dead');
    },
    spoils: [heardRetry, otherPath],
  },
  {
    id: '88b',
    title: 'a connection that breaks: tried again',
    basis: 'R',
    rows: ['behaviour 5.2', 'publish.at-least-once'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), 'reset', { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, 2);
    },
    spoils: [heardSuccess],
  },
  {
    id: '90',
    title: 'DROP with a dead-letter topic: a copy, byte for byte',
    basis: 'R',
    rows: ['behaviour 5.3'],
    subscriptions: withDeadLetters,
    run: async (context) => {
      context.app.script(context.path(), { status: 200, body: '{"status":"DROP"}' });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [copy] = await context.arrive(1, 'dead');
      const [original] = await staysAt(context, 1);
      assert.equal(copy?.text, original?.text);
      assert.equal(copy?.json()['topic'], context.topic());
    },
    spoils: [
      heardSuccess,
      otherPath,
      {
        name: 'the copy gets another id',
        delivered: (delivery) =>
          delivery.path.endsWith('dead')
            ? (otherDelivery(/"id":"[^"]*"/, '"id":"x"').delivered?.(delivery) ?? [])
            : [delivery],
      },
    ],
  },
  {
    id: '91',
    title: 'attempts used up with a dead-letter topic: a copy, and no further attempt',
    basis: 'R',
    rows: ['behaviour 5.3'],
    subscriptions: withDeadLetters,
    run: async (context) => {
      context.app.script(context.path(), { status: 500 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [copy] = await context.arrive(1, 'dead');
      const attempts = context.seen().length;
      assert.equal(attempts, context.running.maxAttempts);
      assert.equal(copy?.text, context.seen()[0]?.text);
      await context.fence();
      assert.equal(context.seen().length, attempts);
    },
    spoils: [heardSuccess, twice],
  },
  {
    id: '89a',
    title: 'attempts used up without one: no further attempt',
    basis: 'Take',
    rows: ['behaviour 5.4'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), { status: 500 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await staysAt(context, context.running.maxAttempts);
    },
    spoils: [heardSuccess, twice],
  },
  {
    id: '96a',
    title: 'a redelivery keeps the id of the event',
    basis: 'R',
    rows: ['behaviour 5.1'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), { status: 500 }, { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [first, second] = await context.arrive(2);
      assert.equal(second?.json()['id'], first?.json()['id']);
    },
    spoils: [heardSuccess, lost],
  },
  {
    id: '96b',
    title: 'and changes that of a raw wrapper',
    basis: 'R',
    rows: ['behaviour 2.2'],
    subscriptions: (own) => [own.subscription('t', { metadata: { rawPayload: 'true' } })],
    run: async (context) => {
      context.app.script(context.path(), { status: 500 }, { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi', { query: 'metadata.rawPayload=true' }));
      const [first, second] = await context.arrive(2);
      assert.equal(second?.json()['data_base64'], first?.json()['data_base64']);
      assert.notEqual(second?.json()['id'], first?.json()['id']);
    },
    spoils: [heardSuccess, otherDelivery(/"id":"[^"]*"/, '"id":"x"')],
  },
];
