/** A product whose memory is looked at: its garbage is collected first, or a figure would say when V8 felt like it. */
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';

const POLL_INTERVAL_MS = 50;
const START_MS = 30_000;

/** Flags for Node that open its inspector on a free loopback port, and that port. */
export async function inspectorFlags(): Promise<{
  readonly flags: readonly string[];
  readonly port: number;
}> {
  const port = await new Promise<number>((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
  return { flags: [`--inspect=127.0.0.1:${port}`], port };
}

/** Collects the garbage of the process's main thread. */
export async function collectGarbage(port: number): Promise<void> {
  const socket = new WebSocket(await addressOf(port));
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.once('open', () => socket.send(JSON.stringify({ id: 1, method: 'HeapProfiler.collectGarbage' })));
    socket.once('message', () => resolve());
  });
  socket.close();
}

async function addressOf(port: number): Promise<string> {
  const until = performance.now() + START_MS;
  for (;;) {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/json`);
      const [target]: { webSocketDebuggerUrl?: string }[] = JSON.parse(await response.text());
      if (target?.webSocketDebuggerUrl !== undefined) return target.webSocketDebuggerUrl;
    } catch (error) {
      if (performance.now() > until) throw error;
    }
    await sleep(POLL_INTERVAL_MS);
  }
}
