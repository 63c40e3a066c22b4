/** Case 131: an app written with the stock JavaScript SDK, unmodified, against our own product in profile dapr. */
import { createServer } from 'node:net';
import { createRequire } from 'node:module';
import { startProduct } from './driver.ts';
import { SDK_STEPS } from './sdk-steps.ts';
import type { Received, Sdk, SdkApp, SdkStep } from './sdk-steps.ts';
import { createApp } from './suite/app.ts';
import type { ConformanceApp } from './suite/app.ts';
import { quickRetry } from './suite/configuration.ts';
import type { StartFacts } from './suite/configuration.ts';
import { poll, within } from './suite/context.ts';
import { documentsOf } from './suite/files.ts';
import { NAMES } from './suite/names.ts';
import type { ProfileName } from './suite/names.ts';
import type { CaseResult } from './suite/report.ts';
import type { StartedSidecar } from './suite/run.ts';

export interface SdkOptions {
  readonly profile: ProfileName;
  readonly entry: string | undefined;
  /** True if Sidelight is tested, and no other product. */
  readonly ours: boolean;
}

const PATIENCE_MS = 15_000;
const CONFIGURATION = 'sdk';

/** Runs it where it can be run; otherwise results that say why not. */
export async function sdkResults(options: SdkOptions): Promise<readonly CaseResult[]> {
  if (options.profile !== 'dapr') return [];
  if (!options.ours) {
    return [skipped('not reachable', 'the SDK has to be the app of a sidecar that we start')];
  }
  const sdk = await loadSdk();
  if (sdk === undefined) return [skipped('not run', 'the package @dapr/dapr is not installed')];
  const endpoint = createApp('/none');
  const endpointPort = await endpoint.open(0);
  const appPort = await freePort();
  let product: StartedSidecar | undefined;
  let server: SdkApp['server'] | undefined;
  try {
    product = await startProduct({
      configuration: {
        id: CONFIGURATION,
        title: 'an app of the JavaScript SDK',
        needs: 'nothing',
        args: () => quickRetry(4),
        resources: (facts) => files(facts, endpointPort),
        maxAttempts: 4,
        cases: [],
      },
      names: NAMES.dapr,
      appUrl: `http://127.0.0.1:${appPort}`,
      ...(options.entry === undefined ? {} : { entry: options.entry }),
    });
    server = createSdkServer(sdk, appPort, new URL(product.url).port);
    return await runSteps(sdk, server, product, endpoint);
  } catch (error) {
    return [resultOf({ id: '131', title: 'start' }, 0, error)];
  } finally {
    await server?.stop();
    await product?.stop();
    await endpoint.close();
    // The SDK leaves its ports in the environment, where the next product would inherit them.
    for (const name of ['DAPR_SERVER_PORT', 'DAPR_CLIENT_PORT']) delete process.env[name];
  }
}

async function runSteps(
  sdk: Sdk,
  server: SdkApp['server'],
  product: StartedSidecar,
  endpoint: ConformanceApp,
): Promise<readonly CaseResult[]> {
  const received = await subscribe(sdk, server);
  await within(server.start(), 'the start of the SDK server', 60_000);
  const health = async (): Promise<number> => (await fetch(`${product.url}/v1.0/healthz`)).status;
  await poll(health, (status) => status === 204, 'healthz 204', PATIENCE_MS);
  const app: SdkApp = {
    sdk,
    server,
    received,
    endpoint,
    got: async (topic, count) =>
      poll(
        async () => Promise.resolve(received.get(topic) ?? []),
        (seen) => seen.length >= count,
        `${count} on ${topic}`,
        PATIENCE_MS,
      ),
  };
  const results: CaseResult[] = [];
  for (const step of SDK_STEPS) {
    const from = performance.now();
    let failed: unknown;
    try {
      await step.run(app);
    } catch (error) {
      failed = error;
    }
    results.push(resultOf(step, performance.now() - from, failed));
  }
  return results;
}

async function subscribe(sdk: Sdk, server: SdkApp['server']): Promise<Received> {
  const received = new Map<string, unknown[]>();
  const note = (topic: string, data: unknown): number => {
    const seen = received.get(topic) ?? [];
    received.set(topic, seen);
    return seen.push(data);
  };
  for (const topic of ['orders', 'texts', 'events', 'bulk']) {
    await server.pubsub.subscribe('pubsub', topic, async (data: unknown) => {
      note(topic, data);
      return Promise.resolve();
    });
  }
  await server.pubsub.subscribe('pubsub', 'retried', async (data: unknown) => {
    const { RETRY, SUCCESS } = sdk.DaprPubSubStatusEnum;
    return Promise.resolve(note('retried', data) === 1 ? RETRY : SUCCESS);
  });
  await server.pubsub.subscribeBulk(
    'pubsub',
    'batches',
    async (data: unknown) => {
      note('batches', data);
      return Promise.resolve();
    },
    { maxMessagesCount: 2, maxAwaitDurationMs: 50 },
  );
  await server.binding.receive('tick', async (data: unknown) => {
    note('(binding)', data);
    return Promise.resolve();
  });
  return received;
}

type ServerOptions = NonNullable<ConstructorParameters<Sdk['DaprServer']>[0]>;

function createSdkServer(sdk: Sdk, appPort: number, sidecarPort: string): SdkApp['server'] {
  const silent = (): void => undefined;
  const service = { error: silent, warn: silent, info: silent, verbose: silent, debug: silent };
  return new sdk.DaprServer({
    serverHost: '127.0.0.1',
    serverPort: String(appPort),
    serverHttp: loopbackExpress(),
    communicationProtocol: sdk.CommunicationProtocolEnum.HTTP,
    clientOptions: { daprHost: '127.0.0.1', daprPort: sidecarPort },
    logger: { level: sdk.LogLevel.Error, service },
  });
}

/** The SDK's own web framework, listening on loopback only: by itself the SDK listens on every interface. */
function loopbackExpress(): NonNullable<ServerOptions['serverHttp']> {
  const requireFromSdk = createRequire(import.meta.resolve('@dapr/dapr'));
  const make: unknown = requireFromSdk('express');
  if (typeof make !== 'function') throw new Error('the SDK brings no express');
  const app: NonNullable<ServerOptions['serverHttp']> = make();
  const listen = app.listen.bind(app);
  app.listen = (port: number) => listen(port, '127.0.0.1');
  return app;
}

function files(facts: StartFacts, endpointPort: number): Readonly<Record<string, string>> {
  const { component, memory } = documentsOf(facts);
  const url = `http://127.0.0.1:${endpointPort}/hook`;
  return {
    'pubsub.yaml': JSON.stringify(memory('pubsub')),
    'hook.yaml': JSON.stringify(component('hook', 'bindings.http', [{ name: 'url', value: url }])),
    'tick.yaml': JSON.stringify(
      component('tick', 'bindings.cron', [{ name: 'schedule', value: '@every 200ms' }]),
    ),
  };
}

async function loadSdk(): Promise<Sdk | undefined> {
  try {
    return await import('@dapr/dapr');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** A port that was free a moment ago: the SDK cannot be asked for the one it got. */
async function freePort(): Promise<number> {
  const server = createServer();
  const port = await new Promise<number>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

const BASE = {
  basis: 'R',
  rows: ['behaviour 11.3'],
  configuration: CONFIGURATION,
  profile: 'dapr',
} as const;

function resultOf(step: Pick<SdkStep, 'id' | 'title'>, ms: number, failed: unknown): CaseResult {
  const { id } = step;
  const title = `JavaScript SDK: ${step.title}`;
  if (failed === undefined) return { ...BASE, id, title, result: 'passed', ms: Math.round(ms) };
  const reason = failed instanceof Error ? failed.message : JSON.stringify(failed);
  return { ...BASE, id, title, result: 'failed', ms: Math.round(ms), reason };
}

function skipped(result: 'not reachable' | 'not run', reason: string): CaseResult {
  return { ...BASE, id: '131', title: 'JavaScript SDK', result, ms: 0, reason };
}
