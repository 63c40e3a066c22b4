/** `bindings.http`: an output binding whose operations are HTTP methods on one address. */
import { sizeLimit } from '../../contract/size-text.ts';
import type { Agent, Dispatcher } from 'undici';

import { Pieces } from '../../domain/pieces.ts';
import { shownAddress } from '../../domain/redact.ts';
import { SettingMistake } from '../../ports/component-source.ts';
import type { Binding, BindingReply } from '../../ports/binding.ts';
import { MAX_CALLS, redirected } from './redirects.ts';
import type { Step } from './redirects.ts';

export interface HttpBindingOptions {
  /** Address that every call goes to; the request's metadata `path` is appended. */
  readonly url: string;
  /** Time from sending the request to the last byte of the answer. Default 30 s. */
  readonly timeoutMs?: number;
  /** A status outside 2xx is an error, unless a call's own metadata `errorIfNot2XX` says otherwise. Default true. */
  readonly errorIfNot2XX?: boolean;
}

/** Operation -> method, in the order in which refusals list them. */
const METHODS = {
  create: 'POST',
  get: 'GET',
  head: 'HEAD',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
  options: 'OPTIONS',
  trace: 'TRACE',
} as const satisfies Readonly<Record<string, Dispatcher.HttpMethod>>;

const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'true', 'y', 'yes', 'on']);
const MAX_BYTES = 4 * 1024 * 1024;
const JSON_TYPE = 'application/json; charset=utf-8';

/** Request metadata whose key begins with a capital letter is a header; the answer's headers come back as metadata. */
export function createHttpBinding(options: HttpBindingOptions): Binding {
  return new HttpBinding(options);
}

/** Throws SettingMistake, without what is secret in the address. */
export function checkAddress(url: string): void {
  if (url === '') throw new SettingMistake('metadata url is missing: give the address to call');
  const address = URL.canParse(url) ? new URL(url) : undefined;
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:')
    throw new SettingMistake(`metadata url must be an http or https address, got ${shownAddress(url)}`);
}

class HttpBinding implements Binding {
  readonly operations = Object.keys(METHODS);
  readonly hasInput = false;
  readonly #options: HttpBindingOptions;
  #agent: Promise<Agent> | undefined;

  constructor(options: HttpBindingOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    checkAddress(this.#options.url);
  }

  async invoke(
    operation: string,
    data: Uint8Array | string,
    metadata: Readonly<Record<string, string>>,
  ): Promise<BindingReply> {
    const method = methodOf(operation);
    if (method === undefined) throw new Error(`invalid operation: ${operation}`);
    const address = addressOf(this.#options.url, metadata['path'] ?? '');
    const { timeoutMs = 30_000 } = this.#options;
    const errorIfNot2XX = saysTrue(metadata['errorIfNot2XX'], this.#options.errorIfNot2XX ?? true);
    const body = WITH_BODY.has(method) ? data : null;
    const headers = headersOf(metadata, body !== null);
    const answer = await this.#follow({ address, method, headers, body }, AbortSignal.timeout(timeoutMs));
    const bytes = await readAll(answer.body);
    if (errorIfNot2XX && (answer.statusCode < 200 || answer.statusCode > 299)) {
      throw new Error(`received status code ${answer.statusCode}`);
    }
    const reply: Record<string, string> = {
      statusCode: String(answer.statusCode),
      status: `${answer.statusCode} ${answer.statusText}`,
    };
    for (const [name, value] of Object.entries(answer.headers)) {
      if (value !== undefined) reply[name] = typeof value === 'string' ? value : value.join(', ');
    }
    return { data: bytes, metadata: reply };
  }

  /** Calls and follows redirects to the last answer, whose body is not read yet. */
  async #follow(first: Step, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    let step = first;
    for (let calls = 1; ; calls += 1) {
      const { address, method, headers, body } = step;
      const agent = await this.#connections();
      const answer = await agent.request({
        origin: address.origin,
        path: address.pathname + address.search,
        method,
        headers,
        body,
        signal,
      });
      const { location } = answer.headers;
      const place = typeof location === 'string' ? location : location?.[0];
      const next = redirected(step, answer.statusCode, place, first.address.hostname);
      if (next === undefined) return answer;
      await answer.body.dump();
      if (calls === MAX_CALLS) throw new Error(`stopped after ${MAX_CALLS} redirects`);
      step = next;
    }
  }

  async close(): Promise<void> {
    const agent = await this.#agent;
    await agent?.destroy();
  }

  /** Loaded with the first call: most starts make none. */
  #connections(): Promise<Agent> {
    this.#agent ??= import('undici').then(
      ({ Agent: Connections }) => new Connections({ connections: 32, allowH2: false }),
    );
    return this.#agent;
  }
}

/** @param value undefined: nothing was said, `otherwise` counts */
export function saysTrue(value: string | undefined, otherwise: boolean): boolean {
  return value === undefined ? otherwise : TRUE_WORDS.has(value.trim().toLowerCase());
}

function methodOf(operation: string): Dispatcher.HttpMethod | undefined {
  const found = Object.entries(METHODS).find(([name]) => name === operation.toLowerCase());
  return found?.[1];
}

/** The path is appended to the address's own; it can neither leave that path nor name another host. */
function addressOf(url: string, path: string): URL {
  const address = new URL(url);
  if (path === '') return address;
  const base = `${address.origin}${address.pathname.replace(/\/+$/, '')}/`;
  // Joined as text: by itself a path such as `orders:cancel` would be an address.
  const joined = new URL(base + written(path.replace(/^\/+/, '')));
  if (!joined.href.startsWith(base)) throw new Error(`metadata path "${path}" leaves the address ${url}`);
  return joined;
}

/** The path as the reference sends it: by itself an address takes a backslash for a slash, and loses blanks at its end, tabs and line ends. */
function written(path: string): string {
  const [, place = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(path) ?? [];
  if (/[\0-\x1f\x7f]/.test(path))
    throw new Error(`metadata path ${JSON.stringify(path)} has a control character`);
  return place.replace(/[ \\]/g, encodeURIComponent) + rest;
}

function headersOf(metadata: Readonly<Record<string, string>>, sendsBody: boolean): Record<string, string> {
  const headers = Object.entries(metadata).filter(
    ([name]) => /^[A-Z]/.test(name) || name === 'traceparent' || name === 'tracestate',
  );
  const isGiven = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted);
  return {
    ...Object.fromEntries(headers),
    ...(isGiven('accept') ? {} : { Accept: JSON_TYPE }),
    ...(sendsBody && !isGiven('content-type') ? { 'Content-Type': JSON_TYPE } : {}),
  };
}

async function readAll(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces = new Pieces<Uint8Array>((all) => Buffer.concat(all));
  for await (const chunk of body) {
    pieces.add(chunk);
    if (pieces.length > MAX_BYTES) throw new Error(`the answer is longer than ${sizeLimit(MAX_BYTES)}`);
  }
  return Buffer.concat(pieces.all);
}
