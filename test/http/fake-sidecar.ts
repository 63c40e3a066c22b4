/** A sidecar that records what its HTTP edge asks of it, and a server around it. */
import { onTestFinished } from 'vitest';
import { PROFILES } from '../../core/contract/profile.ts';
import type { ProfileName } from '../../core/contract/profile.ts';
import type { FailedEntry } from '../../core/contract/publish.ts';
import { StepTurns } from '../../core/domain/step-turns.ts';
import { createSidecarServer } from '../../core/http/server.ts';
import type { SidecarServer, SidecarServerOptions } from '../../core/http/server.ts';
import type { OpenStream, SidecarView } from '../../core/runtime/api.ts';

type Publish = Parameters<SidecarView['publish']>[0];
type PublishBulk = Parameters<SidecarView['publishBulk']>[0];
type Invoked = readonly [name: string, body: string, trace: Readonly<Record<string, string | undefined>>];

export interface FakeSidecar {
  readonly view: SidecarView;
  readonly published: Publish[];
  readonly bulk: PublishBulk[];
  readonly invoked: Invoked[];
  readonly extended: Record<string, string>;
  /** Names of its components. */
  pubsubs: string[];
  healthy: boolean;
  outboundHealthy: boolean;
  /** Thrown by whatever is called next. */
  refuse: Error | undefined;
  /** A publish is answered once it resolves. */
  publishing: Promise<void> | undefined;
  /** Stream to open; undefined: it is refused. */
  stream: OpenStream | undefined;
  failedEntries: readonly FailedEntry[];
  bindingAnswer: Awaited<ReturnType<SidecarView['invokeBinding']>>;
}

export function fakeSidecar(): FakeSidecar {
  const refused = (): void => {
    if (fake.refuse !== undefined) throw fake.refuse;
  };
  const fake: FakeSidecar = {
    published: [],
    bulk: [],
    invoked: [],
    extended: {},
    pubsubs: ['pubsub'],
    healthy: true,
    outboundHealthy: true,
    refuse: undefined,
    publishing: undefined,
    stream: undefined,
    failedEntries: [],
    bindingAnswer: undefined,
    view: {
      appId: 'checkout',
      hasPubsub: (name) => fake.pubsubs.includes(name),
      publish: async (request) => {
        refused();
        fake.published.push(request);
        await fake.publishing;
        return { messageId: 'msg_1' };
      },
      publishBulk: async (request) => {
        refused();
        fake.bulk.push(request);
        return Promise.resolve({ messageIds: [], failedEntries: fake.failedEntries });
      },
      invokeBinding: async (name, body, trace) => {
        refused();
        fake.invoked.push([name, String(body), trace]);
        return Promise.resolve(fake.bindingAnswer);
      },
      get healthy() {
        return fake.healthy;
      },
      get outboundHealthy() {
        return fake.outboundHealthy;
      },
      invokeOperation: async (name, operation, data) => {
        refused();
        fake.invoked.push([name, `${operation} ${Buffer.from(data).toString('utf8')}`, {}]);
        return Promise.resolve(fake.bindingAnswer);
      },
      openStream: async () => {
        if (fake.stream === undefined) throw new Error('this sidecar has no streams');
        return fake.stream;
      },
      turns: new StepTurns((run) => setImmediate(run)),
      stopping: false,
      notReady: ['runtime'],
      metadata: () => ({
        id: 'checkout',
        runtimeVersion: '1',
        extended: fake.extended,
        appConnectionProperties: { port: 6001, protocol: 'http', channelAddress: '127.0.0.1' },
        actorRuntime: { runtimeStatus: 'DISABLED', hostReady: false },
      }),
      setMetadata: (key, value) => {
        refused();
        fake.extended[key] = value;
      },
    },
  };
  return fake;
}

export interface Edge {
  readonly server: SidecarServer;
  readonly fake: FakeSidecar;
  readonly logged: string[];
  readonly foreign: string[];
  shutdowns: number;
}

/** A server around a fake sidecar; nothing listens until `server.start()`. */
export function edgeOf(change: Partial<SidecarServerOptions> = {}, profile: ProfileName = 'dapr'): Edge {
  const fake = fakeSidecar();
  const edge: Edge = {
    fake,
    logged: [],
    foreign: [],
    shutdowns: 0,
    server: createSidecarServer({
      sidecar: fake.view,
      profile: PROFILES[profile],
      port: 0,
      maxBodyBytes: () => 4_194_304,
      allowedOrigins: () => ['loopback'],
      shutdown: () => {
        edge.shutdowns += 1;
      },
      onForeignOrigin: (info) => edge.foreign.push(`${info.method} ${info.path} ${info.origin}`),
      log: { write: (level, _part, text) => edge.logged.push(`${level} ${text}`) },
      ...change,
    }),
  };
  return edge;
}

/** A server that listens until the end of the test. */
export async function listeningEdge(change: Partial<SidecarServerOptions> = {}): Promise<Edge> {
  const edge = edgeOf(change);
  await edge.server.start();
  onTestFinished(() => edge.server.close(0));
  return edge;
}
