/**
 * The HTTP way to one app, behind ports/app-channel.ts: connections that are used again, no redirects, no certificate check. HTTP/1.1, or
 * HTTP/2 at `h2c:`.
 */

import { Buffer } from 'node:buffer';
import type { PortProtocol } from '../../contract/grpc.ts';
import { MAX_ANSWER_BYTES } from '../../domain/answer.ts';
import type { AppCall, AppChannel, PendingAnswer, ReceivedAnswer } from '../../ports/app-channel.ts';
import { accepts, acceptsTls, hostOf, openBeside } from '../listening.ts';
import type { SocketAddress } from '../listening.ts';
import { protocolOfPort } from '../port-protocol.ts';
import { Call } from './call.ts';
import type { CallLimits } from './call.ts';
import { Deadlines } from './deadlines.ts';
import { bodyOf, targetOf } from './request-form.ts';
import type { AppRequest } from './request-form.ts';
import { openWay } from './way.ts';
import type { Way } from './way.ts';

export interface HttpAppChannelOptions {
  /** http, https or h2c address of the app; a path in it is the prefix of every call's path. h2c is HTTP/2 without TLS. */
  readonly url: string;
  /** Calls in flight at most, 1 to 1,024; further ones wait, and their timeout counts from when they start. Default 32. */
  readonly connections?: number;
  /** Default 4 MiB: above it a verdict no longer looks for its `status`. */
  readonly maxBodyBytes?: number;
  /** How much of a body that cannot be read is given. Default 256 KiB, the cap of an attempt record. */
  readonly startBytes?: number;
}

const MAX_CONNECTIONS = 1024;
/** Discovery and health calls never wait behind deliveries that hang. */
const RESERVED = 4;
const SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'h2c:']);

/** Opens no connection yet. Throws TypeError when `url` is no such address or a number is out of range. */
export function createHttpAppChannel(options: HttpAppChannelOptions): AppChannel {
  const address = new URL(options.url);
  if (!SCHEMES.has(address.protocol)) {
    throw new TypeError(`The app's address must start with http://, https:// or h2c://, got ${options.url}`);
  }
  const connections = options.connections ?? 32;
  if (!Number.isInteger(connections) || connections < 1 || connections > MAX_CONNECTIONS) {
    throw new TypeError(`connections must be an integer 1 to ${MAX_CONNECTIONS}, got ${connections}`);
  }
  return new HttpAppChannel(address, connections, {
    maxBodyBytes: options.maxBodyBytes ?? MAX_ANSWER_BYTES,
    startBytes: options.startBytes ?? 256 * 1024,
  });
}

/** A delivery and its call. */
interface Delivery {
  readonly asked: AppCall;
  readonly call: Call;
  wasSent: boolean;
}

class HttpAppChannel implements AppChannel {
  readonly url: string;
  readonly #address: URL;
  readonly #host: string;
  readonly #base: string;
  readonly #connections: number;
  readonly #limits: Omit<CallLimits, 'timeoutMs'>;
  readonly #way: Way;
  readonly #open = new Set<Call>();
  readonly #waiting: Delivery[] = [];
  #inFlight = 0;
  #isClosed = false;

  constructor(address: URL, connections: number, limits: Omit<CallLimits, 'timeoutMs' | 'deadlines'>) {
    this.#address = address;
    // The host is kept, because reading it from the URL makes a new text each time.
    this.#host = address.host;
    this.#base = address.pathname.replace(/\/+$/, '');
    // The origin of a scheme that browsers do not know is "null".
    this.url = `${address.protocol}//${address.host}${this.#base}`;
    this.#connections = connections;
    this.#limits = { ...limits, deadlines: new Deadlines() };
    const target = { ...this.#target(), isSecure: address.protocol === 'https:' };
    this.#way = openWay(address.protocol === 'h2c:' ? 'HTTP/2' : 'HTTP/1', target, connections + RESERVED);
  }

  deliver(asked: AppCall): PendingAnswer {
    const call = this.#newCall(asked.timeoutMs ?? 0, () => {
      if (delivery.wasSent) this.#inFlight--;
      this.#sendNext();
    });
    const delivery: Delivery = { asked, call, wasSent: false };
    if (this.#waiting.length === 0 && this.#inFlight < this.#connections) this.#start(delivery);
    else this.#waiting.push(delivery);
    return call;
  }

  async get(
    path: string,
    headers: Readonly<Record<string, string>>,
    timeoutMs: number,
  ): Promise<ReceivedAnswer> {
    const call = this.#newCall(timeoutMs, () => undefined);
    this.#send(call, this.#request('GET', path, headers, ''));
    return call.answer;
  }

  async probe(timeoutMs: number): Promise<boolean> {
    if (this.#isClosed) return false;
    const look = this.#address.protocol === 'https:' ? acceptsTls : accepts;
    return look(this.#target(), timeoutMs);
  }

  async openBeside(timeoutMs: number): Promise<string | undefined> {
    if (this.#isClosed) return undefined;
    const beside = await openBeside(this.#address, this.#target().port, timeoutMs);
    return beside === undefined ? undefined : beside + this.#base;
  }

  async protocolOfPort(timeoutMs: number): Promise<PortProtocol | undefined> {
    if (this.#isClosed) return undefined;
    const { host, port } = this.#target();
    return protocolOfPort(host, port, timeoutMs);
  }

  /** Address to which a socket is opened. */
  #target(): SocketAddress {
    const { protocol, port } = this.#address;
    const standard = protocol === 'https:' ? 443 : 80;
    return { host: hostOf(this.#address), port: port === '' ? standard : Number(port) };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    // Waiting calls are cancelled below as well. If they stayed here, the end of each call would start the next one, recursively.
    this.#waiting.length = 0;
    for (const call of this.#open) call.cancel('The channel to the app was closed.');
    await this.#way.close();
  }

  #newCall(timeoutMs: number, ended: () => void): Call {
    const { deadlines, maxBodyBytes, startBytes } = this.#limits;
    const call = new Call({ timeoutMs, deadlines, maxBodyBytes, startBytes }, () => {
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
      if (!next.call.isSettled) this.#start(next);
    }
  }

  #start(delivery: Delivery): void {
    const { call, asked } = delivery;
    delivery.wasSent = true;
    this.#inFlight++;
    this.#send(call, this.#request(asked.method ?? 'POST', asked.path, asked.headers, bodyOf(asked.body)));
  }

  #request(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: AppRequest['body'],
  ): AppRequest {
    const target = targetOf(this.#base, path);
    const bodyBytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
    return { method, host: this.#host, target, bodyBytes, headers, body };
  }

  #send(call: Call, request: AppRequest): void {
    if (this.#isClosed) call.cancel('The channel to the app is closed.');
    else {
      call.begin();
      this.#way.send(request, call);
    }
  }
}
