// Killing a tap loses no message that its sidecar tries again. The long twin kills one beside the real sidecar.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { reusablePort } from '../e2e/reusable-port.ts';
import { killedTap } from './kill-rounds.ts';
import type { Real } from './kill-rounds.ts';
import { chanceOf } from './pass-through.ts';

const AGAIN_MS = 10;

/** A sidecar that takes every publish, and calls the app until it answers. */
async function patientSidecar(port: number, appPort: number): Promise<Real> {
  const stopped = new AbortController();
  const deliver = async (data: string): Promise<void> => {
    const body = `{"id":${JSON.stringify(data)},"topic":"orders","pubsubname":"pubsub","data":${data}}`;
    while (!stopped.signal.aborted) {
      try {
        const answer = await fetch(`http://127.0.0.1:${appPort}/orders`, { method: 'POST', body });
        if (answer.ok) return;
      } catch (error) {
        // The tap is away: again in a moment.
        if (!(error instanceof TypeError)) throw error;
      }
      await setTimeout(AGAIN_MS);
    }
  };
  const server = createServer((request, response) => {
    void text(request).then((data) => {
      response.writeHead(request.method === 'POST' ? 204 : 404).end();
      return request.method === 'POST' ? deliver(data) : undefined;
    });
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  const stop = async (): Promise<void> => {
    stopped.abort();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}`, stop };
}

test('every acknowledged message reaches the app after a kill of the tap', { timeout: 60_000 }, async () => {
  const report = await killedTap({
    kills: 1,
    messages: 40,
    chance: chanceOf(1),
    realPort: Number(await reusablePort()),
    quietMs: 300,
    missingMs: 5_000,
    startReal: ({ port, appPort }) => patientSidecar(port, appPort),
  });
  expect(report).toMatchObject({ acknowledged: 40 * 2, lost: [], kills: 1 });
});
