/** A way to start the sidecar under test, and the cases that are tried on it. */
import type { AppAnswer, Step } from './app-answer.ts';
import type { Case, WireSubscription } from './case.ts';
import type { Names, ProfileName } from './names.ts';

export interface StartFacts {
  readonly names: Names;
  readonly appUrl: string;
  /** The Redis server of configurations that have one. */
  readonly redis?: RedisAddresses;
}

/** Each as `127.0.0.1:PORT`. */
export interface RedisAddresses {
  readonly host: string;
  /** Where it speaks TLS, with a certificate that nobody vouches for. */
  readonly tlsHost: string;
}

export interface Configuration {
  readonly id: string;
  readonly title: string;
  /** Instructions for a person who starts another sidecar for it. */
  readonly needs: string;
  readonly profiles?: readonly ProfileName[];
  /** Each case gets a start of its own. */
  readonly fresh?: true;
  /** Cases end its process, or look at its end. */
  readonly endsProcess?: true;
  /** The app's port stays closed until a case opens it. */
  readonly appOpensLate?: true;
  /** The suite's app speaks gRPC. */
  readonly grpcApp?: true;
  /** A Redis server of its own: running before the sidecar is started, or started by a case. Skipped by name without the program. */
  readonly redis?: 'running' | 'away';
  /** The product serves a second app, with a sidecar of its own. */
  readonly secondApp?: true;
  /** Answers of the app to discovery, instead of the cases' subscriptions. */
  readonly discovery?: (subscriptions: readonly WireSubscription[]) => readonly Step[];
  /** Health routes do not become 204, or nothing can be delivered: readiness is only that the sidecar answers. */
  readonly notReady?: true;
  /** Answers of the app to other paths. */
  readonly app?: Readonly<Record<string, readonly Step[]>>;
  /** Arguments for our own product, besides ports and names. */
  readonly args?: (facts: StartFacts) => readonly string[];
  readonly env?: (facts: StartFacts) => Readonly<Record<string, string>>;
  /** Files of the components folder, by name. */
  readonly resources?: (facts: StartFacts) => Readonly<Record<string, string>>;
  /** Headers of every call of the suite. */
  readonly headers?: (names: Names) => Readonly<Record<string, string>>;
  /** Attempts of the retry policy it is started with. */
  readonly maxAttempts: number;
  readonly cases: readonly Case[];
}

/** A policy that makes failures quick: `attempts` in all, 20 ms apart. 0 = no limit. */
export function quickRetry(attempts: number): readonly string[] {
  const policy = { maxAttempts: attempts, firstDelayMs: 20, factor: 1, maxDelayMs: 20, jitter: 0 };
  return ['--set', `delivery.retry=${JSON.stringify(policy)}`];
}

/** The discovery answer that lists these. */
export function listing(subscriptions: readonly unknown[]): AppAnswer {
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(subscriptions),
  };
}
