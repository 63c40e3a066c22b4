/** One app's sidecar as its HTTP and gRPC edges see it. */
import { mayUse } from '../contract/component-scopes.ts';
import type { Differences, Profile } from '../contract/profile.ts';
import type { FailedEntry } from '../contract/publish.ts';
import type { Subscription } from '../contract/subscription.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { durationText } from '../domain/duration.ts';
import { Refusal } from '../domain/refusal.ts';
import type { BindingReply } from '../ports/binding.ts';
import type {
  OpenStream,
  PublishBulkRequest,
  PublishRequest,
  SidecarMetadata,
  SidecarView,
  StreamRequest,
} from './api.ts';
import type { App } from './state/app.ts';
import type { Bindings } from './bindings.ts';
import type { BulkPublisher } from './publishing/bulk-publisher.ts';
import type { Health } from './queries/health.ts';
import type { PublishChecks } from './publishing/publish-checks.ts';
import type { Publisher } from './publishing/publisher.ts';
import type { SharedServices } from './common-services.ts';
import type { Streams } from './apps/streams.ts';
import type { Topology } from './queries/topology.ts';

/** Limits of the metadata that an app sets for the life of the process: number of attributes, characters of names and values. */
const MAX_ATTRIBUTES = 1000;
const ATTRIBUTES_SIZE = 1024 * 1024;

export interface SidecarDependencies {
  readonly checks: PublishChecks;
  readonly publisher: Publisher;
  readonly bulkPublisher: BulkPublisher;
  readonly bindings: Bindings;
  readonly health: Health;
  readonly topology: Topology;
  readonly streams: Streams;
}

export class Sidecar implements SidecarView {
  readonly appId: string;
  readonly #shared: SharedServices;
  readonly #app: App;
  readonly #deps: SidecarDependencies;
  readonly #appUrl: string | undefined;

  /** @param appUrl address of the instance that this sidecar belongs to; undefined: the app's own, which may change */
  constructor(shared: SharedServices, app: App, deps: SidecarDependencies, appUrl?: string) {
    this.appId = app.appId;
    this.#shared = shared;
    this.#app = app;
    this.#deps = deps;
    this.#appUrl = appUrl;
  }

  hasPubsub(name: string): boolean {
    return this.#deps.checks.has(this.appId, name);
  }

  publish(request: Omit<PublishRequest, 'appId'>): ReturnType<SidecarView['publish']> {
    return this.#deps.publisher.publish({ ...request, appId: this.appId });
  }

  publishBulk(
    request: Omit<PublishBulkRequest, 'appId'>,
  ): Promise<{ messageIds: readonly string[]; failedEntries: readonly FailedEntry[] }> {
    return this.#deps.bulkPublisher.publish({ ...request, appId: this.appId });
  }

  invokeBinding(
    name: string,
    body: Uint8Array | string,
    trace: { traceparent?: string; tracestate?: string },
    given: { readonly isBeginning: boolean } = { isBeginning: false },
  ): Promise<BindingReply | undefined> {
    return this.#deps.bindings.invoke(this.appId, name, { body, trace, ...given });
  }

  invokeOperation(
    name: string,
    operation: string,
    data: Uint8Array,
    metadata: Readonly<Record<string, string>>,
  ): Promise<BindingReply | undefined> {
    return this.#deps.bindings.invokeOperation(this.appId, name, { operation, data, metadata });
  }

  openStream(request: StreamRequest): Promise<OpenStream> {
    return this.#deps.streams.open(this.#app, request);
  }

  get turns(): SidecarView['turns'] {
    return this.#shared.turns;
  }

  get stopping(): boolean {
    return this.#app.stopping;
  }

  get healthy(): boolean {
    return this.#deps.health.report(this.#app).healthz.healthy;
  }

  get outboundHealthy(): boolean {
    return this.#deps.health.report(this.#app).outbound.healthy;
  }

  get notReady(): readonly string[] {
    const components = this.#app.discovered ? this.#deps.health.uninitialised() : [];
    return components.length === 0 ? ['runtime'] : components;
  }

  /** Members of `GET /v1.0/metadata` in their order; empty ones are left out (behaviour 7.2). */
  metadata(): SidecarMetadata {
    const { profile, version, settings } = this.#shared;
    const { enabledFeatures, placement, firstListed } = profile.differences;
    const address = this.#appUrl ?? this.#app.channel.url;
    const components = this.#deps.topology
      .components()
      .filter((row) => row.state === 'ready' && mayUse(row, this.appId));
    const subscriptions = listed(this.#app, firstListed).map((subscription) => ({
      pubsubname: subscription.pubsubname,
      topic: subscription.topic,
      ...(Object.keys(subscription.metadata).length === 0 ? {} : { metadata: subscription.metadata }),
      ...rulesOf(subscription.rules, subscription.defaultPath),
      deadLetterTopic: subscription.deadLetterTopic ?? '',
      type: TYPES[subscription.source],
    }));
    const { resiliencies } = this.#app;
    const health = this.#app.health(settings.current);
    const { protocol } = connectionOf(address);
    const maxConcurrency = this.#app.maxConcurrency(settings.current);
    return {
      id: this.appId,
      runtimeVersion: runtimeVersion(profile, version),
      ...(enabledFeatures.length === 0 ? {} : { enabledFeatures }),
      ...(components.length === 0
        ? {}
        : {
            components: components.map(({ name, type, version: of, capabilities }) => ({
              name,
              type,
              version: of,
              ...(capabilities.length === 0 ? {} : { capabilities }),
            })),
          }),
      extended: {
        [profile.extendedVersionKey]: runtimeVersion(profile, version),
        ...Object.fromEntries(this.#app.attributes),
      },
      ...(subscriptions.length === 0 ? {} : { subscriptions }),
      appConnectionProperties: {
        ...connectionOf(address),
        ...(maxConcurrency === 0 ? {} : { maxConcurrency }),
        ...(health.enabled
          ? {
              health: {
                // The health check of a gRPC app calls a method, which has no path.
                ...(protocol === 'grpc' ? {} : { healthCheckPath: health.path }),
                healthProbeInterval: durationText(health.intervalMs),
                healthProbeTimeout: durationText(health.timeoutMs),
                healthThreshold: health.threshold,
              },
            }
          : {}),
      },
      actorRuntime: {
        runtimeStatus: this.#app.discovered ? 'DISABLED' : 'INITIALIZING',
        hostReady: false,
        ...withoutUndefined({ placement }),
      },
      ...(resiliencies.length === 0 ? {} : { resiliencies: resiliencies.map((name) => ({ name })) }),
    };
  }

  /** Throws Refusal ERR_MALFORMED_REQUEST beyond the bounds: attributes live as long as the process. */
  setMetadata(key: string, value: string): void {
    const { attributes } = this.#app;
    const before = attributes.get(key);
    let size = key.length + value.length;
    for (const [name, kept] of attributes) if (name !== key) size += name.length + kept.length;
    const reason =
      before === undefined && attributes.size >= MAX_ATTRIBUTES
        ? `at most ${MAX_ATTRIBUTES} are kept`
        : size > ATTRIBUTES_SIZE
          ? `at most ${ATTRIBUTES_SIZE} characters are kept`
          : undefined;
    if (reason !== undefined)
      throw new Refusal('ERR_MALFORMED_REQUEST', { reason }, { variant: 'attributes' });
    attributes.set(key, value);
  }
}

/** Subscriptions listed in the metadata; before the first discovery those declared in files. */
function listed(app: App, first: Differences['firstListed']): readonly Subscription[] {
  const rows = app.rows.map(({ subscription }) => subscription);
  const known = rows.length === 0 && !app.discovered ? app.declared : rows;
  if (first === 'programmatic') return known;
  const rank = ({ pubsubname, topic }: Subscription): number => {
    const at = app.declared.findIndex((one) => one.pubsubname === pubsubname && one.topic === topic);
    return at < 0 ? app.declared.length : at;
  };
  // An app's own subscription takes the position of the file's subscription that it replaces.
  const isOfStream = ({ source }: Subscription): boolean => source === 'streaming';
  return known.toSorted((a, b) => Number(isOfStream(a)) - Number(isOfStream(b)) || rank(a) - rank(b));
}

const TYPES = {
  declarative: 'DECLARATIVE',
  programmatic: 'PROGRAMMATIC',
  streaming: 'STREAMING',
} as const satisfies Readonly<Record<Subscription['source'], string>>;

function runtimeVersion(profile: Profile, version: string): string {
  return profile.runtimeVersion ?? version;
}

function rulesOf(
  rules: readonly { match: string; path: string }[],
  defaultPath: string | undefined,
): { rules?: { match?: string; path: string }[] } {
  const all = [
    ...rules.map(({ match, path }) => ({ ...(match === '' ? {} : { match }), path })),
    ...(defaultPath === undefined ? [] : [{ path: defaultPath }]),
  ];
  return all.length === 0 ? {} : { rules: all };
}

/** @param address "" for an app that only publishes: the reference then names no port */
function connectionOf(address: string): {
  readonly port?: number;
  readonly protocol: string;
  readonly channelAddress: string;
} {
  if (address === '') return { protocol: 'http', channelAddress: '127.0.0.1' };
  const url = new URL(address);
  return {
    port: Number(url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port),
    protocol: url.protocol.replace(':', ''),
    channelAddress: url.hostname,
  };
}
