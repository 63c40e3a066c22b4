/** The components folder of configuration `components`, file by file. Any sidecar that reads such files can be given it. */
import type { Configuration, StartFacts } from './configuration.ts';
import type { Names } from './names.ts';
import { UNTOUCHED } from './spoiler.ts';

interface Item {
  readonly name: string;
  readonly value?: string;
  readonly secretKeyRef?: { readonly name: string; readonly key: string };
}

interface Extra {
  readonly scopes?: readonly string[];
  readonly ignoreErrors?: boolean;
  readonly secretStore?: string;
}

const API = { sidecar: 'sidecar.io', dapr: 'dapr.io' } as const;

/** JSON is YAML: documents are written so. */
const file = (...documents: readonly unknown[]): string =>
  documents.map((document) => JSON.stringify(document, null, 2)).join('\n---\n');

/** Makes documents of one profile's API group. */
export function documentsOf(facts: StartFacts): {
  readonly component: (name: string, type: string, metadata?: readonly Item[], extra?: Extra) => unknown;
  readonly memory: (name: string, metadata?: readonly Item[], extra?: Extra) => unknown;
  readonly declared: (version: string, name: string, spec: unknown, scopes?: readonly string[]) => unknown;
  readonly resiliency: (spec: unknown) => unknown;
} {
  const group = API[facts.names.brand];
  const component = (
    name: string,
    type: string,
    metadata: readonly Item[] = [],
    extra: Extra = {},
  ): unknown => ({
    apiVersion: `${group}/v1alpha1`,
    kind: 'Component',
    metadata: { name },
    spec: {
      type,
      version: 'v1',
      metadata,
      ...(extra.ignoreErrors === undefined ? {} : { ignoreErrors: extra.ignoreErrors }),
    },
    ...(extra.secretStore === undefined ? {} : { auth: { secretStore: extra.secretStore } }),
    ...(extra.scopes === undefined ? {} : { scopes: extra.scopes }),
  });
  return {
    component,
    memory: (name, metadata, extra) => component(name, 'pubsub.in-memory', metadata, extra),
    declared: (version, name, spec, scopes) => ({
      apiVersion: `${group}/${version}`,
      kind: 'Subscription',
      metadata: { name },
      spec,
      ...(scopes === undefined ? {} : { scopes }),
    }),
    resiliency: (spec) => ({
      apiVersion: `${group}/v1alpha1`,
      kind: 'Resiliency',
      metadata: { name: 'policies' },
      spec,
    }),
  };
}

/** App id that every configuration starts the sidecar with. */
export const APP_ID = 'checkout';

const scopes = (publishing: string): readonly Item[] => [
  { name: 'protectedTopics', value: 'pay' },
  { name: 'publishingScopes', value: publishing },
];

/** Components whose policy names statuses in a way that no release reads. */
const ODD_STATUSES = { 'odd-blanks': '500 - 599', 'odd-number': '99', 'odd-word': '5xx' } as const;

/** The folder of configuration `components`. `guarded-*` are the worked example of behaviour 9 in three roles. */
export function componentFiles(facts: StartFacts): Readonly<Record<string, string>> {
  const { component, memory, declared, resiliency } = documentsOf(facts);
  const cron = [{ name: 'schedule', value: '@every 100ms' }];
  return {
    'pubsub.yaml': file(memory('pubsub')),
    'two.yaml': file(memory('first-of-two'), memory('second-of-two')),
    'ignored.txt': file(memory('from-text')),
    'guarded.yml': file(
      memory('guarded-a', scopes(`${APP_ID}=pay,orders;b=`)),
      memory('guarded-b', scopes(`a = pay, orders ; ${APP_ID} =`)),
      memory('guarded-c', scopes('a=pay,orders;b=')),
      memory('guarded-list', [{ name: 'allowedTopics', value: 'one, two' }]),
      memory('guarded-read', [{ name: 'subscriptionScopes', value: `${APP_ID}=open,${UNTOUCHED}` }]),
      memory('for-others', [], { scopes: ['another-app'] }),
    ),
    'stream-scopes.yaml': file(
      memory('guarded-stream', [{ name: 'subscriptionScopes', value: `${APP_ID}=` }]),
    ),
    'failing.yaml': file(memory('failing', [{ name: 'failPublish', value: 'BOOM' }])),
    'a-secret.yaml': file(
      memory('from-secret', [{ name: 'allowedTopics', secretKeyRef: { name: 'topics', key: 'topics' } }], {
        secretStore: 'local-secrets',
      }),
    ),
    'z-store.yaml': file(
      component('local-secrets', 'secretstores.local.file', [{ name: 'secretsFile', value: 'secrets.json' }]),
    ),
    'secrets.json': JSON.stringify({ topics: 'kept-secret' }),
    'templated.yaml': file(memory('templated', [{ name: 'allowedTopics', value: '{appID}-orders' }])),
    'wrong.yaml': file(component('ignored-errors', 'pubsub.no-such-type', [], { ignoreErrors: true })),
    'resilient.yaml': file(memory('resilient'), memory('patient')),
    'guarded-dead.yaml': file(
      memory('guarded-dead', [
        { name: 'protectedTopics', value: 'locked' },
        { name: 'publishingScopes', value: 'another-app=locked' },
      ]),
    ),
    'odd.yaml': file(...Object.keys(ODD_STATUSES).map((name) => memory(name))),
    'odd-policies.yaml': file(
      ...Object.entries(ODD_STATUSES).map(([name, value]) =>
        changed(
          resiliency({
            policies: {
              retries: {
                [name]: {
                  policy: 'constant',
                  duration: '20ms',
                  maxRetries: 1,
                  matching: { httpStatusCodes: value },
                },
              },
            },
            targets: { components: { [name]: { inbound: { retry: name } } } },
          }),
          { metadata: { name } },
        ),
      ),
    ),
    'resiliency.yaml': file(
      resiliency({
        policies: { retries: { quick: { policy: 'constant', duration: '20ms', maxRetries: 2 } } },
        targets: { components: { resilient: { inbound: { retry: 'quick' } } } },
      }),
    ),
    'subscriptions.yaml': file(
      declared('v1alpha1', 'v1', { pubsubname: 'pubsub', topic: 'declared-v1', route: '/declared-v1' }),
      declared('v2alpha1', 'v2', {
        pubsubname: 'pubsub',
        topic: 'declared-v2',
        routes: {
          rules: [{ match: 'event.type == "special"', path: '/declared-special' }],
          default: '/declared-v2',
        },
      }),
      declared(
        'v1alpha1',
        'others',
        { pubsubname: 'pubsub', topic: 'declared-others', route: '/declared-others' },
        ['another-app'],
      ),
      declared('v2alpha1', 'twice', {
        pubsubname: 'pubsub',
        topic: 'declared-twice',
        routes: { default: '/from-file' },
      }),
    ),
    'hook.yaml': file(component('hook', 'bindings.http', [{ name: 'url', value: `${facts.appUrl}/hook` }])),
    'ticks.yaml': file(
      component('tick', 'bindings.cron', cron),
      component('refused', 'bindings.cron', cron),
      component('with-405', 'bindings.cron', cron),
      component('direct', 'bindings.cron', [
        ...cron,
        { name: 'direction', value: 'input' },
        { name: 'route', value: 'routed' },
      ]),
    ),
  };
}

/** A folder with one declared subscription. */
export function declaredFiles(facts: StartFacts): Readonly<Record<string, string>> {
  const { memory, declared } = documentsOf(facts);
  return {
    'pubsub.yaml': file(memory('pubsub')),
    'subscription.yaml': file(
      declared('v2alpha1', 'alone', {
        pubsubname: 'pubsub',
        topic: 'declared-alone',
        routes: { default: '/declared-alone' },
      }),
    ),
  };
}

/** Names of the event-router component, by profile. */
const ROUTER = {
  sidecar: { type: 'bindings.cloud.eventrouter', prefix: 'cloud', namespace: 'Cloud.EventRouter' },
  dapr: { type: 'bindings.azure.eventgrid', prefix: 'azure', namespace: 'Microsoft.EventGrid' },
} as const;

/** Every field of an event-router component; ports that nothing needs to listen on. */
export function routerFields(
  names: Names,
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const { prefix, namespace } = ROUTER[names.brand];
  const subscription = '22222222-2222-4222-8222-222222222222';
  const all: Record<string, unknown> = {
    direction: 'input, output',
    accessKey: 'a-key-of-the-suite',
    topicEndpoint: 'https://localhost:1/topics/orders/api/events',
    [`${prefix}TenantId`]: '11111111-1111-4111-8111-111111111111',
    [`${prefix}SubscriptionId`]: subscription,
    [`${prefix}ClientId`]: '33333333-3333-4333-8333-333333333333',
    [`${prefix}ClientSecret`]: 'a-secret-of-the-suite',
    subscriberEndpoint: 'https://localhost:2/api/events',
    handshakePort: '47811',
    scope: `/subscriptions/${subscription}/resourceGroups/dev/providers/${namespace}/topics/orders`,
    eventSubscriptionName: 'ordersin',
  };
  for (const [name, value] of Object.entries(changes)) {
    const own = name.replace(/^cloud/, prefix);
    if (value === undefined) delete all[own];
    else all[own] = value;
  }
  return all;
}

/** An event-router component as the text of a file. */
export function routerFile(names: Names, name: string, fields: Readonly<Record<string, unknown>>): string {
  const metadata = Object.entries(fields).map(([field, value]) => ({ name: field, value }));
  return file({
    apiVersion: `${API[names.brand]}/v1alpha1`,
    kind: 'Component',
    metadata: { name },
    spec: { type: ROUTER[names.brand].type, version: 'v1', metadata },
  });
}

/** An output side that posts to the app, and input sides that ask it first. */
export function routerFiles({ names, appUrl }: StartFacts): Readonly<Record<string, string>> {
  const { memory } = documentsOf({ names, appUrl });
  const output = { direction: 'output', accessKey: 'a-key-of-the-suite', topicEndpoint: `${appUrl}/topic` };
  const input = { direction: undefined, accessKey: undefined, topicEndpoint: undefined };
  const asking = (port: string): Readonly<Record<string, unknown>> =>
    routerFields(names, { ...input, handshakePort: port });
  return {
    'pubsub.yaml': file(memory('pubsub')),
    'out.yaml': routerFile(names, 'out', output),
    'asked.yaml': routerFile(names, 'asked', asking('47811')),
    'refusing.yaml': routerFile(names, 'refusing', asking('47812')),
    'direct.yaml': routerFile(names, 'direct', { ...asking('47813'), direction: 'input' }),
  };
}

/** An event-router component whose subscription may not be named so. */
export function badRouterFiles({ names, appUrl }: StartFacts): Readonly<Record<string, string>> {
  const { memory } = documentsOf({ names, appUrl });
  return {
    'pubsub.yaml': file(memory('pubsub')),
    'orders.yaml': routerFile(names, 'orders', routerFields(names, { eventSubscriptionName: 'a-b' })),
  };
}

/** The policy of the suite for a sidecar that has no setting for it: retries 20 ms apart. */
const EVERY_COMPONENT = 'DefaultPubsubComponentInboundRetryPolicy';

/** Files of a configuration, with a policy that makes failures quick. */
export function withPolicy(
  facts: StartFacts,
  { resources, maxAttempts }: Pick<Configuration, 'resources' | 'maxAttempts'>,
): Readonly<Record<string, string>> {
  const { memory, resiliency } = documentsOf(facts);
  const files = withoutFatal(resources?.(facts) ?? { 'pubsub.yaml': file(memory('pubsub')) });
  if (Object.values(files).some((text) => text.includes(EVERY_COMPONENT))) return files;
  const retry = { policy: 'constant', duration: '20ms', maxRetries: maxAttempts - 1 };
  const policy = changed(resiliency({ policies: { retries: { [EVERY_COMPONENT]: retry } } }), {
    metadata: { name: 'suite' },
  });
  return { ...files, 'suite-policy.yaml': file(policy) };
}

/** A component that a sidecar does not know must not end it: the cases of the others count. */
function withoutFatal(files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const text = (of: string): string =>
    of.replaceAll(/("kind": "Component"[^]*?"version": "v1",)/g, '$1\n    "ignoreErrors": true,');
  return Object.fromEntries(
    Object.entries(files).map(([name, of]) => [name, of.includes('"ignoreErrors"') ? of : text(of)]),
  );
}

const changed = (document: unknown, change: object): unknown => ({ ...Object(document), ...change });

/** Files that releases of the reference read differently, and policies that name statuses. */
export function releaseFiles(facts: StartFacts): Readonly<Record<string, string>> {
  const { memory, declared, resiliency } = documentsOf(facts);
  const v2 = (topic: string): unknown => ({ pubsubname: 'pubsub', topic, routes: { default: `/${topic}` } });
  const retries = (matching?: string, maxRetries = 2): unknown => ({
    policy: 'constant',
    duration: '20ms',
    maxRetries,
    ...(matching === undefined ? {} : { matching: { httpStatusCodes: matching } }),
  });
  return {
    'pubsub.yaml': file(
      memory('pubsub'),
      memory('bulk'),
      memory('five'),
      memory('some'),
      memory('none'),
      memory('hasty'),
      memory('spaced', [{ name: 'consumerID', value: '{namespace}' }]),
    ),
    'resiliency.yaml': file(
      resiliency({
        policies: {
          retries: {
            [EVERY_COMPONENT]: retries(),
            five: retries(undefined, 4),
            some: retries('500-599'),
            none: retries(','),
            never: retries(undefined, 0),
          },
          timeouts: { hasty: '300ms' },
        },
        targets: {
          components: {
            five: { inbound: { retry: 'five' } },
            some: { inbound: { retry: 'some' } },
            none: { inbound: { retry: 'none' } },
            hasty: { inbound: { retry: 'never', timeout: 'hasty' } },
          },
        },
      }),
    ),
    'subscriptions.yaml': file(
      changed(declared('v2alpha1', 'group', v2('other-group')), { apiVersion: 'x.io/v2alpha1' }),
      declared('v2alpha1', 'same', v2('same-name-first')),
      declared('v2alpha1', 'same', v2('same-name-second')),
      changed(declared('v2alpha1', 'elsewhere', v2('other-namespace')), {
        metadata: { name: 'elsewhere', namespace: 'other' },
      }),
      declared('v1alpha1', 'routeless', { pubsubname: 'pubsub', topic: 'without-route' }),
      declared('v2alpha1', 'twice', v2('declared-twice')),
      declared('v2alpha1', 'last', v2('declared-last')),
    ),
  };
}

/** Components on the suite's Redis server; `clashing` and, in some profiles, `checked` cannot be initialised. */
export function redisFiles(facts: StartFacts): Readonly<Record<string, string>> {
  const { component, memory } = documentsOf(facts);
  const { host = '', tlsHost = '' } = facts.redis ?? {};
  const [name = '', port = ''] = host.split(':');
  const redis = (of: string, settings: Readonly<Record<string, string>>): unknown =>
    component(
      of,
      'pubsub.redis',
      Object.entries({ redisHost: host, ...settings }).map(([key, value]) => ({ name: key, value })),
      { ignoreErrors: true },
    );
  const tls = { redisHost: tlsHost, enableTLS: 'true' };
  return {
    'pubsub.yaml': file(
      redis('pubsub', {}),
      redis('joined', { redisHost: name, redisPort: port }),
      redis('clashing', { redisPort: String(Number(port) + 1) }),
      redis('trimmed', { streamTTL: '10s' }),
      redis('checked', tls),
      redis('skipping', { ...tls, insecureSkipTLSVerify: 'true' }),
      memory('memory'),
    ),
  };
}

/** Components on Redis whose publishes have policies: three tries 300 ms apart, and one that does not name what fails. */
export function outboundFiles(facts: StartFacts): Readonly<Record<string, string>> {
  const { component, memory, resiliency } = documentsOf(facts);
  const redis = [{ name: 'redisHost', value: facts.redis?.host ?? '' }];
  const again = (httpStatusCodes: string, duration: string): unknown => ({
    policy: 'constant',
    duration,
    maxRetries: 2,
    matching: { httpStatusCodes },
  });
  return {
    'pubsub.yaml': file(memory('pubsub')),
    'redis.yaml': file(
      component('tried-again', 'pubsub.redis', redis),
      component('not-listed', 'pubsub.redis', redis),
    ),
    'resiliency.yaml': file(
      resiliency({
        policies: { retries: { again: again('503', '300ms'), other: again('429', '60s') } },
        targets: {
          components: {
            'tried-again': { outbound: { retry: 'again' } },
            'not-listed': { outbound: { retry: 'other' } },
          },
        },
      }),
    ),
  };
}

/** A subscription whose rule is broken, and a good one. */
export function badMatchFiles(facts: StartFacts): Readonly<Record<string, string>> {
  const { memory, declared } = documentsOf(facts);
  return {
    'pubsub.yaml': file(memory('pubsub')),
    'a-good.yaml': file(
      declared('v2alpha1', 'good', {
        pubsubname: 'pubsub',
        topic: 'beside-a-broken-rule',
        routes: { default: '/beside-a-broken-rule' },
      }),
    ),
    'b-broken.yaml': file(
      declared('v2alpha1', 'broken', {
        pubsubname: 'pubsub',
        topic: 'broken',
        routes: { rules: [{ match: 'event.type ==', path: '/broken' }] },
      }),
    ),
  };
}

/** A folder with a component of an unknown type. */
export function unknownTypeFiles(facts: StartFacts): Readonly<Record<string, string>> {
  const { component, memory } = documentsOf(facts);
  return {
    'pubsub.yaml': file(memory('pubsub')),
    'wrong.yaml': file(component('wrong', 'pubsub.no-such-type')),
  };
}

/** A folder with the same component name in two files. */
export function duplicateFiles(facts: StartFacts): Readonly<Record<string, string>> {
  const { memory } = documentsOf(facts);
  return {
    'pubsub.yaml': file(memory('pubsub')),
    'one.yaml': file(memory('double')),
    'two.yaml': file(memory('double')),
  };
}
