/** The HTTP way to one app, behind ports/app-channel.ts: connections that are used again, no redirects, no certificate check. */

import type { AppScheme } from '../../contract/grpc.ts';
import type { AppCall, AppChannel, PendingAnswer, ReceivedAnswer } from '../../ports/app-channel.ts';
import { accepts, hostOf, openBeside } from '../listening.ts';
import type { SocketAddress } from '../listening.ts';
import { spokenScheme } from '../spoken-scheme.ts';
import { Call } from './call.ts';
import type { Sent } from './connection.ts';
import { Connections } from './connections.ts';
import { bodyOf, headOf, targetOf } from './request-form.ts';

export interface HttpAppChannelOptions {
  /** http or https address of the app; a path in it goes before every call's path. */
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
  readonly #pool: Connections;
  readonly #open = new Set<Call>();
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
    const target = { ...this.#target(), isSecure: address.protocol === 'https:' };
    this.#pool = new Connections(target, connections + RESERVED);
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
        const body = bodyOf(call.body);
        this.#send(pending, { head: this.#head(call.method ?? 'POST', call.path, call.headers, body), body });
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
    this.#send(call, { head: this.#head('GET', path, headers, ''), body: '' });
    return call.answer;
  }

  async probe(timeoutMs: number): Promise<boolean> {
    if (this.#isClosed) return false;
    return accepts(this.#target(), timeoutMs);
  }

  async openBeside(timeoutMs: number): Promise<string | undefined> {
    if (this.#isClosed) return undefined;
    const beside = await openBeside(this.#address, this.#target().port, timeoutMs);
    return beside === undefined ? undefined : beside + this.#base;
  }

  async spokenScheme(timeoutMs: number): Promise<AppScheme | undefined> {
    if (this.#isClosed) return undefined;
    const { host, port } = this.#target();
    return spokenScheme(host, port, timeoutMs);
  }

  /** Where a socket is opened to. */
  #target(): SocketAddress {
    const { protocol, port } = this.#address;
    const standard = protocol === 'https:' ? 443 : 80;
    return { host: hostOf(this.#address), port: port === '' ? standard : Number(port) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#open) call.cancel('The channel to the app was closed.');
    await this.#pool.close();
  }

  #newCall(timeoutMs: number, ended: () => void): Call {
    const call = new Call({ timeoutMs, ...this.#limits }, () => {
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

  #head(method: string, path: string, headers: Readonly<Record<string, string>>, body: Sent['body']): string {
    const host = this.#address.host;
    return headOf({ method, host, target: targetOf(this.#base, path), body }, headers, DEFAULT_HEADERS);
  }

  #send(call: Call, sent: Sent): void {
    if (this.#isClosed) call.cancel('The channel to the app is closed.');
    else {
      call.begin();
      this.#pool.send(sent, call);
    }
  }
}
