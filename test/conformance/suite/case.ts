/** A conformance case, and its dependencies. */
import type { ConformanceApp } from './app.ts';
import type { Delivery } from './deliveries.ts';
import type { Answer, Sending as Plain } from './http-client.ts';
import type { GrpcSide } from './grpc-answer.ts';
import type { RedisServer } from '../../support/redis-server.ts';
import type { Names, ProfileName } from './names.ts';
import type { Spoil } from './spoiler.ts';

/** Element of the discovery answer; anything may be tried. */
export type WireSubscription = Readonly<Record<string, unknown>>;

/** `bare`: without the headers that every call of the suite carries. */
export type Sending = Plain & { readonly bare?: boolean };

export interface PublishOptions {
  readonly bare?: boolean;
  readonly method?: 'POST' | 'PUT';
  /** undefined: the header is not sent. */
  readonly contentType?: string;
  /** Without the question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly component?: string;
}

export interface BulkPublishEntry {
  readonly entryId?: unknown;
  readonly event?: unknown;
  readonly contentType?: unknown;
  readonly metadata?: unknown;
  readonly [other: string]: unknown;
}

export interface Sidecar {
  readonly url: string;
  /** Any request; `target` starts with a slash. */
  send(target: string, sending?: Sending): Promise<Answer>;
  publish(topic: string, body: string | Uint8Array, options?: PublishOptions): Promise<Answer>;
  /** `entries` as JSON, or text sent as it is. */
  bulk(
    topic: string,
    entries: readonly BulkPublishEntry[] | string,
    options?: PublishOptions,
  ): Promise<Answer>;
}

/** The console's RPC of the product under test, where it has one. */
export interface ConsoleRpc {
  call(method: string, params: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
}

/** A second app with a sidecar of its own in the same product. */
export interface SecondApp {
  readonly app: ConformanceApp;
  readonly sidecar: Sidecar;
}

/** Facts about the sidecar's start, for a case. */
export interface Running {
  /** Attempts of the running retry policy. */
  readonly maxAttempts: number;
  /** Resolves with the exit code once the sidecar's process ended; undefined: it is not ours to watch. */
  readonly ended?: Promise<number>;
  /** The sidecar's process, where it is ours. */
  readonly pid?: number;
}

/** The components folder of a running sidecar. */
export interface ResourceFolder {
  /** Writes a file, whole. */
  write(name: string, text: string): Promise<void>;
  remove(name: string): Promise<void>;
}

export interface Context {
  readonly names: Names;
  readonly appId: string;
  /** Name of the in-memory component. */
  readonly component: string;
  readonly sidecar: Sidecar;
  readonly app: ConformanceApp;
  readonly appPort: number;
  readonly second: SecondApp | undefined;
  readonly running: Running;
  readonly console: ConsoleRpc | undefined;
  /** The sidecar over gRPC. */
  readonly grpc: GrpcSide;
  /** The sidecar over gRPC at another address, on a connection of its own. */
  grpcAt(address: string): GrpcSide;
  /** Where the sidecar serves gRPC; undefined: nowhere. */
  readonly grpcAddress: string | undefined;
  readonly files: ResourceFolder | undefined;
  /** The server of configurations that have one. */
  readonly redis: RedisServer | undefined;
  /** Longest wait for anything, in ms. */
  readonly patienceMs: number;
  /** A topic of this case alone; subscriptions of the case name it the same way. */
  topic(name?: string): string;
  /** The route of `topic(name)` in the suite's own subscriptions. */
  path(name?: string): string;
  /** The first `count` deliveries at the route of `topic(name)`. */
  arrive(count?: number, name?: string): Promise<readonly Delivery[]>;
  /** The first delivery there, as JSON. */
  event(name?: string): Promise<Readonly<Record<string, unknown>>>;
  /** Deliveries at the route of `topic(name)` so far. */
  seen(name?: string): readonly Delivery[];
  /** A request to another listener of the sidecar, its webhook for example. */
  beside(url: string, sending: Plain): Promise<Answer>;
  /**
   * Resolves when a message published now has been tried three times: by then anything that the sidecar had
   * wrongly put off for a first or second retry would have come.
   */
  fence(): Promise<void>;
  /** Asks until `holds` does; rejects after the suite's patience. */
  poll<T>(ask: () => Promise<T>, holds: (value: T) => boolean, wanted: string): Promise<T>;
  /** Resolves once the wall clock is so much further: for what only time brings about, a TTL for example. */
  later(ms: number): Promise<void>;
  /** Resolves with the value, or rejects after the suite's patience naming what was waited for. */
  within<T>(waiting: Promise<T>, wanted: string): Promise<T>;
}

/** How much a case rests on: written in the interface, the reference where it is silent, or settled by ourselves. */
export type Basis = 'S' | 'R' | 'Take';

export interface Case {
  /** Number of reference section 15, with a letter where it has parts; `x` numbers are rows that section has no case for. */
  readonly id: string;
  readonly title: string;
  readonly basis: Basis;
  /** Rows that it proves: ids of docs/spec-rows.json, or a section of the reference. */
  readonly rows: readonly string[];
  /** Only in these profiles; absent: both. */
  readonly profiles?: readonly ProfileName[];
  /** Calls the sidecar over gRPC. */
  readonly needsGrpc?: true;
  /** Uses the console's RPC. */
  readonly needsConsole?: true;
  /** A case of more than two seconds: `--brief` leaves it out and runs its short twin. */
  readonly isLong?: true;
  /** Changes files of the components folder. */
  readonly needsFiles?: true;
  readonly subscriptions?: (own: Own) => readonly WireSubscription[];
  readonly run: (context: Context) => Promise<void>;
  /** Each of these, on its own, must make the case fail. */
  readonly spoils: readonly Spoil[];
}

/** Names that a case gives to its own topics. */
export interface Own {
  readonly names: Names;
  readonly component: string;
  topic(name?: string): string;
  path(name?: string): string;
  /** A subscription of `topic(name)` at `path(name)`, with `more` members. */
  subscription(name?: string, more?: WireSubscription): WireSubscription;
  /** A subscription like `subscription`, with bulk delivery. */
  bulk(name?: string, limits?: WireSubscription, more?: WireSubscription): WireSubscription;
}

/** The one subscription most cases have. */
export const one = (own: Own): readonly WireSubscription[] => [own.subscription()];
