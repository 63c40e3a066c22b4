// A tap that is killed costs nothing that its sidecar tries again. The long twin kills one beside the real sidecar.
import { expect, test } from 'vitest';
import { SOURCE, startProduct } from '../e2e/product.ts';
import { steadyPort } from '../e2e/steady-port.ts';
import { killedTap } from './kill-rounds.ts';
import { chanceOf } from './pass-through.ts';

const WITHOUT_END = { maxAttempts: 0, firstDelayMs: 20, factor: 1, maxDelayMs: 20, jitter: 0 };

test('every message that was acknowledged reaches the app', { timeout: 60_000 }, async () => {
  const report = await killedTap({
    kills: 1,
    messages: 40,
    chance: chanceOf(1),
    realPort: Number(await steadyPort()),
    quietMs: 300,
    startReal: async ({ port, appPort }) => {
      const real = await startProduct({
        entry: SOURCE,
        flags: [
          ...['--profile', 'dapr', '--app-id', 'shop', '--app-url', `http://127.0.0.1:${appPort}`],
          ...['--sidecar-port', String(port), '--set', `delivery.retry=${JSON.stringify(WITHOUT_END)}`],
        ],
      });
      return { url: `http://127.0.0.1:${port}`, stop: () => real.kill() };
    },
  });
  expect(report).toMatchObject({ acknowledged: 40 * 2, lost: [], kills: 1 });
});
