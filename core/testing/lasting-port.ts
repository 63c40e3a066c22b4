/** Finds ports that stay free for some time before they are used, or between two uses. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * First port of the search. Systems take ports for outgoing connections from above, so a free one there may
 * be taken a moment later.
 */
const FIRST = 10_240;
const BEYOND = 32_768;
const TRIES = 100;

/** A port of this machine that is free, and that no outgoing connection takes. */
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
    // Another port is tried, whatever the error is.
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
