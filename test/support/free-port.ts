/** Ports for programs that need one before they listen, or that return to the same one. */
import { createServer } from 'node:net';

/** Below every range from which systems give out ports by themselves (32768 on Linux, 49152 elsewhere). */
const FIRST_PORT = 20_000;
const PORTS = 12_000;

/**
 * A free port that the system gives to no program that asks for any free one: a listener that is stopped for a while finds it again.
 * Otherwise another test could get the port meanwhile, and then the calls.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise<void>((resolve) => server.close(() => resolve()));
    return port;
  }
}
