/** The connection to the NATS servers: it comes back by itself with growing pauses, and what is asked meanwhile is refused. */
import { isIP } from 'node:net';
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import type { JetStreamClient, JetStreamManager } from '@nats-io/jetstream';
import { connect, jwtAuthenticator } from '@nats-io/transport-node';
import type { NatsConnection, NodeConnectionOptions, Status, TlsOptions } from '@nats-io/transport-node';
import { backoffMs } from '../../domain/backoff.ts';
import { addressOf } from './settings.ts';
import type { JetStreamSettings } from './settings.ts';

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Below the time a component has to start, so that the reason is told and not only that time ran out. */
const CONNECT_LIMIT_MS = 4_000;
const ANSWER_LIMIT_MS = 5_000;
/** Two of them without an answer: the server counts as gone. */
const PING_EVERY_MS = 5_000;

export interface ConnectionWords {
  /** Called when the server went away after it was there, with the reason; once until it is back. */
  readonly onAway: (reason: string) => void;
  readonly onBack: () => void;
  /** A try to connect again begins. @param inMs until the next one, if it fails */
  readonly onTry: (tries: number, inMs: number) => void;
}

export interface JetStream {
  readonly client: JetStreamClient;
  readonly manager: JetStreamManager;
}

export class Connection {
  readonly address: string;
  readonly #settings: JetStreamSettings;
  readonly #words: ConnectionWords;
  #nats: NatsConnection | undefined;
  #stream: JetStream | undefined;
  #isReady = false;
  #isEnded = false;
  /** Tries since it went away. */
  #tries = 0;
  #reason = '';
  #waiting: (() => void)[] = [];
  /** Told when the connection goes. */
  readonly #underWay = new Set<() => void>();

  /** Opens nothing yet. */
  constructor(settings: JetStreamSettings, words: ConnectionWords) {
    this.#settings = settings;
    this.#words = words;
    this.address = addressOf(settings);
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** The first connection, once: rejects with the reason, and then it is ended. Afterwards it comes back by itself. */
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
      const said = this.say(error);
      await this.end();
      throw said;
    }
  }

  /** What asks the server. Throws while the connection is away: nothing is kept back to be sent later. */
  use(): JetStream {
    if (this.#isEnded) throw new Error('the component is closed');
    if (this.#stream === undefined) throw new Error('the component was not started');
    if (!this.#isReady) throw this.say(undefined);
    return this.#stream;
  }

  /** Resolves when it is established or ended. */
  async ready(): Promise<void> {
    if (!this.#isReady && !this.#isEnded) await new Promise<void>((go) => void this.#waiting.push(go));
  }

  /** What the work comes to; rejects at once when the connection goes, since no answer can come then. */
  untilAway<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const away = (): void => reject(this.say(undefined));
      this.#underWay.add(away);
      work.then(resolve, reject).finally(() => this.#underWay.delete(away));
    });
  }

  /** Answers a hand-over; sent when the server is back, if it is away. Throws when the connection was ended. */
  answer(subject: string, answer: string): void {
    this.#nats?.publish(subject, answer);
  }

  /** Resolves when everything sent so far has reached the server; at once while it is away. */
  async flush(): Promise<void> {
    if (this.#isReady) await this.#nats?.flush();
  }

  /** With the address, unless the server itself has answered. */
  say(error: unknown): Error {
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
    this.#words.onAway(`the connection ended for good: ${reasonOf(error)}`);
  }

  #note(status: Status): void {
    if (status.type === 'error') this.#reason = reasonOf(status.error);
    if (status.type === 'reconnecting') {
      this.#tries += 1;
      this.#words.onTry(this.#tries, pauseAfter(this.#tries));
    }
    if (status.type === 'staleConnection') this.#reason = 'it does not answer';
    if (status.type === 'disconnect' && this.#isReady) {
      this.#isReady = false;
      this.#tries = 0;
      for (const away of this.#underWay) away();
      this.#words.onAway(this.#reason === '' ? 'it closed the connection' : this.#reason);
    }
    if (status.type === 'reconnect' && !this.#isReady) {
      this.#isReady = true;
      this.#reason = '';
      this.#wake();
      this.#words.onBack();
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
      // A password that was changed at the server may be changed back: the tries go on, and what is wrong is told.
      ignoreAuthErrorAbort: true,
      // Asked before every look at the time, not only before every try: it may not count.
      reconnectDelayHandler: () => pauseAfter(this.#tries),
      pingInterval: PING_EVERY_MS,
      maxPingOut: 2,
      ignoreClusterUpdates: true,
      noAsyncTraces: true,
    };
  }
}

/** Code of the server's answer about a stream that is not there. */
export const STREAM_NOT_FOUND = 10_059;

/** True for what the server itself answered to a question about streams; otherwise it could not be asked. */
export function isAnswer(error: unknown): error is JetStreamApiError {
  return error instanceof JetStreamApiError;
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause.message : '';
  return cause === '' || error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}

function pauseAfter(tries: number): number {
  return backoffMs(tries + 1, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
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
    // A certificate is checked against a name, which the client knows, or an address, which it has to be told.
    ...(hosts.size === 1 && host !== undefined && isIP(host) > 0 ? { host } : {}),
  };
}
