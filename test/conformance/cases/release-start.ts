/**
 * Differences between releases of the reference in files, health, metadata, preflights and shutdown. Cases V8, V19 to V32 and V66 to V72.
 */
import assert from 'node:assert/strict';
import { one } from '../suite/case.ts';
import type { Case, Context, Own, WireSubscription } from '../suite/case.ts';
import { accepted, listOf, objectOf, refused } from '../suite/checks.ts';
import type { Json } from '../suite/checks.ts';
import { ready } from '../suite/discovery.ts';
import { lost, otherHeader, otherStatus, otherText } from '../suite/spoiler.ts';
import type { Spoil } from '../suite/spoiler.ts';

/** A topic that a file of `releaseFiles` subscribes to, delivered at `/${topic}`. */
const comesTo = async (context: Context, path: string, topic = path.slice(1)): Promise<void> => {
  const mark = `${topic} ${performance.now()}`;
  accepted(await context.sidecar.publish(topic, mark));
  await context.app.log.until(
    path,
    (seen) => seen.some((each) => each.text.includes(mark)),
    `${topic}`,
    context.patienceMs,
  );
};

const staysAway = async (context: Context, path: string, topic = path.slice(1)): Promise<void> => {
  const mark = `${topic} ${performance.now()}`;
  accepted(await context.sidecar.publish(topic, mark));
  await context.fence();
  // Others may be delivered there; one that a spoil invents knows no mark.
  const isOwn = (text: string): boolean => text.includes(mark) || text.includes('"id":"invented"');
  assert.deepEqual(
    context.app.log.at(path).filter((each) => isOwn(each.text)),
    [],
    `something came to ${path}`,
  );
};

const metadataOf = async (context: Context): Promise<Json> =>
  objectOf((await context.sidecar.send('/v1.0/metadata')).json());

const listed = (metadata: Json): readonly Json[] =>
  metadata['subscriptions'] === undefined ? [] : listOf(metadata['subscriptions']).map(objectOf);

export const releaseFileCases: readonly Case[] = [
  {
    id: 'V19',
    title: 'the stable path of bulk publish while a component named bulk is loaded',
    basis: 'R',
    rows: ['release.stable-bulk'],
    subscriptions: (own) => [own.subscription('t', { pubsubname: 'bulk', topic: `pubsub/${own.topic()}` })],
    run: async (context) => {
      const target = `/v1.0/publish/bulk/pubsub/${context.topic()}`;
      const headers = { 'content-type': 'application/json' };
      accepted(await context.sidecar.send(target, { method: 'POST', body: '[]', headers }));
      if (context.names.isNewer) {
        await context.fence();
        assert.equal(context.seen().length, 0);
      } else assert.deepEqual((await context.event())['data'], []);
    },
    spoils: [otherStatus(404)],
  },
  {
    id: 'V19b',
    title: 'with one segment after it, it is the single publish to that component',
    basis: 'R',
    rows: ['release.stable-bulk'],
    subscriptions: (own) => [own.subscription('t', { pubsubname: 'bulk' })],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'hi', { component: 'bulk' }));
      assert.equal((await context.event())['data'], 'hi');
    },
    spoils: [lost, otherStatus(404)],
  },
  {
    id: 'V20',
    title: 'a component for one namespace: single and bulk publish reach its subscriber',
    basis: 'R',
    rows: ['release.namespaced'],
    subscriptions: (own) => [own.subscription('t', { pubsubname: 'spaced' })],
    run: async (context) => {
      accepted(await context.sidecar.publish(context.topic(), 'single', { component: 'spaced' }));
      const entry = { entryId: '1', contentType: 'text/plain', event: 'bulk' };
      accepted(await context.sidecar.bulk(context.topic(), [entry], { component: 'spaced' }));
      const came = await context.arrive(2);
      assert.deepEqual(came.map((each) => each.json()['data']).toSorted(), ['bulk', 'single']);
    },
    spoils: [lost],
  },
  {
    id: 'V25',
    title: 'a subscription of another API group: loads, or is skipped',
    basis: 'R',
    rows: ['release.api-group'],
    run: async (context) => {
      if (context.names.isNewer) await staysAway(context, '/other-group');
      else await comesTo(context, '/other-group');
    },
    spoils: [{ name: 'it is the other way round', ...swapped('/other-group') }],
  },
  {
    id: 'V25b',
    title: 'a skipped document is told on its file, with the reason',
    basis: 'Take',
    rows: ['release.api-group'],
    profiles: ['dapr-1.18'],
    needsConsole: true,
    run: async (context) => {
      const { problems } = objectOf(await context.console?.call('components.list', {}));
      const texts = listOf(problems).map((each) => String(objectOf(each)['message']));
      assert.ok(
        texts.some((text) => text.includes('x.io/v2alpha1')),
        texts.join('\n'),
      );
    },
    spoils: [{ name: 'the problem is not told', told: (result) => ({ ...result, problems: [] }) }],
  },
  {
    id: 'V26',
    title: 'two subscriptions of one name: both count, or the later one',
    basis: 'R',
    rows: ['release.subscription-name'],
    run: async (context) => {
      await comesTo(context, '/same-name-second');
      if (context.names.isNewer) await staysAway(context, '/same-name-first');
      else await comesTo(context, '/same-name-first');
    },
    spoils: [lost],
  },
  {
    id: 'V27',
    title: 'a subscription of another namespace: not for this sidecar, or loaded',
    basis: 'R',
    rows: ['release.namespace'],
    run: async (context) => {
      if (context.names.isNewer) await comesTo(context, '/other-namespace');
      else await staysAway(context, '/other-namespace');
    },
    spoils: [{ name: 'it is the other way round', ...swapped('/other-namespace') }],
  },
  {
    id: 'V29',
    title: 'a v1alpha1 subscription without a route: POST /, or no call',
    basis: 'R',
    rows: ['release.missing-route'],
    run: async (context) => {
      if (context.names.isNewer) await staysAway(context, '/', 'without-route');
      else await comesTo(context, '/', 'without-route');
    },
    spoils: [{ name: 'it is the other way round', ...swapped('/', 'without-route') }],
  },
  {
    id: 'V67',
    title: 'the metadata say where a subscription comes from, as its last member',
    basis: 'R',
    rows: ['release.subscription-type'],
    subscriptions: one,
    run: async (context) => {
      const all = listed(await metadataOf(context));
      const own = all.find((each) => each['topic'] === context.topic());
      const file = all.find((each) => each['topic'] === 'same-name-second');
      assert.deepEqual([own?.['type'], file?.['type']], ['PROGRAMMATIC', 'DECLARATIVE']);
      assert.equal(Object.keys(own ?? {}).at(-1), 'type');
    },
    spoils: [otherText(/"PROGRAMMATIC"/g, '"OTHER"'), otherText(/"DECLARATIVE"/g, '"OTHER"')],
  },
  {
    id: 'V68',
    title: "an app's own subscription goes before a file's; which are listed first depends on the release",
    basis: 'R',
    rows: ['release.listing'],
    subscriptions: (own: Own): readonly WireSubscription[] => [
      own.subscription('t'),
      own.subscription('u', { topic: 'declared-twice' }),
    ],
    run: async (context) => {
      const all = listed(await metadataOf(context));
      const twice = all.filter((each) => each['topic'] === 'declared-twice');
      assert.deepEqual([twice.length, twice[0]?.['type']], [1, 'PROGRAMMATIC']);
      const at = (topic: string): number => all.findIndex((each) => each['topic'] === topic);
      assert.equal(at('same-name-second') < at(context.topic()), context.names.isNewer);
      assert.equal(at('declared-twice') < at('declared-last'), true);
    },
    spoils: [
      {
        name: 'the list is turned round',
        answer: (answer) => {
          const body = objectOf(JSON.parse(answer.body.toString('utf8')));
          const text = JSON.stringify({ ...body, subscriptions: listed(body).toReversed() });
          return { ...answer, body: Buffer.from(text) };
        },
      },
    ],
  },
  {
    id: 'V69',
    title: 'the metadata name policies, and what the release has more',
    basis: 'R',
    rows: ['release.metadata'],
    run: async (context) => {
      const { isNewer, extendedVersionKey, brand } = context.names;
      const metadata = await metadataOf(context);
      assert.deepEqual(metadata['resiliencies'], [{ name: 'policies' }]);
      for (const name of ['scheduler', 'workflows', 'mcpServers'])
        assert.equal(name in metadata, false, name);
      const actors = objectOf(metadata['actorRuntime']);
      assert.equal(actors['placement'], isNewer ? 'placement: disconnected' : undefined);
      assert.equal(metadata['enabledFeatures'] === undefined, !isNewer);
      if (brand === 'dapr') {
        assert.equal(metadata['runtimeVersion'], isNewer ? '1.18.3' : '1.13.6');
        assert.equal(objectOf(metadata['extended'])[extendedVersionKey], metadata['runtimeVersion']);
      }
    },
    spoils: [otherText('"policies"', '"other"')],
  },
];

/** Spoil: a publish to a topic is seen at the path where it did not arrive, and not where it did. */
function swapped(path: string, topic = path.slice(1)): Omit<Spoil, 'name'> {
  return {
    delivered: (delivery) => (delivery.path === path ? [] : [delivery]),
    invented: (request) => (request.target.endsWith(`/${topic}`) ? path : undefined),
  };
}

export const badMatchCases: readonly Case[] = [
  {
    id: 'V28',
    title: 'a subscription file with a broken rule: the others count',
    basis: 'Take',
    rows: ['release.broken-rule'],
    run: async (context) => {
      await ready(context);
      await comesTo(context, '/beside-a-broken-rule');
    },
    spoils: [lost],
  },
];

export const releaseScopeCases: readonly Case[] = [
  {
    id: 'V8',
    title: 'a forbidden publish: two details, in the order of the release',
    basis: 'R',
    rows: ['release.details'],
    run: async (context) => {
      const answer = await context.sidecar.publish('pay', 'hi', { component: 'guarded-b' });
      const details = listOf(refused(answer, 403, 'ERR_PUBSUB_FORBIDDEN')['details']).map(objectOf);
      const types = details.map((each) => String(each['@type']).split('.').at(-1));
      const { isNewer } = context.names;
      assert.deepEqual(types, isNewer ? ['ResourceInfo', 'ErrorInfo'] : ['ErrorInfo', 'ResourceInfo']);
    },
    spoils: [otherStatus(204), otherText('ErrorInfo', 'Other')],
  },
];

/** The app's port opens when the case opens it; a file subscribes to `declared-alone`. */
export const releaseLateCases: readonly Case[] = [
  {
    id: 'V66',
    title: 'healthz while the app is awaited names what is missing, or not',
    basis: 'R',
    rows: ['release.not-ready'],
    run: async (context) => {
      const body = refused(await context.sidecar.send('/v1.0/healthz'), 500, 'ERR_HEALTH_NOT_READY');
      const { brandWord, isNewer } = context.names;
      const start = `${brandWord} is not ready`;
      assert.match(String(body['message']), new RegExp(isNewer ? `^${start}: \\[[^\\]]+\\]$` : `^${start}$`));
    },
    spoils: [otherStatus(204), otherText('is not', 'is')],
  },
  {
    id: 'V68b',
    title: 'a subscription of a file is listed before the app is there',
    basis: 'R',
    rows: ['release.listing'],
    run: async (context) => {
      const [first] = listed(await metadataOf(context));
      assert.deepEqual([first?.['topic'], first?.['type']], ['declared-alone', 'DECLARATIVE']);
    },
    spoils: [otherText('DECLARATIVE', 'PROGRAMMATIC')],
  },
  {
    id: 'V21',
    title: 'the discovery request names the app',
    basis: 'R',
    rows: ['release.discovery-app-id'],
    run: async (context) => {
      await context.app.open(context.appPort);
      await ready(context);
      const [first] = context.app.discoveries();
      assert.equal(first?.headers[context.names.appIdHeader], context.appId);
    },
    spoils: [
      {
        name: 'discovery names nobody',
        delivered: (delivery) => [{ ...delivery, headers: { host: 'x' } }],
      },
    ],
  },
];

export const emptyDiscoveryCases: readonly Case[] = [
  {
    id: 'V22',
    title: 'discovery answered 200 without a body: the subscriptions of files count',
    basis: 'R',
    rows: ['release.empty-discovery'],
    run: async (context) => {
      await ready(context);
      await comesTo(context, '/declared-alone');
    },
    spoils: [lost],
  },
];

export const preflightCases: readonly Case[] = [
  {
    id: 'V71',
    title: 'a preflight without the token: 401, or answered',
    basis: 'R',
    rows: ['release.pages'],
    run: async (context) => {
      const headers = {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'x-a',
      };
      const target = `/v1.0/publish/${context.component}/t`;
      const answer = await context.sidecar.send(target, { method: 'OPTIONS', headers, bare: true });
      if (!context.names.isNewer) {
        assert.equal(answer.status, 401);
        return;
      }
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['access-control-allow-methods'], 'POST');
      assert.equal(String(answer.headers['access-control-allow-headers']).toLowerCase(), 'x-a');
    },
    spoils: [otherStatus(204)],
  },
  {
    id: 'V71b',
    title: 'with the token a preflight is answered, and the page may read it',
    basis: 'Take',
    rows: ['release.pages'],
    run: async (context) => {
      const origin = 'http://localhost:5173';
      const headers = { origin, 'access-control-request-method': 'POST' };
      const target = `/v1.0/publish/${context.component}/t`;
      const answer = await context.sidecar.send(target, { method: 'OPTIONS', headers });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers['access-control-allow-origin'], origin);
      assert.equal(answer.headers['access-control-allow-methods'], 'POST');
    },
    spoils: [otherStatus(404), otherHeader('access-control-allow-origin', '*')],
  },
];

export const forcedShutdownCases: readonly Case[] = [
  {
    id: 'V72',
    title: 'a forced shutdown: 204, and the process ends with 1 although a call is open',
    basis: 'R',
    rows: ['release.forced-shutdown'],
    subscriptions: one,
    run: async (context) => {
      const { ended } = context.running;
      assert.ok(ended !== undefined, 'the process is not ours to watch');
      context.app.script(context.path(), 'hang');
      accepted(await context.sidecar.publish(context.topic(), 'hi'));
      await context.arrive();
      const headers = { [`${context.names.brandWord}-force-shutdown`]: 'TRUE' };
      accepted(await context.sidecar.send('/v1.0/shutdown', { method: 'POST', headers }));
      assert.equal(await context.within(ended, 'the end of the process'), 1);
    },
    spoils: [
      otherStatus(500),
      {
        name: 'the header is lost',
        request: (request) => ({ ...request, headers: { host: request.headers['host'] ?? 'x' } }),
      },
    ],
  },
];
