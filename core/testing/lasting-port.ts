/** Ports that are chosen some time before somebody listens there, or that are left for a moment. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Systems take ports for outgoing connections from above, and a free one from there may be gone a moment later. */
const FIRST = 10_240;
const BEYOND = 32_768;
const TRIES = 100;

/** A port of this machine that nobody listens on, and that no outgoing connection takes. */
export async function lastingPort(): Promise<number> {
  for (let tried = 0; tried < TRIES; tried += 1) {
    const port = randomInt(FIRST, BEYOND);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${FIRST} to ${BEYOND - 1} is free after ${TRIES} tries`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // Whatever the reason is, another port is tried.
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
