/** One connection to a Redis server. It reconnects with growing pauses; requests fail until then. */
import { Redis, ReplyError } from 'ioredis';
import type { RedisOptions } from 'ioredis';
import { errorText } from '../../contract/error-text.ts';
import { backoffMs } from '../../domain/backoff.ts';
import { lastMade } from '../../domain/last-made.ts';
import { atTurnEnd } from '../turn-end.ts';
import { Asked, TurnWrite } from './batched-write.ts';
import { addressOf } from './settings.ts';
import type { RedisSettings } from './settings.ts';

const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;
/** Time limit to connect, shorter than the start limit of a component, so that the error names the reason and not just a timeout. */
const CONNECT_LIMIT_MS = 4_000;
/** Silence after which the connection counts as lost; longer than a blocking read. */
const SILENCE_LIMIT_MS = 10_000;
/** Maximum time that a command waits for others, to be sent in one write. */
const MAX_WAIT_MS = 5;

export interface ConnectionListener {
  /** Called when the connection is lost, with the reason; once until it is back. */
  readonly onLost?: (reason: string) => void;
  readonly onRestored?: () => void;
  /**
   * Called when an attempt to reconnect has failed, or the first one is due.
   * @param inMs time until the next attempt
   */
  readonly onReconnecting?: (tries: number, reason: string, inMs: number) => void;
}

export class Connection {
  readonly address: string;
  readonly #redis: Redis;
  readonly #settings: RedisSettings;
  /** Why the last attempt failed; "" = unknown. */
  #reason = '';
  #lasting = false;
  #ended = false;
  /** Number of the connect whose loss was reported last. */
  #loggedEpoch = 0;
  #waiting: (() => void)[] = [];
  /** Commands of this turn of the event loop; undefined: none yet. */
  #gathering: TurnWrite | undefined;
  #passengers: (() => void)[] = [];
  #departure: NodeJS.Timeout | undefined;
  /** Number of times that the connection was established. */
  epoch = 0;

  /** Connects only at `open` or `follow`. */
  constructor(settings: RedisSettings, words: ConnectionListener = {}) {
    this.#settings = settings;
    this.address = addressOf(settings);
    const redis = new Redis({
      host: settings.host,
      port: settings.port,
      ...(settings.username === '' ? {} : { username: settings.username }),
      ...(settings.password === '' ? {} : { password: settings.password }),
      db: settings.db,
      ...(settings.tls === undefined ? {} : { tls: tlsOptions(settings.tls) }),
      lazyConnect: true,
      // Replies in one shape on every server version.
      protocol: 2,
      disableClientInfo: true,
      connectTimeout: CONNECT_LIMIT_MS,
      socketTimeout: SILENCE_LIMIT_MS,
      // Commands that are running when the connection is lost fail at once; the caller decides what to do.
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      retryStrategy: (times) => {
        if (!this.#lasting) return null;
        const pauseMs = backoffMs(times, FIRST_PAUSE_MS, MAX_PAUSE_MS);
        if (this.epoch > 0) words.onReconnecting?.(times - 1, this.#why(), pauseMs);
        return pauseMs;
      },
    });
    redis.on('error', (error: Error) => {
      this.#reason = reasonOf(error);
    });
    redis.on('ready', () => {
      this.epoch += 1;
      this.#reason = '';
      if (this.epoch > 1) words.onRestored?.();
      this.#wake();
    });
    redis.on('close', () => {
      // Each failed attempt closes a connection too; only the first close after a working one is reported.
      if (this.#ended || this.#loggedEpoch === this.epoch) return;
      this.#loggedEpoch = this.epoch;
      words.onLost?.(this.#why());
    });
    redis.on('end', () => this.#wake());
    this.#redis = redis;
  }

  get isReady(): boolean {
    return this.#redis.status === 'ready';
  }

  get isEnded(): boolean {
    return this.#ended;
  }

  /** Connects for the first time. Rejects with the reason, and then the connection is ended. Afterwards it reconnects by itself. */
  async open(): Promise<void> {
    try {
      await this.#redis.connect();
      // The client ignores a refused SELECT of its own, and the connection would stay on another database.
      if (this.#settings.db > 0) await this.call('SELECT', [this.#settings.db]);
      await this.call('PING', []);
      this.#lasting = true;
    } catch (error) {
      const said = this.#toError(error);
      this.end();
      throw said;
    }
  }

  /** Connects in the background and repeats failed attempts. */
  follow(): void {
    this.#lasting = true;
    this.#redis.connect().catch((error: unknown) => {
      if (this.#reason === '') this.#reason = errorText(error);
    });
  }

  /** Resolves when the connection is established or ended. */
  async ready(): Promise<void> {
    if (!this.isReady && !this.#ended) await new Promise<void>((go) => void this.#waiting.push(go));
  }

  /** Sends one command; the reply has bulk strings as bytes. Rejects with the error of Redis, or with the reason why it was not reached. */
  call(command: string, args: readonly (string | number | Buffer)[]): Promise<unknown> {
    return new Promise((resolve, reject) => this.ask(command, args, resolve, reject));
  }

  /**
   * As `call`, with callbacks, because promises would cost more for the commands of each message. All commands of one turn of the event
   * loop are sent in one write, since the write costs most of a command.
   */
  ask(
    command: string,
    args: readonly (string | number | Buffer)[],
    onReply: (reply: unknown) => void,
    refused: (error: Error) => void,
  ): void {
    this.#gather();
    const asked = new Asked(command, args, onReply, (error) => refused(this.#toError(error)));
    this.#redis.sendCommand(asked, this.#gathering);
  }

  /**
   * Calls back when the next commands are about to be sent, so that the callback's commands share their write; after some milliseconds at
   * most.
   */
  alongside(ask: () => void): void {
    this.#passengers.push(ask);
    this.#departure ??= setTimeout(() => {
      this.#departure = undefined;
      this.#board();
    }, MAX_WAIT_MS);
  }

  /** Calls back at the end of this turn of the event loop, so that the callback's commands follow all others of the turn. */
  behindAll(ask: () => void): void {
    this.#gather();
    if (this.#gathering === undefined) ask();
    else this.#passengers.push(ask);
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#departure);
    this.#board();
    this.#gathering?.go();
    this.#redis.disconnect();
    this.#wake();
  }

  #gather(): void {
    if (this.#gathering !== undefined || !this.isReady) return;
    const gathering = new TurnWrite(this.#redis);
    this.#gathering = gathering;
    atTurnEnd(() => {
      this.#board();
      this.#gathering = undefined;
      lastMade.turnWrite = gathering;
      gathering.go();
    });
  }

  #board(): void {
    for (const ask of this.#passengers.splice(0)) ask();
  }

  #wake(): void {
    for (const go of this.#waiting.splice(0)) go();
  }

  #toError(error: unknown): Error {
    if (isReply(error)) return error;
    if (this.#ended) return new Unreachable('the component is closed', { cause: error });
    return new Unreachable(`Cannot reach Redis at ${this.address}: ${this.#why()}`, { cause: error });
  }

  #why(): string {
    return this.#reason === '' ? 'it closed the connection' : this.#reason;
  }
}

/** Error of a command that did not reach Redis, or whose reply did not arrive. */
export class Unreachable extends Error {}

/** True for an error that Redis itself replied; false if the command or its reply did not arrive. */
export function isReply(error: unknown): error is Error {
  return error instanceof ReplyError;
}

function reasonOf(error: Error): string {
  const text = errorText(error);
  const code = 'code' in error ? error.code : undefined;
  return code === 'ECONNREFUSED' ? `it refuses connections (${text || code})` : text;
}

function tlsOptions({
  ca,
  cert,
  key,
  verify,
}: NonNullable<RedisSettings['tls']>): NonNullable<RedisOptions['tls']> {
  return {
    rejectUnauthorized: verify,
    ...(ca === '' ? {} : { ca }),
    ...(cert === '' ? {} : { cert }),
    ...(key === '' ? {} : { key }),
  };
}
