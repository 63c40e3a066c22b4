/** The HTTP way to one app, behind ports/app-channel.ts: one connection pool, no redirects, no certificate check. */
import { connect } from 'node:net';

import type { Dispatcher, Pool } from 'undici';
import ConnectionPool from 'undici/lib/dispatcher/pool.js';

import type { AppScheme } from '../../contract/grpc.ts';
import type { AppCall, AppChannel, PendingAnswer, ReceivedAnswer } from '../../ports/app-channel.ts';
import { spokenScheme } from '../spoken-scheme.ts';
import { Call, KnownHeaders } from './call.ts';
import { bodyOf, headersOf, targetOf } from './request-form.ts';

export interface HttpAppChannelOptions {
  /** http or https address of the app; a path in it stands before every call's path. */
  readonly url: string;
  /** Calls in flight at most, 1 to 1,024; further ones wait, and their timeout counts from when they start. Default 32. */
  readonly connections?: number;
  /** Default 4 MiB: above it a verdict no longer looks for its `status`. */
  readonly maxBodyBytes?: number;
  /** How much of a body that cannot be read is given. Default 256 KiB, the cap of an attempt record. */
  readonly startBytes?: number;
}

const MOST_CONNECTIONS = 1024;
/** Discovery and health calls never wait behind deliveries that hang. */
const RESERVED = 4;
/**
 * An app may close a connection that is idle; one that is being closed while a call goes out looks like a reset. So an idle one
 * is kept this long only, unless the app promises longer (`keep-alive: timeout=…`).
 */
const IDLE_MS = 1_000;
/** An address that swallows connections must not keep one for ever, even where calls have no timeout. */
const CONNECT_MS = 30_000;

const DEFAULT_HEADERS = { 'user-agent': 'sidelight', 'accept-encoding': 'gzip' } as const;

/** Opens no connection yet. Throws TypeError when `url` is not an http or https address or a number is out of range. */
export function createHttpAppChannel(options: HttpAppChannelOptions): AppChannel {
  const address = new URL(options.url);
  if (address.protocol !== 'http:' && address.protocol !== 'https:') {
    throw new TypeError(`The app's address must start with http:// or https://, got ${options.url}`);
  }
  const connections = options.connections ?? 32;
  if (!Number.isInteger(connections) || connections < 1 || connections > MOST_CONNECTIONS) {
    throw new TypeError(`connections must be an integer 1 to ${MOST_CONNECTIONS}, got ${connections}`);
  }
  return new HttpAppChannel(address, connections, {
    maxBodyBytes: options.maxBodyBytes ?? 4 * 1024 * 1024,
    startBytes: options.startBytes ?? 256 * 1024,
  });
}

interface Waiting {
  readonly call: Call;
  readonly send: () => void;
}

class HttpAppChannel implements AppChannel {
  readonly url: string;
  readonly #address: URL;
  readonly #base: string;
  readonly #connections: number;
  readonly #limits: { readonly maxBodyBytes: number; readonly startBytes: number };
  readonly #pool: Pool;
  readonly #open = new Set<Call>();
  readonly #headers = new KnownHeaders();
  readonly #waiting: Waiting[] = [];
  #inFlight = 0;
  #isClosed = false;

  constructor(
    address: URL,
    connections: number,
    limits: { readonly maxBodyBytes: number; readonly startBytes: number },
  ) {
    this.#address = address;
    this.#base = address.pathname.replace(/\/+$/, '');
    this.url = address.origin + this.#base;
    this.#connections = connections;
    this.#limits = limits;
    this.#pool = new ConnectionPool(address.origin, {
      connections: connections + RESERVED,
      pipelining: 1,
      allowH2: false,
      // The call's own clock covers connecting, waiting and reading.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: { timeout: CONNECT_MS, rejectUnauthorized: false },
      keepAliveTimeout: IDLE_MS,
    });
  }

  deliver(call: AppCall): PendingAnswer {
    let wasSent = false;
    const pending = this.#newCall(call.timeoutMs ?? 0, () => {
      if (wasSent) this.#inFlight--;
      this.#sendNext();
    });
    this.#waiting.push({
      call: pending,
      send: () => {
        wasSent = true;
        this.#inFlight++;
        this.#send(pending, {
          method: call.method ?? 'POST',
          path: targetOf(this.#base, call.path),
          headers: headersOf(call.headers, DEFAULT_HEADERS),
          body: bodyOf(call.body),
        });
      },
    });
    this.#sendNext();
    return { answer: pending.answer, cancel: (reason) => pending.cancel(reason) };
  }

  async get(
    path: string,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<ReceivedAnswer> {
    const call = this.#newCall(timeoutMs, () => undefined);
    this.#send(call, {
      method: 'GET',
      path: targetOf(this.#base, path),
      headers: headersOf(headers, DEFAULT_HEADERS),
      body: null,
    });
    return call.answer;
  }

  async probe(timeoutMs: number): Promise<boolean> {
    if (this.#isClosed) return false;
    const { host, port } = this.#target();
    return new Promise((resolve) => {
      const socket = connect({ host, port, timeout: timeoutMs });
      const end = (accepts: boolean): void => {
        socket.destroy();
        resolve(accepts);
      };
      socket.once('connect', () => end(true));
      socket.once('timeout', () => end(false));
      // A refused connection is the answer "no".
      socket.on('error', () => end(false));
    });
  }

  async spokenScheme(timeoutMs: number): Promise<AppScheme | undefined> {
    if (this.#isClosed) return undefined;
    const { host, port } = this.#target();
    return spokenScheme(host, port, timeoutMs);
  }

  /** Where a socket is opened to. */
  #target(): { readonly host: string; readonly port: number } {
    const { protocol, port, hostname } = this.#address;
    const standard = protocol === 'https:' ? 443 : 80;
    return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? standard : Number(port) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#open) call.cancel('The channel to the app was closed.');
    await this.#pool.destroy();
  }

  #newCall(timeoutMs: number, ended: () => void): Call {
    const call = new Call({ timeoutMs, ...this.#limits }, this.#headers, () => {
      this.#open.delete(call);
      ended();
    });
    this.#open.add(call);
    return call;
  }

  #sendNext(): void {
    while (this.#inFlight < this.#connections) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      if (!next.call.isSettled) next.send();
    }
  }

  #send(call: Call, request: Dispatcher.DispatchOptions): void {
    if (this.#isClosed) call.cancel('The channel to the app is closed.');
    else {
      call.begin();
      this.#pool.dispatch(request, call);
    }
  }
}
