/** One product under load: what reached the app, how fast publishes were answered. */
import type { AppAsk, AppTell, Load, Loaded } from './messages.ts';
import { cpuMs, startPeer, startProduct } from './processes.ts';
import type { Peer, Product } from './processes.ts';
import { pause } from './rpc-socket.ts';

const READY_MS = 60_000;
const DRAIN_MS = 240_000;

export interface Stand {
  readonly app: Peer;
  readonly load: Peer;
  readonly appUrl: string;
  stop(): Promise<void>;
}

export interface LoadRound {
  /** Messages that the app had, per second. */
  readonly perSecond: number;
  readonly ackP50: number;
  readonly ackP99: number;
  readonly messages: number;
  /** Microseconds of processor time that the product took for each message, all of its threads together. */
  readonly cpuUs: number;
}

/** An app that subscribes to topic `t0` of a component, and publishers. */
export async function startStand(pubsubname = 'pubsub'): Promise<Stand> {
  const app = startPeer('./app-process.ts');
  const load = startPeer('./load-process.ts');
  const subscriptions = [{ pubsubname, topic: 't0', routes: { default: '/t0' } }];
  const start: AppAsk = { kind: 'start', subscriptions };
  const { port } = await app.ask<Extract<AppTell, { kind: 'started' }>>(start, READY_MS);
  return {
    app,
    load,
    appUrl: `http://127.0.0.1:${port}`,
    stop: async () => {
      await app.stop();
      await load.stop();
    },
  };
}

/** Starts a product and waits until it serves the app's subscription. */
export async function startServing(
  stand: Stand,
  entry: string,
  flags: readonly string[],
  nodeFlags: readonly string[] = [],
): Promise<Product> {
  const product = await startProduct(stand.appUrl, entry, flags, nodeFlags);
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    const answer = await fetch(`${product.sidecar}/v1.0/metadata`);
    const body: { subscriptions?: unknown[] } = JSON.parse(await answer.text());
    if ((body.subscriptions?.length ?? 0) > 0) return product;
    await pause();
  }
  await product.stop();
  throw new Error('the product did not subscribe');
}

/** Publishes for `seconds` or until `mostMessages`, and waits until the app has them all. */
export async function round(
  { app, load }: Stand,
  product: Product,
  asked: Pick<Load, 'publishers' | 'seconds' | 'mostMessages' | 'entries'> & { readonly pubsubname?: string },
): Promise<LoadRound> {
  const { pubsubname = 'pubsub', ...rest } = asked;
  const cpuBefore = await cpuMs(product.pid);
  await app.ask({ kind: 'reset' }, READY_MS);
  const route = asked.entries > 0 ? '/v1.0-alpha1/publish/bulk' : '/v1.0/publish';
  const loaded = await load.ask<Loaded>(
    {
      kind: 'load',
      url: product.sidecar,
      paths: [`${route}/${pubsubname}/t0`],
      padding: 200,
      ...rest,
    },
    asked.seconds * 1000 + DRAIN_MS,
  );
  if (loaded.refused > 0) throw new Error(`${loaded.refused} publishes were refused`);
  const counted = await app.ask<Extract<AppTell, { kind: 'counted' }>>(
    { kind: 'count', messages: loaded.messages, limitMs: DRAIN_MS },
    DRAIN_MS + READY_MS,
  );
  if (counted.messages < loaded.messages)
    throw new Error(`${loaded.messages} messages were taken, ${counted.messages} arrived`);
  return {
    perSecond: counted.messages / ((counted.lastAt - loaded.startedAt) / 1000),
    ackP50: loaded.ackP50,
    ackP99: loaded.ackP99,
    messages: counted.messages,
    cpuUs: (((await cpuMs(product.pid)) - cpuBefore) * 1000) / counted.messages,
  };
}
