/** Starts and ends of app and sidecar. Conformance cases 61, 88, 95, 108, 111, 114. */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case } from '../suite/case.ts';
import { accepted, objectOf, refused } from '../suite/checks.ts';
import { listing } from '../suite/configuration.ts';
import { asksTwice, discoverySays, ready } from '../suite/discovery.ts';
import { lost, otherStatus, otherText, twice } from '../suite/spoiler.ts';

/** The app's port is closed until the case opens it. */
export const lateAppCases: readonly Case[] = [
  {
    id: '108',
    title: 'app port closed: healthz 500, outbound 204; app opens: healthz 204',
    basis: 'S',
    rows: ['health.500', 'health.204', 'health.outbound.204', 'behaviour 7.1'],
    run: async (context) => {
      const body = refused(await context.sidecar.send('/v1.0/healthz'), 500, 'ERR_HEALTH_NOT_READY');
      assert.deepEqual(body, {
        errorCode: 'ERR_HEALTH_NOT_READY',
        message: `${context.names.brandWord} is not ready${context.names.isNewer ? ': [runtime]' : ''}`,
      });
      accepted(await context.sidecar.send('/v1.0/healthz/outbound'));
      await context.app.open(context.appPort);
      await ready(context);
    },
    spoils: [otherStatus(204), otherStatus(500), otherText('is not ready', 'is ready')],
  },
  {
    id: '61',
    title: 'discovery is a GET of its route, once after the app port opened',
    basis: 'S',
    rows: ['discovery.route', 'discovery.array'],
    subscriptions: one,
    run: async (context) => {
      assert.equal(context.app.discoveries().length, 0);
      await context.app.open(context.appPort);
      await ready(context);
      await context.fence();
      const asked = context.app.discoveries();
      assert.equal(asked.length, 1);
      assert.equal(asked[0]?.method, 'GET');
      assert.equal(asked[0].path, context.names.discoveryPath);
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.event();
    },
    spoils: [asksTwice, lost],
  },
  {
    id: '111a',
    title: 'metadata is there before the app, without subscriptions; they appear',
    basis: 'R',
    rows: ['behaviour 7.2'],
    subscriptions: one,
    run: async (context) => {
      const before = objectOf((await context.sidecar.send('/v1.0/metadata')).json());
      assert.equal(before['id'], context.appId);
      assert.ok(!('subscriptions' in before));
      await context.app.open(context.appPort);
      await context.poll(
        async () => objectOf((await context.sidecar.send('/v1.0/metadata')).json()),
        (body) =>
          Array.isArray(body['subscriptions']) &&
          body['subscriptions'].some((entry) => objectOf(entry)['topic'] === context.topic()),
        'the subscription in the metadata',
      );
    },
    spoils: [otherText('"id"', '"subscriptions":[],"id"'), discoverySays(404)],
  },
  {
    id: 'x4',
    title: 'a message published before the app was there is delivered when it is',
    basis: 'Take',
    rows: ['behaviour 4.1', 'publish.at-least-once'],
    subscriptions: one,
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'early'));
      await context.app.open(context.appPort);
      assert.equal((await context.event())['data'], 'early');
    },
    spoils: [lost, discoverySays(404)],
  },
];

/** Attempts without end: the app goes and comes back. */
export const appDownCases: readonly Case[] = [
  {
    id: '88a',
    title: 'app down: tried again; app back: processed, nothing lost',
    basis: 'S',
    rows: ['publish.at-least-once', 'behaviour 5.2'],
    subscriptions: one,
    run: async (context) => {
      await context.app.close();
      for (let n = 0; n < 20; n += 1) accepted(await context.sidecar.publish(context.topic(), `n${n}`));
      assert.equal(context.seen().length, 0);
      await context.app.open(context.appPort);
      await context.app.log.until(
        context.path(),
        (seen) => new Set(seen.map((delivery) => delivery.json()['data'])).size === 20,
        'all 20 messages',
        context.patienceMs,
      );
    },
    spoils: [lost],
  },
  {
    id: 'x6',
    title: 'an app that comes back with other subscriptions is asked again',
    basis: 'Take',
    rows: ['behaviour 4.1'],
    subscriptions: () => [],
    run: async (context) => {
      const subscription = {
        pubsubname: context.component,
        topic: context.topic(),
        routes: { default: context.path() },
      };
      await context.app.close();
      // A message for the app is what the sidecar notices its absence by; the call is refused at once.
      accepted(await context.sidecar.publish('suite-fence', 'while it is away'));
      await context.later(500);
      context.app.script(context.names.discoveryPath, listing([subscription]));
      await context.app.open(context.appPort);
      await context.poll(
        async () => (await context.sidecar.send('/v1.0/metadata')).text,
        (text) => text.includes(context.topic()),
        'the new subscription in the metadata',
      );
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.event();
    },
    spoils: [
      {
        name: 'the new list is not heard',
        answered: (said, delivery) =>
          delivery.method === 'GET' && typeof said === 'object' && String(said.body).includes('_x6_')
            ? { status: 404 }
            : said,
      },
      lost,
    ],
  },
];

export const appHealthCases: readonly Case[] = [
  {
    id: '95',
    title: 'three failed probes: no deliveries; one success: resumed, discovery not asked again',
    basis: 'R',
    rows: ['behaviour 5.5'],
    subscriptions: one,
    run: async (context) => {
      const probes = (): number => context.app.log.at('/healthz').length;
      const asked = context.app.discoveries().length;
      context.app.script('/healthz', { status: 503 });
      const from = probes();
      // The answer to the third probe has been heard when the fifth arrives.
      await context.poll(
        async () => Promise.resolve(probes() - from),
        (count) => count >= 5,
        'five probes',
      );
      accepted(await context.sidecar.publish(context.topic(), 'later'));
      const since = probes();
      await context.poll(
        async () => Promise.resolve(probes() - since),
        (count) => count >= 5,
        'five more probes',
      );
      assert.deepEqual(context.seen(), []);
      context.app.script('/healthz', { status: 200 });
      await context.event();
      assert.equal(context.app.discoveries().length, asked);
    },
    spoils: [lost, { name: 'the sidecar hears 200 from the probe', answered: () => ({ status: 200 }) }],
  },
];

export const shutdownCases: readonly Case[] = [
  {
    id: '114a',
    title: 'POST shutdown: 204, a running delivery ends, the process ends with 0',
    basis: 'R',
    rows: ['behaviour 7.3'],
    subscriptions: one,
    run: async (context) => {
      const { ended } = context.running;
      assert.ok(ended !== undefined, 'the process is not ours to watch');
      let answerNow: (() => void) | undefined;
      const wait = new Promise<void>((resolve) => {
        answerNow = resolve;
      });
      context.app.script(context.path(), async () => {
        await wait;
        return { status: 200 };
      });
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.arrive();
      accepted(await context.sidecar.send('/v1.0/shutdown', { method: 'POST' }));
      answerNow?.();
      assert.equal(await context.within(ended, 'the end of the process'), 0);
      assert.equal(context.seen().length, 1);
    },
    spoils: [otherStatus(500), twice],
  },
  {
    id: '114b',
    title: 'a web page may not shut it down',
    basis: 'Take',
    rows: ['behaviour 7.3'],
    run: async (context) => {
      const answer = await context.sidecar.send('/v1.0/shutdown', {
        method: 'POST',
        headers: { origin: 'http://localhost:3000' },
      });
      assert.equal(answer.status, 403);
      accepted(await context.sidecar.send('/v1.0/healthz'));
    },
    spoils: [otherStatus(204)],
  },
];
