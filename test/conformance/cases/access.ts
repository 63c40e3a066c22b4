/** Access control and components that fail. Behaviour 9; conformance cases 28, 29, 54, 55, 125, 126. */
import assert from 'node:assert/strict';
import type { Case } from '../suite/case.ts';
import { accepted, checkDetails, listOf, objectOf, refused, staysAt } from '../suite/checks.ts';
import { lost, otherDelivery, otherStatus, otherText, twice } from '../suite/spoiler.ts';

const POISON = 'BOOM';
const entry = (entryId: string, event = entryId): Readonly<Record<string, unknown>> => ({
  entryId,
  event,
  contentType: 'text/plain',
});

/** The worked example of reference section 9: what apps a, b and c may publish. */
const WORKED: readonly (readonly [component: string, topic: string, allowed: boolean])[] = [
  ['guarded-a', 'pay', true],
  ['guarded-a', 'orders', true],
  ['guarded-a', 'other', false],
  ['guarded-b', 'pay', false],
  ['guarded-b', 'orders', false],
  ['guarded-b', 'other', false],
  ['guarded-c', 'pay', false],
  ['guarded-c', 'orders', true],
  ['guarded-c', 'other', true],
];

const workedCases = WORKED.map(([component, topic, allowed], at): Case => ({
  id: `125${'abcdefghi'.charAt(at)}`,
  title: `${component} ${topic}: ${allowed ? 'allowed' : 'forbidden'}`,
  basis: 'R',
  rows: ['access.publish', 'behaviour 9'],
  run: async (context) => {
    const answer = await context.sidecar.publish(topic, 'hi', { component });
    if (allowed) accepted(answer);
    else refused(answer, 403, 'ERR_PUBSUB_FORBIDDEN');
  },
  spoils: [otherStatus(allowed ? 403 : 204)],
}));

export const accessCases: readonly Case[] = [
  {
    id: '28',
    title: 'a forbidden topic is 403, with two details',
    basis: 'S',
    rows: ['publish.403', 'access.publish', 'behaviour 1.6'],
    run: async (context) => {
      const answer = await context.sidecar.publish('other', 'hi', { component: 'guarded-a' });
      const body = refused(answer, 403, 'ERR_PUBSUB_FORBIDDEN');
      const message = `topic other is not allowed for app id ${context.appId}`;
      assert.equal(body['message'], message);
      checkDetails(context, body, 'FORBIDDEN', { error: message, topic: 'other' });
      const resource = objectOf(listOf(body['details'])[context.names.isNewer ? 0 : 1]);
      assert.equal(resource['resource_name'], 'guarded-a');
    },
    spoils: [otherStatus(204), otherText('not allowed', 'forbidden'), otherText('ResourceInfo', 'Info')],
  },
  {
    id: '28b',
    title: 'a bad own event for a forbidden topic is 500: the envelope is made first',
    basis: 'R',
    rows: ['behaviour 1.2'],
    run: async (context) => {
      const answer = await context.sidecar.publish('other', '[1]', {
        component: 'guarded-a',
        contentType: 'application/cloudevents+json',
      });
      refused(answer, 500, 'ERR_PUBSUB_CLOUD_EVENTS_SER');
    },
    spoils: [otherStatus(403)],
  },
  {
    id: '54',
    title: 'bulk publish to a forbidden topic is 403, without failedEntries',
    basis: 'S',
    rows: ['bulk-publish.403', 'access.bulk-publish'],
    run: async (context) => {
      const answer = await context.sidecar.bulk('other', [entry('a')], { component: 'guarded-a' });
      const body = refused(answer, 403, 'ERR_PUBSUB_FORBIDDEN');
      assert.ok(!('failedEntries' in body));
    },
    spoils: [otherStatus(204), otherText('"message"', '"failedEntries":[],"message"')],
  },
  ...workedCases,
  {
    id: '125j',
    title: 'allowedTopics lets nothing else through',
    basis: 'R',
    rows: ['behaviour 9'],
    run: async (context) => {
      accepted(await context.sidecar.publish('one', 'hi', { component: 'guarded-list' }));
      accepted(await context.sidecar.publish('two', 'hi', { component: 'guarded-list' }));
      refused(
        await context.sidecar.publish('three', 'hi', { component: 'guarded-list' }),
        403,
        'ERR_PUBSUB_FORBIDDEN',
      );
    },
    spoils: [otherStatus(204), otherStatus(403)],
  },
  {
    id: '125k',
    title: 'a forbidden subscription is not started, the others are',
    basis: 'R',
    rows: ['behaviour 9'],
    subscriptions: (own) => [
      own.subscription('no', { pubsubname: 'guarded-read', topic: 'secret' }),
      own.subscription('yes', { pubsubname: 'guarded-read', topic: 'open' }),
    ],
    run: async (context) => {
      accepted(await context.sidecar.publish('secret', 'hi', { component: 'guarded-read' }));
      accepted(await context.sidecar.publish('open', 'hi', { component: 'guarded-read' }));
      await context.arrive(1, 'yes');
      await context.fence();
      assert.deepEqual(context.seen('no'), []);
    },
    spoils: [
      lost,
      {
        name: 'the forbidden one arrives',
        delivered: (one) => [one, { ...one, path: one.path.replace('yes', 'no') }],
      },
    ],
  },
  {
    id: '126',
    title: 'a component of other apps is unknown: publish 404, bulk 400',
    basis: 'R',
    rows: ['behaviour 9', 'bulk-publish.400'],
    run: async (context) => {
      const component = 'for-others';
      refused(await context.sidecar.publish('t', 'hi', { component }), 404, 'ERR_PUBSUB_NOT_FOUND');
      refused(await context.sidecar.bulk('t', [entry('a')], { component }), 400, 'ERR_PUBSUB_NOT_FOUND');
    },
    spoils: [otherStatus(204), otherStatus(404), otherStatus(400)],
  },
];

export const failingCases: readonly Case[] = [
  {
    id: '29',
    title: 'a component that fails: 500, saying topic, component and reason',
    basis: 'S',
    rows: ['publish.500', 'behaviour 1.6'],
    run: async (context) => {
      const answer = await context.sidecar.publish('t', POISON, { component: 'failing' });
      const body = refused(answer, 500, 'ERR_PUBSUB_PUBLISH_MESSAGE');
      const start = 'error when publishing to topic t in pubsub failing: ';
      assert.ok(String(body['message']).startsWith(start), String(body['message']));
      assert.ok(String(body['message']).length > start.length);
      const info = objectOf(listOf(body['details'])[context.names.isNewer ? 1 : 0]);
      assert.equal(info['reason'], `${context.names.reasonPrefix}PUBLISH_MESSAGE`);
    },
    spoils: [otherStatus(204), otherText('topic t in', 'topic in'), otherText('PUBLISH_MESSAGE"}', 'X"}')],
  },
  {
    id: '55',
    title: 'one entry fails in the component: the report lists exactly it, the other is delivered',
    basis: 'S',
    rows: [
      'bulk-publish.500',
      'bulk-publish.report.failedEntries',
      'bulk-publish.report.entryId',
      'bulk-publish.report.error',
      'bulk-publish.report.errorCode',
    ],
    subscriptions: (own) => [own.subscription('t', { pubsubname: 'failing' })],
    run: async (context) => {
      const answer = await context.sidecar.bulk(
        context.topic(),
        [entry('good', 'fine'), entry('bad', POISON)],
        { component: 'failing' },
      );
      assert.equal(answer.status, 500);
      const body = objectOf(answer.json());
      assert.deepEqual(Object.keys(body).sort(), ['errorCode', 'failedEntries']);
      assert.equal(body['errorCode'], 'ERR_PUBSUB_PUBLISH_MESSAGE');
      const [failed, ...more] = listOf(body['failedEntries']).map(objectOf);
      assert.deepEqual([failed?.['entryId'], more], ['bad', []]);
      assert.ok(typeof failed?.['error'] === 'string' && failed['error'] !== '');
      const [only] = await staysAt(context, 1);
      assert.equal(only?.json()['data'], 'fine');
    },
    spoils: [otherStatus(204), otherText('"bad"', '"good"'), twice, otherDelivery('"fine"', '"bad"')],
  },
];
