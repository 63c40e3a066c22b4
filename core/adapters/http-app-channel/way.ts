/** How calls travel to an app: over connections of HTTP/1.1, or over sessions of HTTP/2, which are loaded with the first call. */
import { errorText } from '../../contract/error-text.ts';
import type { Exchange, Target } from './connection.ts';
import { Connections } from './connections.ts';
import { DEFAULT_HEADERS, headOf } from './request-form.ts';
import type { AppRequest } from './request-form.ts';

export interface Way {
  /** Sends the request, unless its caller no longer waits when its turn comes. */
  send(request: AppRequest, exchange: Exchange): void;
  /** Resolves when all connections are closed. */
  close(): Promise<void>;
}

/** @param most connections at the same time; further requests wait */
export function openWay(version: 'HTTP/1' | 'HTTP/2', target: Target, most: number): Way {
  if (version === 'HTTP/2') return new Http2Way(target, most);
  const connections = new Connections(target, most);
  return {
    send: (request, exchange) => {
      const { body, bodyBytes, headers } = request;
      connections.send({ head: headOf(request, headers, DEFAULT_HEADERS), body, bodyBytes }, exchange);
    },
    close: async () => connections.close(),
  };
}

class Http2Way implements Way {
  readonly #target: Target;
  readonly #most: number;
  #opening: Promise<Way> | undefined;

  constructor(target: Target, most: number) {
    this.#target = target;
    this.#most = most;
  }

  send(request: AppRequest, exchange: Exchange): void {
    this.#opening ??= this.#open();
    this.#opening.then(
      (way) => way.send(request, exchange),
      (error: unknown) => exchange.failed(error instanceof Error ? error : new Error(errorText(error))),
    );
  }

  async close(): Promise<void> {
    const way = await this.#opening?.catch(() => undefined);
    await way?.close();
  }

  async #open(): Promise<Way> {
    const { Http2Sessions } = await import('./http2-sessions.ts');
    return new Http2Sessions(this.#target, this.#most);
  }
}
