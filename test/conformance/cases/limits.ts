/** Concurrency, order, timeouts and the default policy. Conformance cases 33, 34, 89, 93, 94. */
import assert from 'node:assert/strict';
import type { Step } from '../suite/app-answer.ts';
import { one } from '../suite/case.ts';
import type { Case, Context } from '../suite/case.ts';
import { accepted, staysAt } from '../suite/checks.ts';
import { pipelined } from '../suite/pipelined.ts';
import {
  heardSuccess,
  inventedDelivery,
  lost,
  otherDelivery,
  otherStatus,
  queryLost,
  twice,
} from '../suite/spoiler.ts';

/** An answer that is given when `release` is called. */
function gate(): { readonly step: Step; readonly release: () => void } {
  let release: () => void = () => undefined;
  const open = new Promise<void>((resolve) => {
    release = resolve;
  });
  return {
    release: () => release(),
    step: async () => {
      await open;
      return { status: 200 };
    },
  };
}

const dataOf = (context: Context): readonly unknown[] =>
  context.seen().map((delivery) => delivery.json()['data']);

/** Calls of a subscription strictly one after another. */
export const serialCases: readonly Case[] = [
  {
    id: '33b',
    title: 'one after another: the order of the publisher is kept',
    basis: 'R',
    rows: ['behaviour 5.4'],
    subscriptions: one,
    run: async (context) => {
      const sent = Array.from({ length: 50 }, (_, n) => `n${n}`);
      for (const data of sent) accepted(await context.sidecar.publish(context.topic(), data));
      await context.arrive(50);
      assert.deepEqual(dataOf(context), sent);
      assert.equal(context.app.mostAtOnce(context.path()), 1);
    },
    spoils: [otherDelivery('"n7"', '"n8"'), twice],
  },
  {
    id: '33c',
    title: 'publishes pipelined on one connection keep their order, whatever their size',
    basis: 'Take',
    rows: ['behaviour 1.7'],
    subscriptions: one,
    run: async (context) => {
      // One without a body needs no reading, so it is the one that could overtake the one before.
      const requests = Array.from({ length: 40 }, (_, n) => ({
        target: `/v1.0/publish/${context.component}/${context.topic()}?metadata.cloudevent.id=n${n}`,
        headers: {},
        body: n % 2 === 1 ? '' : 'x'.repeat(n % 4 === 0 ? 100_000 : 10),
      }));
      const statuses = await pipelined(context.sidecar.url, requests);
      assert.deepEqual(new Set(statuses), new Set([204]));
      const seen = await context.arrive(40);
      assert.deepEqual(
        seen.map((delivery) => delivery.json()['id']),
        requests.map((_, n) => `n${n}`),
      );
    },
    spoils: [otherDelivery('"n7"', '"n8"'), twice, otherStatus(500)],
  },
  {
    id: '93d',
    title: 'the next message waits while the app has not answered',
    basis: 'Take',
    rows: ['behaviour 5.4'],
    subscriptions: one,
    run: async (context) => {
      const { step, release } = gate();
      context.app.script(context.path(), step, { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'first'));
      await context.arrive();
      accepted(await context.sidecar.publish(context.topic(), 'second'));
      await context.fence();
      const meanwhile = dataOf(context);
      release();
      await context.arrive(2);
      assert.deepEqual(meanwhile, ['first']);
    },
    spoils: [inventedDelivery],
  },
  {
    id: '34',
    title: 'ttlInSeconds=1 passes while the message waits: it is not delivered',
    basis: 'S',
    rows: ['publish.metadata.ttlInSeconds', 'limits.ttlInSeconds'],
    subscriptions: one,
    run: async (context) => {
      const { step, release } = gate();
      context.app.script(context.path(), step, { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'blocks'));
      await context.arrive();
      accepted(await context.sidecar.publish(context.topic(), 'short', { query: 'metadata.ttlInSeconds=1' }));
      accepted(await context.sidecar.publish(context.topic(), 'after'));
      await context.later(1_500);
      release();
      await staysAt(context, 2);
      assert.deepEqual(dataOf(context), ['blocks', 'after']);
    },
    spoils: [queryLost, otherDelivery('"after"', '"short"')],
  },
];

/** At most one call to the app at a time. */
export const oneAtATimeCases: readonly Case[] = [
  {
    id: '94',
    title: 'app concurrency 1: never two calls in flight, over several topics',
    basis: 'R',
    rows: ['behaviour 5.5'],
    subscriptions: (own) => [own.subscription('t'), own.subscription('u'), own.subscription('v')],
    run: async (context) => {
      const names = ['t', 'u', 'v'];
      await Promise.all(
        names.flatMap((name) =>
          Array.from({ length: 10 }, async () => context.sidecar.publish(context.topic(name), 'hi')),
        ),
      );
      for (const name of names) await context.arrive(10, name);
      assert.equal(context.app.mostAtOnce(), 1);
    },
    spoils: [lost],
  },
];

/** Settings that limit: a call 300 ms, a body 1,000 bytes. */
export const settingCases: readonly Case[] = [
  {
    id: '93a',
    title: 'an app that does not answer within the attempt timeout: tried again',
    basis: 'Take',
    rows: ['behaviour 5.4'],
    subscriptions: one,
    run: async (context) => {
      context.app.script(context.path(), 'hang', { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      const [first, second] = await staysAt(context, 2);
      assert.equal(second?.text, first?.text);
    },
    spoils: [heardSuccess],
  },
  {
    id: '30c',
    title: 'the body limit is a setting',
    profiles: ['sidecar', 'dapr'],
    basis: 'R',
    rows: ['behaviour 1.7'],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'x'.repeat(1_000)));
      assert.equal((await context.sidecar.publish(context.topic(), 'x'.repeat(1_001))).status, 400);
    },
    spoils: [otherStatus(204), otherStatus(400)],
  },
];

/** Waits after each attempt of the default policy, in ms. */
const DEFAULT_WAITS = [100, 150, 225, 337, 506, 759, 1_139, 1_708, 2_562];

export const defaultPolicyCases: readonly Case[] = [
  {
    id: '89b',
    title: 'the default policy: ten attempts, with growing waits, then no more',
    basis: 'Take',
    rows: ['behaviour 5.4'],
    subscriptions: one,
    isLong: true,
    run: async (context) => {
      context.app.script(context.path(), { status: 500 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      waitsOf(await staysAt(context, 10), DEFAULT_WAITS);
    },
    spoils: [heardSuccess, twice],
  },
  {
    id: '89d',
    title: 'the default policy: the first four waits grow, then the app answers well',
    basis: 'Take',
    rows: ['behaviour 5.4'],
    subscriptions: one,
    run: async (context) => {
      const failed = { status: 500 };
      context.app.script(context.path(), failed, failed, failed, failed, { status: 200 });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      waitsOf(await staysAt(context, 5), DEFAULT_WAITS.slice(0, 4));
    },
    spoils: [heardSuccess, twice],
  },
];

/** A wait may be longer than the policy's on a busy machine, never shorter. */
function waitsOf(seen: readonly { readonly atMs: number }[], policy: readonly number[]): void {
  policy.forEach((least, at) => {
    const wait = (seen[at + 1]?.atMs ?? Number.NaN) - (seen[at]?.atMs ?? Number.NaN);
    assert.ok(wait > least - 20, `wait ${at + 1}: ${wait} ms, at least ${least}`);
  });
}
