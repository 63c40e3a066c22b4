/**
 * The router's calls to subscribers: HTTPS with its own trust, checked addresses, bounded answers, no
 * redirects.
 */
import { isIP } from 'node:net';
import { Agent } from 'undici';
import type { EvrCode } from '../../contract/event-router/wire.ts';
import type { RouterOutcome } from '../../contract/event-router/local-router.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { connectionCode, plainTrouble, trustedConnect } from '../../router-protocol/tls-trust.ts';
import { checkAddress, checkedLookup } from './addresses.ts';

export interface OutboundRequest {
  readonly method: 'POST' | 'OPTIONS';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

export type OutboundAnswer =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly bodyTruncated: boolean;
    }
  | {
      readonly kind: 'none';
      readonly outcome: Extract<RouterOutcome, 'TimedOut' | 'SocketError' | 'ResolutionError'>;
      readonly code: string;
      readonly message: string;
      readonly evr?: EvrCode;
    };

export interface OutboundCall {
  /** The answer. Never rejects; the caller sets the time limit. */
  readonly answer: Promise<OutboundAnswer>;
  cancel(): void;
}

export interface Outbound {
  send(request: OutboundRequest): OutboundCall;
  /** Uses new anchors; connections made with the old ones are not used again. */
  trust(anchors: readonly string[]): void;
  /** Stops using the present connections, because the other side is about to close them. */
  renew(): void;
  close(): Promise<void>;
}

const MAX_BODY = 64 * 1024;
const CONNECT_MS = 10_000;

export function createOutbound(options: {
  readonly anchors: readonly string[];
  readonly allowPublic: boolean;
}): Outbound {
  let { anchors: known } = options;
  let agent = agentOf(known, options.allowPublic);
  const renew = (): void => {
    const old = agent;
    agent = agentOf(known, options.allowPublic);
    // The close rejects only if it was closed already.
    void old.close().catch(() => undefined);
  };
  return {
    send(request) {
      const ended = new AbortController();
      const answer = exchange(agent, request, { signal: ended.signal, allowPublic: options.allowPublic });
      return { answer, cancel: () => ended.abort() };
    },
    trust(anchors) {
      known = anchors;
      renew();
    },
    renew,
    close: () => agent.destroy(),
  };
}

function agentOf(anchors: readonly string[], allowPublic: boolean): Agent {
  return new Agent({
    connect: { ...trustedConnect(anchors), lookup: checkedLookup(allowPublic), timeout: CONNECT_MS },
    allowH2: false,
    maxHeaderSize: 16 * 1024,
    // The caller's clock ends the exchange, so the library's limit is off.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 4000,
  });
}

async function exchange(
  agent: Agent,
  request: OutboundRequest,
  facts: { readonly signal: AbortSignal; readonly allowPublic: boolean },
): Promise<OutboundAnswer> {
  try {
    const url = new URL(request.url);
    const literal = url.hostname.replace(/^\[|\]$/g, '');
    if (isIP(literal) !== 0) checkAddress(url.hostname, literal, facts.allowPublic);
    const { statusCode, headers, body } = await agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: request.method,
      headers: { ...request.headers },
      body: request.body ?? null,
      signal: facts.signal,
    });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of body) {
      if (!(chunk instanceof Uint8Array)) continue;
      if (size < MAX_BODY) chunks.push(chunk);
      size += chunk.byteLength;
      if (size > MAX_BODY * 16) {
        body.destroy();
        break;
      }
    }
    return {
      kind: 'response',
      status: statusCode,
      headers: flat(headers),
      body: Buffer.concat(chunks).subarray(0, MAX_BODY).toString('utf8'),
      bodyTruncated: size > MAX_BODY,
    };
  } catch (error) {
    return noAnswer(error);
  }
}

function noAnswer(error: unknown): OutboundAnswer {
  const evr = connectionCode(error);
  const message = errorText(error);
  const own = error instanceof Error && 'code' in error ? String(error.code) : '';
  const code = own === '' ? 'UNKNOWN' : own;
  const timedOut =
    code === 'UND_ERR_CONNECT_TIMEOUT' || (error instanceof Error && error.name === 'AbortError');
  const outcome = evr === 'EVR-NET-11' ? 'ResolutionError' : timedOut ? 'TimedOut' : 'SocketError';
  return {
    kind: 'none',
    outcome,
    code,
    message: plainTrouble(message),
    ...withoutUndefined({ evr }),
  };
}

function flat(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
    ),
  );
}
