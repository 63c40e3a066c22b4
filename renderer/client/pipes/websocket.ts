/** The pipe over a WebSocket to the host that served the page. */
import type { TextPipe } from '../../../core/contract/rpc.ts';

/** Close codes by which the host refuses this page. */
const REFUSED: Readonly<Record<number, string>> = { 4401: 'UNAUTHORIZED', 4403: 'FORBIDDEN' };
const OPEN_TIMEOUT_MS = 10_000;

/** Address of the stream for the page's address: `http` becomes `ws`. */
export function streamAddress(page: string): string {
  const url = new URL('/stream', page);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url.href;
}

/**
 * Opens a WebSocket as a pipe.
 * @param protocols proof that this page has a key
 * @throws Error with `UNAUTHORIZED`, `FORBIDDEN` or the close code, if it closes before it is open
 */
export function openWebSocketPipe(address: string, protocols: readonly string[]): Promise<TextPipe> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, [...protocols]);
    const closers = new Set<(reason: string) => void>();
    const timer = setTimeout(() => socket.close(), OPEN_TIMEOUT_MS);
    let closed: string | undefined;
    socket.addEventListener('open', () => {
      clearTimeout(timer);
      resolve({
        send(text) {
          if (socket.readyState === WebSocket.OPEN) socket.send(text);
        },
        onText(take) {
          const listen = (event: MessageEvent<unknown>): void => {
            if (typeof event.data === 'string') take(event.data);
          };
          socket.addEventListener('message', listen);
          return () => socket.removeEventListener('message', listen);
        },
        onClose(done) {
          if (closed !== undefined) done(closed);
          closers.add(done);
          return () => closers.delete(done);
        },
      });
    });
    socket.addEventListener('close', (event) => {
      clearTimeout(timer);
      closed = REFUSED[event.code] ?? String(event.code);
      reject(new Error(closed));
      for (const done of closers) done(closed);
    });
  });
}
