// Kills a tap while messages pass it, and counts what reaches the app, how often, and what does not.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { startProduct } from '../e2e/product.ts';
import type { Product } from '../e2e/product.ts';
import { reusablePort } from '../e2e/reusable-port.ts';
import { PROGRAM } from '../support/program.ts';
import type { Chance } from './pass-through.ts';

const TRY_AGAIN_MS = 20;

export interface KillPlan {
  readonly kills: number;
  /** Messages that are published through the tap, and as many past it. */
  readonly messages: number;
  readonly chance: Chance;
  /** Starts the sidecar whose app is told to be on `appPort`, on `port`. */
  readonly startReal: (ports: { readonly port: number; readonly appPort: number }) => Promise<Real>;
  readonly realPort: number;
  /** Longest time without a message after which no further one is waited for, once each has come. */
  readonly quietMs: number;
  /** Longest time without a message while some have not come: a busy broker hands messages over again late. */
  readonly missingMs: number;
}

export interface Real {
  readonly url: string;
  stop(): Promise<void>;
}

/** Result of the rounds. */
export interface KillReport {
  readonly acknowledged: number;
  /** Acknowledged, and never at the app. */
  readonly lost: readonly string[];
  /** Arrived after a pause; a count without that pause would have called them lost. */
  readonly late: number;
  /** Further times that the app got a message. */
  readonly duplicates: number;
  /** Publishes through the tap that a kill cut off; each was published again. */
  readonly cutOff: number;
  readonly kills: number;
  /** Number of lost messages that the history of the tap shows as not processed. */
  readonly lostAndShown: number;
}

/** An app that counts what comes to it. */
class CountingApp {
  readonly times = new Map<string, number>();
  lastAt = 0;
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      let text = '';
      request.on('data', (part: Buffer) => (text += part.toString()));
      request.on('end', () => {
        if (request.url === '/dapr/subscribe') {
          response.end(JSON.stringify([{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }]));
          return;
        }
        const { data }: { readonly data?: { readonly n: string } } = text === '' ? {} : JSON.parse(text);
        if (data !== undefined) this.times.set(data.n, (this.times.get(data.n) ?? 0) + 1);
        this.lastAt = performance.now();
        response.end('{"status":"SUCCESS"}');
      });
    });
  }

  async open(): Promise<number> {
    await once(this.#server.listen(0, '127.0.0.1'), 'listening');
    return (this.#server.address() as AddressInfo).port;
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** Kills the tap at random moments under both streams of messages, and starts it again each time. */
export async function killedTap(plan: KillPlan): Promise<KillReport> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-tap-kill-'));
  const app = new CountingApp();
  const [tapAppPort, tapSidecarPort] = [await reusablePort(), await reusablePort()];
  const appUrl = `http://127.0.0.1:${await app.open()}`;
  const startTap = (): Promise<Product> =>
    startProduct({
      entry: PROGRAM,
      command: 'tap',
      flags: [
        ...['--data-dir', folder, '--app-id', 'shop', '--app-url', appUrl],
        ...['--sidecar-url', `http://127.0.0.1:${plan.realPort}`],
        ...['--tap-app-port', tapAppPort, '--tap-sidecar-port', tapSidecarPort],
      ],
    });
  let tap = await startTap();
  let real: Real | undefined;
  try {
    real = await plan.startReal({ port: plan.realPort, appPort: Number(tapAppPort) });
    await untilSubscribed(real.url, app);
    const through = new Publisher(`http://127.0.0.1:${tapSidecarPort}`, 'through');
    const past = new Publisher(real.url, 'past');
    const each = Math.ceil(plan.messages / plan.kills);
    for (let kill = 1; kill <= plan.kills; kill += 1) {
      const [before, after] = [Math.ceil(plan.chance() * each), each];
      const publishing = Promise.all([through.publish(after), past.publish(after)]);
      await through.until(through.acknowledged.size + before);
      await tap.kill();
      tap = await startTap();
      await publishing;
    }
    const acknowledged = [...through.acknowledged, ...past.acknowledged];
    const missing = (): readonly string[] => acknowledged.filter((n) => !app.times.has(n));
    await untilQuiet(app, () => plan.quietMs);
    const late = missing();
    if (late.length > 0)
      await untilQuiet(app, () => (missing().length === 0 ? plan.quietMs : plan.missingMs));
    const lost = missing();
    return {
      acknowledged: acknowledged.length,
      lost,
      late: late.length - lost.length,
      duplicates: [...app.times.values()].reduce((sum, times) => sum + times - 1, 0),
      cutOff: through.cutOff,
      kills: plan.kills,
      lostAndShown: await shown(tap, lost),
    };
  } finally {
    await real?.stop();
    await tap.kill();
    app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Publishes one message after another, each until it is acknowledged. */
class Publisher {
  readonly acknowledged = new Set<string>();
  cutOff = 0;
  readonly #url: string;
  readonly #name: string;
  #wake: () => void = () => undefined;

  constructor(url: string, name: string) {
    this.#url = `${url}/v1.0/publish/pubsub/orders`;
    this.#name = name;
  }

  async publish(count: number): Promise<void> {
    for (let more = count; more > 0; more -= 1) {
      const n = `${this.#name}-${this.acknowledged.size}`;
      while (!(await this.#isTaken(n))) await setTimeout(TRY_AGAIN_MS);
      this.acknowledged.add(n);
      this.#wake();
    }
  }

  async #isTaken(n: string): Promise<boolean> {
    try {
      const answer = await fetch(this.#url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ n }),
      });
      await answer.arrayBuffer();
      return answer.status === 204;
    } catch (error) {
      // The tap is away, or was killed with the publish under way.
      if (!(error instanceof TypeError)) throw error;
      const { code } = (error.cause ?? {}) as { readonly code?: string };
      if (code !== 'ECONNREFUSED') this.cutOff += 1;
      return false;
    }
  }

  async until(count: number): Promise<void> {
    while (this.acknowledged.size < count) await new Promise<void>((go) => (this.#wake = go));
  }
}

/** A message that is published before the subscription is served would be lost by itself. */
async function untilSubscribed(url: string, app: CountingApp): Promise<void> {
  const fence = new Publisher(url, 'fence');
  while (app.times.size === 0) {
    await fence.publish(1);
    await setTimeout(TRY_AGAIN_MS);
  }
  app.times.clear();
}

async function untilQuiet(app: CountingApp, quietMs: () => number): Promise<void> {
  app.lastAt = performance.now();
  while (performance.now() - app.lastAt < quietMs()) await setTimeout(TRY_AGAIN_MS);
}

/** How many of these the tap shows, as messages that were not processed. */
async function shown(tap: Product, lost: readonly string[]): Promise<number> {
  let count = 0;
  for (const n of lost) {
    const { items } = await tap.rpc('messages.list', { filter: `is:tapped data.n:"${n}"`, limit: 10 });
    const isShown = items.some(({ deliveries }) => deliveries.every(({ state }) => state !== 'processed'));
    if (isShown) count += 1;
  }
  return count;
}
