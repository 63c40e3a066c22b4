/** Discovery answers that list nothing, or elements that cannot be used. Conformance cases 62, 63, 72 to 74. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context } from '../suite/case.ts';
import { accepted, listOf, nothingArrives, objectOf } from '../suite/checks.ts';
import { asksTwice, ready } from '../suite/discovery.ts';
import { inventedDelivery, lost, otherStatus, otherText } from '../suite/spoiler.ts';

/** The subscription `good` gets its event; the refused one beside it gets none. */
async function onlyGoodArrives(context: Context): Promise<void> {
  accepted(await context.sidecar.publish(context.topic('good'), 'hi'));
  await context.event('good');
  accepted(await context.sidecar.publish(context.topic(), 'hi'));
  await nothingArrives(context);
}

/** The app refuses to list subscriptions. */
export const noDiscoveryCases = (id: string, status: number): readonly Case[] => [
  {
    id,
    title: `discovery ${status}: no subscriptions, asked once, healthy, publishes are accepted`,
    basis: 'R',
    rows: ['behaviour 4.1'],
    subscriptions: one,
    run: async (context) => {
      await context.poll(
        async () => Promise.resolve(context.app.discoveries().length),
        (count) => count >= 1,
        'the discovery request',
      );
      await ready(context);
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const body = objectOf((await context.sidecar.send('/v1.0/metadata')).json());
      assert.ok(!('subscriptions' in body));
      // Longer than the first waits of the retries that follow a call that breaks.
      await context.later(1_000);
      assert.equal(context.app.discoveries().length, 1);
      assert.deepEqual(context.seen(), []);
    },
    spoils: [asksTwice, otherText('"extended"', '"subscriptions":[],"extended"'), otherStatus(500)],
  },
];

export const brokenDiscoveryCases: readonly Case[] = [
  {
    id: '63',
    title: 'a discovery call that breaks is made again',
    basis: 'R',
    rows: ['behaviour 4.1'],
    subscriptions: one,
    run: async (context) => {
      assert.ok(context.app.discoveries().length >= 2);
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.event();
    },
    spoils: [lost],
  },
];

export const resetDiscoveryCases: readonly Case[] = [
  {
    id: '63b',
    title: 'discovery is asked five times in all when the calls break',
    basis: 'R',
    rows: ['behaviour 4.1'],
    subscriptions: one,
    run: async (context) => {
      assert.equal(context.app.discoveries().length, 5);
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.event();
    },
    spoils: [lost, otherStatus(500)],
  },
];

export const objectDiscoveryCases: readonly Case[] = [
  {
    id: '74',
    title: 'an object instead of an array: no programmatic subscription, declared ones load',
    basis: 'Take',
    rows: ['behaviour 4.1', 'discovery.array'],
    subscriptions: one,
    run: async (context) => {
      await ready(context);
      accepted(await context.sidecar.publish('declared-alone', 'hi'));
      await context.app.log.until('/declared-alone', (seen) => seen.length >= 1, 'it', context.patienceMs);
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const body = objectOf((await context.sidecar.send('/v1.0/metadata')).json());
      const topics = listOf(body['subscriptions']).map((entry) => objectOf(entry)['topic']);
      assert.deepEqual(topics, ['declared-alone']);
      assert.deepEqual(context.seen(), []);
    },
    spoils: [lost, otherText('declared-alone', 'declared-other')],
  },
];

/** Elements that cannot be used, among good ones. */
export const badElementCases: readonly Case[] = [
  {
    id: '72b',
    title: 'pubsubName alone is refused, the others are kept',
    basis: 'S',
    rows: ['discovery.case', 'discovery.pubsubname'],
    profiles: ['sidecar'],
    subscriptions: (own) => [
      own.subscription('t', { pubsubname: undefined, pubsubName: own.component }),
      own.subscription('good'),
    ],
    run: onlyGoodArrives,
    spoils: [lost, inventedDelivery],
  },
  {
    id: '73',
    title: 'rawPayload as a boolean: that element is refused, the others are kept',
    basis: 'Take',
    rows: ['behaviour 4.1'],
    subscriptions: (own) => [
      own.subscription('t', { metadata: { rawPayload: true } }),
      own.subscription('good'),
    ],
    run: onlyGoodArrives,
    spoils: [lost, inventedDelivery],
  },
  {
    id: 'x5',
    title: 'a match that is no expression: that element is refused, the others are kept',
    basis: 'Take',
    rows: ['behaviour 4.1'],
    subscriptions: (own) => [
      own.subscription('t', {
        routes: { rules: [{ match: 'event.type ==', path: '/x' }], default: own.path() },
      }),
      own.subscription('good'),
    ],
    run: onlyGoodArrives,
    spoils: [lost, inventedDelivery],
  },
];
