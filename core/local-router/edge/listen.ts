/**
 * Opens a listener: on loopback unless more is allowed; the next free port can replace a default one that is
 * taken.
 */
import { PORT_CODES } from '../../contract/event-router/words.ts';
import { isPortRefusal, noFreePort, whyNoPort } from '../../contract/port-text.ts';
import type { Web } from './listener.ts';
import { portOf } from './listener.ts';
import { RouterError } from '../../ports/local-router.ts';

export interface ListenRequest {
  /** Address `host:port`; port 0 = any free one. */
  readonly address: string;
  /** True if the next free port may replace a taken one. */
  readonly soft: boolean;
  readonly allowRemote: boolean;
  /** Name of the listener in messages. */
  readonly what: string;
}

const TRIES = 50;
const LOOPBACK: Readonly<Record<string, string>> = {
  localhost: '127.0.0.1',
  '127.0.0.1': '127.0.0.1',
  '[::1]': '::1',
  '::1': '::1',
};

/** Host and port of `host:port`. Throws RouterError if the text has another form. */
export function readAddress(address: string): { readonly host: string; readonly port: number } {
  const [, host, digits] = /^(.+):(\d{1,5})$/.exec(address) ?? [];
  const port = Number(digits);
  if (host === undefined || port > 65_535) {
    throw new RouterError('EVR-NET-01', `a listener's address must be host:port, got ${address}`);
  }
  return { host, port };
}

/**
 * Opens the listener.
 * @returns base address for clients
 */
export async function listen(app: Web, request: ListenRequest): Promise<string> {
  const { host, port } = readAddress(request.address);
  const bound = LOOPBACK[host] ?? (request.allowRemote ? host : undefined);
  if (bound === undefined) {
    throw new RouterError(
      'EVR-NET-02',
      `${request.what} listens on loopback only, not on ${host}; allowRemote changes that`,
    );
  }
  for (let tried = 0; ; tried++) {
    try {
      await app.listen({ host: bound, port: port === 0 ? 0 : port + tried });
      return `https://${host}:${portOf(app)}`;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : '';
      if (code === 'EADDRINUSE' && request.soft && port !== 0 && tried < TRIES && port + tried < 65_535)
        continue;
      if (!isPortRefusal(code)) throw error;
      const last = port + tried;
      const isRange = code === 'EADDRINUSE' && tried > 0;
      const where = isRange ? host : `${host}:${last}`;
      const why = isRange ? noFreePort(port, last) : whyNoPort(code, last);
      const text = `${request.what} cannot listen on ${where}: ${why}`;
      throw new RouterError(PORT_CODES[code], text, { cause: error });
    }
  }
}
