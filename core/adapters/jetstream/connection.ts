/** The connection to the NATS servers. It reconnects with growing pauses; requests fail until then. */
import { isIP } from 'node:net';
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { connect, jwtAuthenticator } from '@nats-io/transport-node';
import type { NatsConnection, NodeConnectionOptions, Status, TlsOptions } from '@nats-io/transport-node';
import { backoffMs } from '../../domain/backoff.ts';
import { addressOf } from './settings.ts';
import type { JetStreamSettings } from './settings.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** Shorter than the component's start timeout, so that the error names the reason. */
const CONNECT_LIMIT_MS = 4_000;
const ANSWER_LIMIT_MS = 5_000;
/** Interval of pings; after two without an answer the connection counts as lost. */
const PING_EVERY_MS = 5_000;

export interface ConnectionListener {
  /** Called when the connection is lost, with the reason; once until it is back. */
  readonly onLost: (reason: string) => void;
  readonly onRestored: () => void;
  /**
   * Called when an attempt to reconnect begins.
   * @param inMs time until the next attempt, if this one fails
   */
  readonly onReconnecting: (tries: number, inMs: number) => void;
}

export interface JetStream {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

export class Connection {
  readonly address: string;
  readonly #settings: JetStreamSettings;
  readonly #words: ConnectionListener;
  #nats: NatsConnection | undefined;
  #stream: JetStream | undefined;
  #isReady = false;
  #isEnded = false;
  /** Number of attempts to reconnect since the connection was lost. */
  #tries = 0;
  #reason = '';
  #waiting: (() => void)[] = [];
  /** Rejections of running requests, called when the connection is lost. */
  readonly #pendingRejects = new Set<() => void>();

  /** Connects only at `open`. */
  constructor(settings: JetStreamSettings, words: ConnectionListener) {
    this.#settings = settings;
    this.#words = words;
    this.address = addressOf(settings);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** Connects for the first time. Rejects with the reason, and then the connection is ended. Afterwards it reconnects by itself. */
  async open(): Promise<void> {
    try {
      const nats = await connect(this.#options());
      this.#nats = nats;
      if (this.#isEnded) throw new Error('the component is closed');
      void this.#follow(nats);
      const { domain, apiPrefix } = this.#settings;
      const manager = await jetstreamManager(nats, {
        timeout: ANSWER_LIMIT_MS,
        ...(domain === '' ? {} : { domain }),
        ...(apiPrefix === '' ? {} : { apiPrefix }),
      });
      this.#stream = { manager, client: manager.jetstream() };
      this.#isReady = true;
    } catch (error) {
      const said = this.toError(error);
      await this.end();
      throw said;
    }
  }

  /** Client and manager for requests. Throws while disconnected, because requests are not buffered. */
  use(): JetStream {
    if (this.#isEnded) throw new Error('the component is closed');
    if (this.#stream === undefined) throw new Error('the component was not started');
    if (!this.#isReady) throw this.toError(undefined);
    return this.#stream;
  }

  /** Resolves when the connection is established or ended. */
  async ready(): Promise<void> {
    if (!this.#isReady && !this.#isEnded) await new Promise<void>((go) => void this.#waiting.push(go));
  }

  /** Result of `work`; rejects as soon as the connection is lost. */
  abortOnDisconnect<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const away = (): void => reject(this.toError(undefined));
      this.#pendingRejects.add(away);
      work.then(resolve, reject).finally(() => this.#pendingRejects.delete(away));
    });
  }

  /** Answers a delivered message. While disconnected the client buffers the answer. Throws when the connection was ended. */
  answer(subject: string, answer: string): void {
    this.#nats?.publish(subject, answer);
  }

  /** Resolves when everything sent so far has reached the server; at once while it is away. */
  async flush(): Promise<void> {
    if (this.#isReady) await this.#nats?.flush();
  }

  /** Error for the log and the client, with the server's address unless the server itself has answered. */
  toError(error: unknown): Error {
    if (this.#isEnded) return new Error('the component is closed', { cause: error });
    if (isAnswer(error)) return error;
    const reason = error === undefined ? this.#reason || 'it closed the connection' : reasonOf(error);
    return new Error(`Cannot reach NATS at ${this.address}: ${reason}`, { cause: error });
  }

  async end(): Promise<void> {
    this.#isEnded = true;
    this.#isReady = false;
    this.#wake();
    await this.#nats?.close();
  }

  async #follow(nats: NatsConnection): Promise<void> {
    for await (const status of nats.status()) this.#note(status);
    const error = await nats.closed();
    if (this.#isEnded) return;
    this.#isReady = false;
    this.#words.onLost(`the connection ended for good: ${reasonOf(error)}`);
  }

  #note(status: Status): void {
    if (status.type === 'error') this.#reason = reasonOf(status.error);
    if (status.type === 'reconnecting') {
      this.#tries += 1;
      this.#words.onReconnecting(this.#tries, pauseAfter(this.#tries));
    }
    if (status.type === 'staleConnection') this.#reason = 'it does not answer';
    if (status.type === 'disconnect' && this.#isReady) {
      this.#isReady = false;
      this.#tries = 0;
      for (const away of this.#pendingRejects) away();
      this.#words.onLost(this.#reason === '' ? 'it closed the connection' : this.#reason);
    }
    if (status.type === 'reconnect' && !this.#isReady) {
      this.#isReady = true;
      this.#reason = '';
      this.#wake();
      this.#words.onRestored();
    }
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  #options(): NodeConnectionOptions {
    const { servers, name, user, password, token, jwt, seedKey, tls } = this.#settings;
    return {
      servers: [...servers],
      name: name === '' ? 'sidelight' : name,
      ...(user === '' ? {} : { user, pass: password }),
      ...(token === '' ? {} : { token }),
      ...(jwt === '' ? {} : { authenticator: jwtAuthenticator(jwt, new TextEncoder().encode(seedKey)) }),
      ...(tls === undefined ? {} : { tls: tlsOptions(tls, servers) }),
      timeout: CONNECT_LIMIT_MS,
      maxReconnectAttempts: -1,
      // A password that was changed at the server may be changed back, so the attempts go on and the reason is logged.
      ignoreAuthErrorAbort: true,
      // The library calls this more often than it reconnects, so it must not count attempts.
      reconnectDelayHandler: () => pauseAfter(this.#tries),
      pingInterval: PING_EVERY_MS,
      maxPingOut: 2,
      ignoreClusterUpdates: true,
      noAsyncTraces: true,
    };
  }
}

/** Error code of the server: the stream does not exist. */
export const STREAM_NOT_FOUND = 10_059;

/** True for an error that the server answered to a request of the API; false if the request did not reach it. */
export function isAnswer(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError;
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

function pauseAfter(tries: number): number {
  return backoffMs(tries + 1, FIRST_PAUSE_MS, MAX_PAUSE_MS);
}

function tlsOptions(
  { ca, cert, key }: NonNullable<JetStreamSettings['tls']>,
  servers: readonly string[],
): TlsOptions & { readonly host?: string } {
  const hosts = new Set(
    servers.map((server) => new URL(`nats://${server}`).hostname.replaceAll(/[[\]]/g, '')),
  );
  const [host] = hosts;
  return {
    ...(ca === '' ? {} : { ca }),
    ...(cert === '' ? {} : { cert }),
    ...(key === '' ? {} : { key }),
    // The client checks the certificate against the server's name, which it knows. An IP address has to be given as host.
    ...(hosts.size === 1 && host !== undefined && isIP(host) > 0 ? { host } : {}),
  };
}
