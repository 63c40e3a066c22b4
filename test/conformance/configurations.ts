/** Every way the sidecar under test is started, and what is tried on it. */
import { bindingCases } from './cases/bindings.ts';
import { accessCases, failingCases } from './cases/access.ts';
import { bulkAnswerCases } from './cases/bulk-answers.ts';
import { bulkDeliveryCases } from './cases/bulk-delivery.ts';
import { bulkPublishRefusalCases } from './cases/bulk-publish-refusals.ts';
import { bulkPublishCases } from './cases/bulk-publish.ts';
import { brokenComponentCases, componentCases } from './cases/components.ts';
import { consoleCases } from './cases/console.ts';
import { deliveryAnswerCases } from './cases/delivery-answers.ts';
import { deliveryCases } from './cases/delivery.ts';
import { defaultPolicyCases, oneAtATimeCases, serialCases, settingCases } from './cases/limits.ts';
import { edgeCases } from './cases/edges.ts';
import { eventRouterCases } from './cases/event-router.ts';
import { routerFieldCases } from './cases/event-router-fields.ts';
import { matchCases } from './cases/match.ts';
import { healthAndMetadataCases } from './cases/health-metadata.ts';
import { grpcAppCases, grpcLimitCases } from './cases/grpc-apps.ts';
import { grpcBatchReplyCases } from './cases/grpc-batch-replies.ts';
import { grpcCallCases } from './cases/grpc-calls.ts';
import {
  brokenListCases,
  grpcAppDownCases,
  grpcHealthCases,
  lateGrpcAppCases,
  noListCases,
} from './cases/grpc-discovery.ts';
import { grpcAccessCases, grpcOffCases, grpcServerCases, grpcTokenCases } from './cases/grpc-server.ts';
import {
  grpcEndCases,
  grpcScopeCases,
  grpcStreamCases,
  grpcTimeoutCases,
  noAppCases,
} from './cases/grpc-streams.ts';
import { matchingCases, releaseDeliveryCases } from './cases/release-delivery.ts';
import { releasePublishCases } from './cases/release-publish.ts';
import {
  changingFileCases,
  duplicateNameCases,
  flappingCases,
  outboundCases,
  releaseBaseCases,
  releasePolicyCases,
  secondDiscoveryCases,
  stopCases,
  unhealthyStreamCases,
} from './cases/release-rest.ts';
import {
  badMatchCases,
  emptyDiscoveryCases,
  forcedShutdownCases,
  preflightCases,
  releaseFileCases,
  releaseLateCases,
  releaseScopeCases,
} from './cases/release-start.ts';
import { redisAwayCases, redisCases } from './cases/redis.ts';
import { publishContentCases } from './cases/publish-content.ts';
import { publishEnvelopeCases } from './cases/publish-envelope.ts';
import { publishRefusalCases } from './cases/publish-refusals.ts';
import { routingCases } from './cases/routing.ts';
import {
  badElementCases,
  brokenDiscoveryCases,
  noDiscoveryCases,
  objectDiscoveryCases,
  resetDiscoveryCases,
} from './cases/discovery.ts';
import { appDownCases, appHealthCases, lateAppCases, shutdownCases } from './cases/start-up.ts';
import { API_TOKEN, APP_TOKEN, tokenCases } from './cases/tokens.ts';
import { ttlRawCases } from './cases/ttl-raw.ts';
import { twoAppCases } from './cases/two-apps.ts';
import type { Step } from './suite/app-answer.ts';
import { listing, quickRetry } from './suite/configuration.ts';
import type { Configuration } from './suite/configuration.ts';
import {
  badRouterFiles,
  componentFiles,
  declaredFiles,
  badMatchFiles,
  duplicateFiles,
  outboundFiles,
  redisFiles,
  releaseFiles,
  routerFiles,
  unknownTypeFiles,
} from './suite/files.ts';

/** Answers the probe of an input binding with `status`, events with 200. */
const probed =
  (status: number): Step =>
  (delivery) => ({ status: delivery.method === 'OPTIONS' ? status : 200 });
const FOLDER = 'the components folder that --write-resources writes';

/** In the order in which they are run. `base` needs nothing but an in-memory component named pubsub. */
export const CONFIGURATIONS: readonly Configuration[] = [
  {
    id: 'base',
    title: 'an in-memory component named pubsub, quick retries',
    needs: 'app id checkout, in-memory component pubsub, at least 3 attempts, --max-attempts saying how many',
    args: () => quickRetry(4),
    maxAttempts: 4,
    cases: [
      ...publishContentCases,
      ...publishEnvelopeCases,
      ...publishRefusalCases,
      ...edgeCases,
      ...ttlRawCases,
      ...bulkPublishCases,
      ...bulkPublishRefusalCases,
      ...routingCases,
      ...matchCases,
      ...deliveryCases,
      ...deliveryAnswerCases,
      ...bulkDeliveryCases,
      ...bulkAnswerCases,
      ...healthAndMetadataCases,
      ...consoleCases,
      ...releasePublishCases,
      ...releaseBaseCases,
      ...grpcCallCases,
      ...grpcServerCases,
      ...grpcStreamCases,
      ...releaseDeliveryCases,
    ],
  },
  {
    id: 'components',
    title: 'a components folder',
    needs: FOLDER,
    args: () => quickRetry(4),
    resources: componentFiles,
    app: { '/tick': [probed(200)], '/with-405': [probed(405)], '/refused': [probed(404)] },
    maxAttempts: 4,
    cases: [
      ...accessCases,
      ...releaseScopeCases,
      ...failingCases,
      ...componentCases,
      ...bindingCases,
      ...grpcAccessCases,
      ...grpcScopeCases,
      ...changingFileCases,
    ],
  },
  {
    id: 'bad-elements',
    title: 'a discovery answer with elements that cannot be used',
    needs: 'as base; the sidecar must keep the good elements',
    args: () => quickRetry(4),
    maxAttempts: 4,
    cases: badElementCases,
  },
  {
    id: 'tokens',
    title: 'API tokens both ways',
    needs: `environment: the API token ${API_TOKEN}, APP_API_TOKEN ${APP_TOKEN}`,
    args: () => quickRetry(4),
    env: ({ names }) => ({ [names.apiTokenVariable]: API_TOKEN, APP_API_TOKEN: APP_TOKEN }),
    headers: (names) => ({ [names.tokenHeader]: API_TOKEN }),
    maxAttempts: 4,
    cases: [...tokenCases, ...preflightCases, ...grpcTokenCases],
  },
  {
    id: 'serial',
    title: 'one call at a time per subscription',
    needs: 'one call at a time per subscription',
    args: () => [...quickRetry(4), '--set', 'delivery.concurrency=1'],
    maxAttempts: 4,
    cases: serialCases,
  },
  {
    id: 'one-at-a-time',
    title: 'one call at a time for the app',
    needs: 'app concurrency 1',
    args: () => [...quickRetry(4), '--set', 'app.maxConcurrency=1'],
    maxAttempts: 4,
    cases: oneAtATimeCases,
  },
  {
    id: 'settings',
    title: 'an attempt timeout of 300 ms and a body limit of 1,000 bytes',
    needs: 'an attempt timeout of 300 ms and a body limit of 1,000 bytes',
    args: () => [
      ...quickRetry(4),
      '--set',
      'delivery.attemptTimeoutMs=300',
      '--set',
      'http.maxBodyBytes=1000',
    ],
    maxAttempts: 4,
    cases: [...settingCases, ...grpcTimeoutCases, ...flappingCases],
  },
  {
    id: 'two-apps',
    title: 'a second app in the same product',
    needs: 'two apps on one broker',
    secondApp: true,
    args: () => quickRetry(4),
    maxAttempts: 4,
    cases: twoAppCases,
  },
  {
    id: 'app-health',
    title: 'app health checks every 50 ms',
    needs: 'app health checks on, interval 50 ms, threshold 3',
    args: () => [
      ...quickRetry(4),
      '--set',
      'app.health={"enabled":true,"intervalMs":50,"timeoutMs":50,"threshold":3}',
    ],
    maxAttempts: 4,
    cases: [...appHealthCases, ...unhealthyStreamCases],
  },
  {
    id: 'app-down',
    title: 'attempts without end',
    needs: 'a retry policy without end',
    args: () => quickRetry(0),
    fresh: true,
    maxAttempts: 0,
    cases: appDownCases,
  },
  {
    id: 'late-app',
    title: "the app's port opens after the sidecar started",
    needs: "a fresh start of the sidecar while the suite's app port is closed",
    args: () => quickRetry(4),
    appOpensLate: true,
    fresh: true,
    maxAttempts: 4,
    cases: lateAppCases,
  },
  {
    id: 'grpc-app',
    title: 'an app that speaks gRPC',
    needs: 'app id checkout, an app that is called over gRPC, at least 3 attempts',
    args: () => quickRetry(4),
    grpcApp: true,
    maxAttempts: 4,
    cases: [...grpcAppCases, ...grpcBatchReplyCases],
  },
  {
    id: 'grpc-limits',
    title: 'an app that speaks gRPC, an attempt timeout of 300 ms, one call at a time',
    needs: 'an app that is called over gRPC, an attempt timeout of 300 ms, app concurrency 1',
    profiles: ['dapr'],
    args: () => [
      ...quickRetry(4),
      ...['--set', 'delivery.attemptTimeoutMs=300', '--set', 'app.maxConcurrency=1'],
    ],
    grpcApp: true,
    maxAttempts: 4,
    cases: grpcLimitCases,
  },
  {
    id: 'grpc-broken-list',
    title: 'an app that speaks gRPC answers discovery INTERNAL twice, one subscription in a file',
    needs: `a fresh start with ${FOLDER}, an app that is called over gRPC`,
    profiles: ['dapr'],
    args: () => quickRetry(4),
    resources: declaredFiles,
    discovery: (subscriptions) => [{ status: 13 }, { status: 13 }, listing(subscriptions)],
    grpcApp: true,
    maxAttempts: 4,
    cases: brokenListCases,
  },
  {
    id: 'grpc-no-list',
    title: 'an app that speaks gRPC without a list of subscriptions, one in a file',
    needs: `a fresh start with ${FOLDER}, an app that is called over gRPC`,
    profiles: ['dapr'],
    args: () => quickRetry(4),
    resources: declaredFiles,
    discovery: () => [{ status: 12 }],
    grpcApp: true,
    notReady: true,
    fresh: true,
    maxAttempts: 4,
    cases: noListCases('G37', 'UNIMPLEMENTED', 1),
  },
  {
    id: 'grpc-failing-list',
    title: 'an app that speaks gRPC answers discovery INTERNAL, one subscription in a file',
    needs: `a fresh start with ${FOLDER}, an app that is called over gRPC`,
    profiles: ['dapr'],
    args: () => quickRetry(4),
    resources: declaredFiles,
    discovery: () => [{ status: 13 }],
    grpcApp: true,
    notReady: true,
    fresh: true,
    maxAttempts: 4,
    cases: noListCases('G38b', 'INTERNAL', 4),
  },
  {
    id: 'grpc-late-app',
    title: 'the port of an app that speaks gRPC opens after the sidecar started',
    needs:
      "a fresh start of the sidecar while the suite's app port is closed, an app that is called over gRPC",
    profiles: ['dapr'],
    args: () => quickRetry(4),
    grpcApp: true,
    appOpensLate: true,
    fresh: true,
    maxAttempts: 4,
    cases: lateGrpcAppCases,
  },
  {
    id: 'grpc-app-down',
    title: 'an app that speaks gRPC, attempts without end',
    needs: 'a retry policy without end, an app that is called over gRPC',
    profiles: ['dapr'],
    args: () => quickRetry(0),
    grpcApp: true,
    fresh: true,
    maxAttempts: 0,
    cases: grpcAppDownCases,
  },
  {
    id: 'grpc-health',
    title: 'health checks every 50 ms of an app that speaks gRPC and has no health service',
    needs: 'app health checks on, interval 50 ms, an app that is called over gRPC',
    profiles: ['dapr'],
    args: () => [
      ...quickRetry(4),
      '--set',
      'app.health={"enabled":true,"intervalMs":50,"timeoutMs":50,"threshold":3}',
    ],
    grpcApp: true,
    notReady: true,
    maxAttempts: 4,
    cases: grpcHealthCases,
  },
  {
    id: 'no-app',
    title: 'no app',
    needs: 'a sidecar without an app',
    profiles: ['dapr'],
    args: () => [...quickRetry(4), '--app-url', 'none'],
    notReady: true,
    maxAttempts: 4,
    cases: noAppCases,
  },
  {
    id: 'grpc-off',
    title: 'no gRPC port',
    needs: 'a sidecar that serves no gRPC',
    profiles: ['sidecar'],
    args: () => [...quickRetry(4), '--grpc-port', 'off'],
    maxAttempts: 4,
    cases: grpcOffCases,
  },
  {
    id: 'release-files',
    title: 'files that releases of the reference read otherwise',
    needs: `${FOLDER}, and NAMESPACE n in its environment`,
    args: () => quickRetry(3),
    env: () => ({ NAMESPACE: 'n' }),
    resources: releaseFiles,
    maxAttempts: 3,
    cases: [...releaseFileCases, ...matchingCases, ...releasePolicyCases],
  },
  {
    id: 'redis',
    title: 'components on a Redis server',
    needs: `${FOLDER}, and a Redis server`,
    profiles: ['dapr', 'dapr-1.18'],
    args: () => quickRetry(10),
    resources: redisFiles,
    redis: 'running',
    maxAttempts: 10,
    cases: redisCases,
  },
  {
    id: 'redis-away',
    title: 'a Redis server that comes after the sidecar started',
    needs: `a fresh start with ${FOLDER} while the Redis server is not there`,
    profiles: ['dapr'],
    args: () => quickRetry(4),
    resources: redisFiles,
    redis: 'away',
    notReady: true,
    fresh: true,
    maxAttempts: 4,
    cases: redisAwayCases,
  },
  {
    id: 'redis-down',
    title: 'a Redis server that goes away, and policies for publishes',
    needs: `a fresh start with ${FOLDER}, and a Redis server that the suite ends`,
    profiles: ['dapr'],
    args: () => quickRetry(4),
    resources: outboundFiles,
    redis: 'running',
    notReady: true,
    fresh: true,
    maxAttempts: 4,
    cases: outboundCases,
  },
  {
    id: 'release-discovery-500',
    title: 'discovery answered 500 at first, one subscription in a file',
    needs: `a fresh start with ${FOLDER}`,
    profiles: ['dapr'],
    args: () => quickRetry(4),
    resources: declaredFiles,
    discovery: () => [{ status: 500 }],
    notReady: true,
    fresh: true,
    maxAttempts: 4,
    cases: secondDiscoveryCases,
  },
  {
    id: 'release-late',
    title: 'a subscription in a file, before the app is there',
    needs: `a fresh start with ${FOLDER} while the suite's app port is closed`,
    args: () => quickRetry(4),
    resources: declaredFiles,
    appOpensLate: true,
    fresh: true,
    maxAttempts: 4,
    cases: releaseLateCases,
  },
  {
    id: 'release-bad-match',
    title: 'a subscription file whose rule is broken',
    needs: FOLDER,
    args: () => quickRetry(4),
    resources: badMatchFiles,
    notReady: true,
    maxAttempts: 4,
    cases: badMatchCases,
  },
  {
    id: 'release-empty-discovery',
    title: 'discovery answered 200 without a body, one subscription in a file',
    needs: `a fresh start with ${FOLDER}`,
    args: () => quickRetry(4),
    resources: declaredFiles,
    discovery: () => [{ status: 200, body: '' }],
    notReady: true,
    maxAttempts: 4,
    cases: emptyDiscoveryCases,
  },
  {
    id: 'discovery-404',
    title: 'discovery answered 404',
    needs: 'a fresh start',
    args: () => quickRetry(4),
    discovery: () => [{ status: 404 }],
    notReady: true,
    fresh: true,
    maxAttempts: 4,
    cases: noDiscoveryCases('62a', 404),
  },
  {
    id: 'discovery-500',
    title: 'discovery answered 500',
    needs: 'a fresh start',
    args: () => quickRetry(4),
    discovery: () => [{ status: 500 }],
    notReady: true,
    fresh: true,
    maxAttempts: 4,
    cases: noDiscoveryCases('62b', 500),
  },
  {
    id: 'discovery-reset',
    title: 'the first discovery call breaks',
    needs: 'a fresh start',
    args: () => quickRetry(4),
    discovery: (subscriptions) => ['reset', listing(subscriptions)],
    maxAttempts: 4,
    cases: brokenDiscoveryCases,
  },
  {
    id: 'discovery-resets',
    title: 'the first four discovery calls break',
    needs: 'a fresh start',
    args: () => quickRetry(4),
    discovery: (subscriptions) => ['reset', 'reset', 'reset', 'reset', listing(subscriptions)],
    maxAttempts: 4,
    cases: resetDiscoveryCases,
  },
  {
    id: 'discovery-object',
    title: 'discovery answered with an object, one subscription in a file',
    needs: `a fresh start with ${FOLDER}`,
    args: () => quickRetry(4),
    resources: declaredFiles,
    discovery: (subscriptions) => [{ status: 200, body: JSON.stringify({ subscriptions }) }],
    notReady: true,
    fresh: true,
    maxAttempts: 4,
    cases: objectDiscoveryCases,
  },
  {
    id: 'event-router',
    title: 'event-router components, with a router on this machine',
    needs: `${FOLDER}, and a router of its own for the component that the console makes`,
    args: () => [
      '--set',
      'eventRouter.listen.router=localhost:0',
      '--set',
      'eventRouter.listen.ingress=localhost:0',
    ],
    resources: routerFiles,
    app: { '/asked': [probed(405)], '/refusing': [probed(404)] },
    maxAttempts: 10,
    cases: eventRouterCases,
  },
  {
    id: 'event-router-not-valid',
    title: 'an event-router component that is not valid',
    needs: FOLDER,
    resources: badRouterFiles,
    notReady: true,
    maxAttempts: 10,
    cases: routerFieldCases,
  },
  {
    id: 'unknown-type',
    title: 'a component of an unknown type',
    needs: FOLDER,
    args: () => quickRetry(4),
    resources: unknownTypeFiles,
    notReady: true,
    maxAttempts: 4,
    cases: brokenComponentCases('128a', 'wrong', 'an unknown component type'),
  },
  {
    id: 'duplicate',
    title: 'a component name in two files',
    needs: FOLDER,
    args: () => quickRetry(4),
    resources: duplicateFiles,
    notReady: true,
    maxAttempts: 4,
    cases: [
      ...brokenComponentCases('127c', 'double', 'a component name in two files'),
      ...duplicateNameCases,
    ],
  },
  {
    id: 'shutdown',
    title: 'shutdown',
    needs: 'a fresh start whose process the suite may watch',
    args: () => quickRetry(4),
    fresh: true,
    endsProcess: true,
    maxAttempts: 4,
    cases: [...shutdownCases, ...forcedShutdownCases, ...grpcEndCases, ...stopCases],
  },
  {
    id: 'default-policy',
    title: 'no setting at all',
    needs: 'the default policy: 10 attempts from 100 ms, times 1.5',
    maxAttempts: 10,
    cases: defaultPolicyCases,
  },
];

export interface NotRun {
  readonly id: string;
  readonly title: string;
  readonly reason: string;
}

/** Cases of reference section 15 that no configuration can try. */
export const NOT_RUN: readonly NotRun[] = [
  { id: '132', title: 'FastAPI app with its extension', reason: 'needs Python and that SDK' },
  { id: '133', title: 'ASP.NET app', reason: 'needs .NET and that SDK' },
  ...[
    ['G88', 'Python: publish, bulk, callback, stream'],
    ['G89', 'Go: publish, bulk, callback, stream'],
    ['G90', 'JavaScript: client, callback'],
    ['G91', 'Java: publish, bulk, stream'],
    ['G92', '.NET: publish, bulk, stream'],
    ['G93', 'Rust: publish, callback'],
    ['G94', 'an HTTP app that publishes over gRPC'],
  ].map(([id = '', title = '']) => ({
    id,
    title: `stock SDK, ${title}`,
    reason: 'tried by npm run test:sdk',
  })),
];
