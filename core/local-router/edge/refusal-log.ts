/** Requests that the router's listeners refused, newest first, each with its answer and the reason. */
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FaultTarget, RouterRefusal } from '../../contract/event-router/local-router-status.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { dropIfLate } from '../../domain/http-edge.ts';

const MAX = 50;
const MAX_PATH_LENGTH = 200;
const MAX_REASON_LENGTH = 400;

/** Facts about a refused request. */
export interface Refused {
  readonly at: FaultTarget;
  /** Method; absent if no request could be read. */
  readonly method?: string;
  /** Address of the request without its query, which may hold keys. */
  readonly url?: string;
  readonly status?: number;
  readonly code: string;
  readonly reason: string;
}

/** Keeps the last 50 refusals, without query, headers and body. */
export class RefusalLog {
  readonly #rows: RouterRefusal[] = [];
  readonly #now: () => number;
  readonly #changed: () => void;

  constructor(now: () => number, changed: () => void) {
    this.#now = now;
    this.#changed = changed;
  }

  add({ at, method, url, status, code, reason }: Refused): void {
    const [path] = (url ?? '').split('?');
    this.#rows.unshift({
      time: new Date(this.#now()).toISOString(),
      at,
      ...(method === undefined ? {} : { method: method.slice(0, 20) }),
      ...(path === undefined || path === '' ? {} : { path: path.slice(0, MAX_PATH_LENGTH) }),
      ...withoutUndefined({ status }),
      code,
      reason: reason.slice(0, MAX_REASON_LENGTH),
    });
    if (this.#rows.length > MAX) this.#rows.length = MAX;
    this.#changed();
  }

  list(): readonly RouterRefusal[] {
    return [...this.#rows];
  }
}

const BROKEN: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request line and headers have more than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request was not complete in time.'],
};

const NO_TLS = /^ERR_(?:SSL|TLS)_/;

/**
 * Answers a broken request: incomplete, with too large headers, or too slow.
 * @returns undefined if there is no answer, because the caller disconnected
 */
export function answerBroken(
  error: Error,
  socket: Socket,
): Pick<Refused, 'status' | 'code' | 'reason'> | undefined {
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'BadRequest';
  if (code === 'ECONNRESET' || socket.destroyed) return undefined;
  dropIfLate({ code }, socket);
  if (NO_TLS.test(code)) {
    // An answer would wait for TLS, and the connection for the answer. The listener for TLS errors has noted
    // it.
    socket.destroy();
    return undefined;
  }
  const [status, reason] = BROKEN[code] ?? [
    400,
    `The request is not HTTP as it should be: ${error.message}.`,
  ];
  if (socket.writable) {
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`,
    );
  }
  socket.destroySoon();
  return { status, code, reason };
}
