// A headless Sidelight in the place of the real sidecar, an app that a test scripts, and a tap between them.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Product } from '../e2e/product.ts';
import { reusablePort } from '../e2e/reusable-port.ts';
import { productInProcess } from '../support/in-process.ts';

const QUICK_RETRY = { maxAttempts: 3, firstDelayMs: 10, factor: 1, maxDelayMs: 10, jitter: 0 };

export interface BesideOurs {
  readonly tap: Product;
  readonly real: Product;
  /** Publishes as the app does: through the tap. */
  publish(topic: string, data: object): Promise<number>;
}

const ORDERS = [{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }];

/** @param answer status word for an event that comes to the app, by its data and how often it came */
export async function besideOurs(
  answer: (n: number, times: number) => string,
  subscriptions: readonly object[] = ORDERS,
): Promise<BesideOurs> {
  const times = new Map<number, number>();
  const app = createServer((request, response) => {
    let text = '';
    request.on('data', (part: Buffer) => (text += part.toString()));
    request.on('end', () => {
      if (request.url === '/dapr/subscribe') {
        response.end(JSON.stringify(subscriptions));
        return;
      }
      const { data }: { readonly data?: { readonly n: number } } = text === '' ? {} : JSON.parse(text);
      const n = data?.n ?? 0;
      times.set(n, (times.get(n) ?? 0) + 1);
      response.end(JSON.stringify({ status: answer(n, times.get(n) ?? 0) }));
    });
  });
  await new Promise<void>((done) => void app.listen(0, '127.0.0.1', done));
  const { port } = app.address() as AddressInfo;
  const sidecarPort = await reusablePort();
  const tap = await productInProcess({
    command: 'tap',
    flags: [
      ...['--ephemeral', '--app-id', 'shop', '--app-url', `http://127.0.0.1:${port}`],
      ...[
        '--sidecar-url',
        `http://127.0.0.1:${sidecarPort}`,
        '--tap-app-port',
        '0',
        '--tap-sidecar-port',
        '0',
      ],
    ],
  });
  onTestFinished(async () => {
    await tap.kill();
    app.closeAllConnections();
    app.close();
  });
  const at = tap.ready.taps?.[0];
  if (at === undefined) throw new Error('the ready line has no tap');
  const real = await productInProcess({
    flags: [
      ...['--profile', 'dapr', '--app-id', 'shop', '--app-url', `http://127.0.0.1:${at.appPort}`],
      ...['--sidecar-port', sidecarPort, '--set', `delivery.retry=${JSON.stringify(QUICK_RETRY)}`],
    ],
  });
  onTestFinished(() => real.kill());
  await tap.when('the subscription of the app is known', async () => {
    const { items } = await tap.rpc('taps.list', {});
    return items[0]?.subscriptions[0];
  });
  return {
    tap,
    real,
    publish: async (topic, data) => {
      const { status } = await fetch(`http://127.0.0.1:${at.sidecarPort}/v1.0/publish/pubsub/${topic}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(data),
      });
      return status;
    },
  };
}

/** The whole text of an export of everything. */
export async function exported(product: Product): Promise<string> {
  const { jobId } = await product.rpc('recordings.export', {});
  let text = '';
  for (let part = 1; ; part += 1) {
    const made = await product.rpc('recordings.read', { jobId, part });
    text += made.text;
    if (made.isLast) return text;
  }
}
