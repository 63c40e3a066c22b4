/** Measures one scenario: bare forwarder and product in turn, in the same run, against the same app. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { AppAsk, AppTell, Load, Loaded } from './messages.ts';
import { cpuMs, startPeer, startProduct } from './processes.ts';
import type { Peer, Product } from './processes.ts';
import { topicsOf } from './scenarios.ts';
import type { Scenario } from './scenarios.ts';
import { median, summaryOf } from './stats.ts';
import type { Round, Summary } from './stats.ts';

export interface BenchOptions {
  readonly rounds: number;
  readonly seconds: number;
  readonly mostMessages: number;
  /** Script of the product. */
  readonly entry: string;
}

export interface Row {
  readonly id: string;
  readonly title: string;
  readonly bare: Summary;
  readonly product: Summary;
  /** Product to bare forwarder, the median of the rounds' ratios. */
  readonly ratio: number;
  readonly attached?: Summary;
  /** Share of the throughput that an attached console costs. */
  readonly consoleCosts?: number;
  /** Events that the console got. */
  readonly consoleEvents?: number;
}

type Variant = 'bare' | 'product' | 'attached';

const DRAIN_MS = 60_000;
const READY_MS = 30_000;
const WARM_UP = 2_000;

/** Free ports, and events that wait only for those before them. */
const ROUTER_FLAGS = ['router', 'ingress'].flatMap((one) => [
  '--set',
  `eventRouter.listen.${one}=localhost:0`,
]);

/** Messages in the history before the row `history` is measured. */
const HISTORY = 60_000;

/** Runs every round of a scenario and ends all its processes. */
export async function measure(scenario: Scenario, options: BenchOptions): Promise<Row> {
  const peers: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(peer: T): T => {
    peers.unshift(peer);
    return peer;
  };
  try {
    const app = keep(startPeer('./app-process.ts'));
    const subscriptions = topicsOf(scenario).map(scenario.subscription);
    const start: AppAsk = { kind: 'start', subscriptions };
    const { port } = await app.ask<Extract<AppTell, { kind: 'started' }>>(start, READY_MS);
    const appUrl = `http://127.0.0.1:${port}`;
    const forwarder = keep(startPeer('./forwarder-process.ts', [appUrl]));
    const bareUrl = `http://127.0.0.1:${(await forwarder.first<{ port: number }>()).port}`;
    const flags = scenario.viaRouter === true ? ['--ephemeral', ...ROUTER_FLAGS] : undefined;
    const product = keep(await startProduct(appUrl, options.entry, flags));
    await untilSubscribed(product, scenario.topics);
    if (scenario.viaRouter === true) await untilRouted(product);
    const load = keep(startPeer('./load-process.ts'));
    const bench: Bench = { scenario, options, app, load, bareUrl, barePid: forwarder.pid, product };
    for (const variant of ['bare', 'product'] as const) await round(bench, variant, WARM_UP);
    if (scenario.id === 'history') await round(bench, 'product', HISTORY, 60);
    return await rounds(bench);
  } finally {
    for (const peer of peers) await peer.stop();
  }
}

interface Bench {
  readonly scenario: Scenario;
  readonly options: BenchOptions;
  readonly app: Peer;
  readonly load: Peer;
  readonly bareUrl: string;
  readonly barePid: number;
  readonly product: Product;
}

async function rounds(bench: Bench): Promise<Row> {
  const { scenario, options } = bench;
  const variants: Variant[] = ['bare', 'product'];
  if (scenario.withConsole) variants.push('attached');
  const measured: Record<Variant, Round[]> = { bare: [], product: [], attached: [] };
  let consoleEvents = 0;
  for (let n = 0; n < options.rounds; n += 1) {
    // Every other round the other way round, so that what warms up or fills up favours none.
    for (const variant of n % 2 === 0 ? variants : variants.toReversed()) {
      if (variant !== 'attached') {
        measured[variant].push(await round(bench, variant, options.mostMessages));
        continue;
      }
      const watcher = startPeer('./console-process.ts', [bench.product.console, bench.product.token]);
      try {
        await watcher.first();
        measured.attached.push(await round(bench, variant, options.mostMessages));
        consoleEvents += (await watcher.ask<{ events: number }>({ kind: 'events' }, READY_MS)).events;
      } finally {
        await watcher.stop();
      }
    }
  }
  const ratios = measured.product.map(
    (one, at) => one.perSecond / (measured.bare[at]?.perSecond ?? Number.NaN),
  );
  const costs = measured.attached.map(
    (one, at) => 1 - one.perSecond / (measured.product[at]?.perSecond ?? Number.NaN),
  );
  return {
    id: scenario.id,
    title: scenario.title,
    bare: summaryOf(measured.bare),
    product: summaryOf(measured.product),
    ratio: median(ratios),
    ...(scenario.withConsole
      ? { attached: summaryOf(measured.attached), consoleCosts: median(costs), consoleEvents }
      : {}),
  };
}

async function round(
  bench: Bench,
  variant: Variant,
  mostMessages: number,
  seconds = bench.options.seconds,
): Promise<Round> {
  const { scenario, app, load, bareUrl, product } = bench;
  await app.ask({ kind: 'reset' }, READY_MS);
  const viaRouter = scenario.viaRouter === true;
  const isBare = variant === 'bare' && !viaRouter;
  const pid = isBare ? bench.barePid : product.pid;
  const cpuBefore = await cpuMs(pid);
  const prefix = scenario.entries > 0 ? '/v1.0-alpha1/publish/bulk/pubsub/' : '/v1.0/publish/pubsub/';
  const asked: Load = {
    kind: 'load',
    url: isBare ? bareUrl : product.sidecar,
    paths:
      viaRouter && variant !== 'bare'
        ? ['/v1.0/bindings/example']
        : topicsOf(scenario).map((topic) => prefix + topic),
    ...(viaRouter && variant !== 'bare' ? { create: true as const } : {}),
    publishers: scenario.publishers,
    seconds,
    mostMessages,
    padding: scenario.padding,
    // The bare forwarder hands on what it gets, one body a message.
    entries: isBare ? 0 : scenario.entries,
  };
  const loaded = await load.ask<Loaded>(asked, seconds * 1_000 + DRAIN_MS);
  const wanted = loaded.messages - loaded.refused;
  const counted = await app.ask<Extract<AppTell, { kind: 'counted' }>>(
    { kind: 'count', messages: wanted, limitMs: DRAIN_MS },
    DRAIN_MS + READY_MS,
  );
  if (counted.messages < wanted) {
    throw new Error(`${scenario.id} ${variant}: ${wanted} messages were taken, ${counted.messages} arrived`);
  }
  const cpuAfter = await cpuMs(pid);
  return {
    cpuUs: ((cpuAfter - cpuBefore) * 1_000) / counted.messages,
    perSecond: counted.messages / ((counted.lastAt - loaded.startedAt) / 1_000),
    p50: counted.p50,
    p99: counted.p99,
    messages: counted.messages,
    refused: loaded.refused,
  };
}

async function untilSubscribed(product: Product, topics: number): Promise<void> {
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    const answer = await fetch(`${product.sidecar}/v1.0/metadata`);
    const body: { subscriptions?: unknown[] } = JSON.parse(await answer.text());
    if ((body.subscriptions?.length ?? 0) >= topics) return;
    await sleep(50);
  }
  throw new Error('the product did not subscribe');
}

/** The example component is there and ready. */
async function untilRouted({ console: url, token }: Product): Promise<void> {
  const call = async (method: string): Promise<{ components?: { input?: { state: string } }[] }> => {
    const answer = await fetch(`${url}/rpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: {} }),
    });
    const body: { result?: { components?: { input?: { state: string } }[] } } = JSON.parse(
      await answer.text(),
    );
    return body.result ?? {};
  };
  await call('eventRouter.create');
  const until = performance.now() + READY_MS;
  while (performance.now() < until) {
    if ((await call('eventRouter.status')).components?.[0]?.input?.state === 'ready') return;
    await sleep(50);
  }
  throw new Error('the event router did not become ready');
}
