/**
 * HTTPS client for a router with its own trust: it checks chain and host, and never accepts a self-signed
 * certificate. Answers are bounded, redirects are not followed.
 */
import type { Agent, Dispatcher } from 'undici';
import type { EvrCode } from '../../contract/event-router/wire.ts';
import { sizeLimit } from '../../contract/size-text.ts';
import { Pieces } from '../../domain/pieces.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import { connectionCode, plainTrouble, trustedConnect } from '../../router-protocol/tls-trust.ts';

type OnTooLarge = 'cut' | 'refuse';

export interface TrustedCall {
  readonly url: string;
  readonly method: Dispatcher.HttpMethod;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  /** Maximum number of bytes of an answer. */
  readonly maxBytes: number;
  /** Treatment of a longer answer. */
  readonly onTooLarge: OnTooLarge;
  readonly signal?: AbortSignal;
}

export interface TrustedAnswer {
  readonly status: number;
  /** Headers by lower-case name; repeated ones are joined. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const CONNECT_MS = 10_000;
const HEADER_BYTES = 16 * 1024;

/**
 * Makes calls with the certificates that `anchors` returns at that moment. Plain http is allowed to this
 * machine only.
 */
export class TrustedClient {
  readonly #anchors: () => readonly string[];
  #known: readonly string[] = [];
  #agent: Agent | undefined;

  constructor(anchors: () => readonly string[]) {
    this.#anchors = anchors;
  }

  /**
   * Makes a call. Rejects RouterTrouble for a network error, with the code of the cause, or `otherwise` if it
   * has none.
   */
  async call(call: TrustedCall, otherwise: EvrCode): Promise<TrustedAnswer> {
    const { url, method, headers = {}, body, timeoutMs, maxBytes } = call;
    const address = new URL(url);
    const limit = AbortSignal.timeout(timeoutMs);
    try {
      // The library is loaded at the first call, because most starts have no router.
      const client = this.#current(await import('undici'));
      const answer = await client.request({
        origin: address.origin,
        path: address.pathname + address.search,
        method,
        headers,
        body: body ?? null,
        signal: call.signal === undefined ? limit : AbortSignal.any([call.signal, limit]),
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      const text = await readText(answer.body, maxBytes, call.onTooLarge);
      return { status: answer.statusCode, headers: joined(answer.headers), text };
    } catch (error) {
      if (error instanceof RouterTrouble) throw error;
      throw troubleOf(error, call, otherwise);
    }
  }

  async close(): Promise<void> {
    const agent = this.#agent;
    this.#agent = undefined;
    await agent?.destroy();
  }

  /** The connections of the present trust; those of an older trust are not used again. */
  #current(library: typeof import('undici')): Agent {
    const anchors = this.#anchors();
    if (this.#agent !== undefined && same(anchors, this.#known)) return this.#agent;
    const old = this.#agent;
    void old?.close();
    this.#known = [...anchors];
    this.#agent = new library.Agent({
      connections: 16,
      allowH2: false,
      maxHeaderSize: HEADER_BYTES,
      connect: { timeout: CONNECT_MS, ...trustedConnect(anchors) },
    });
    return this.#agent;
  }
}

/** The error of a failed call: TLS, socket, name or timeout. */
function troubleOf(
  error: unknown,
  { url, signal, timeoutMs }: TrustedCall,
  otherwise: EvrCode,
): RouterTrouble {
  const isLate = error instanceof Error && error.name === 'TimeoutError' && signal?.aborted !== true;
  const said = isLate ? `no answer within ${timeoutMs / 1000} s` : plainTrouble(innermost(error));
  return new RouterTrouble(connectionCode(error) ?? otherwise, `${new URL(url).host}: ${said}`, {
    cause: error,
  });
}

function innermost(error: unknown): string {
  let at: unknown = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if (at instanceof AggregateError) at = at.errors[0];
    else if (at.cause === undefined) return at.message;
    else at = at.cause;
  }
  return at instanceof Error ? at.message : String(error);
}

async function readText(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onTooLarge: OnTooLarge,
): Promise<string> {
  const pieces = new Pieces<Uint8Array>((all) => Buffer.concat(all));
  for await (const chunk of body) {
    pieces.add(chunk);
    if (pieces.length <= maxBytes) continue;
    if (onTooLarge === 'refuse') throw new Error(`the answer has more than ${sizeLimit(maxBytes)}`);
    break;
  }
  return Buffer.concat(pieces.all).subarray(0, maxBytes).toString('utf8');
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), typeof value === 'string' ? value : value.join(', ')]],
    ),
  );
}

function same(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((one, i) => one === b[i]);
}
