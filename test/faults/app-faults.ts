/** Publishes through the product in a process of its own while its app goes wrong in one way, and counts what became of it. */
import fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import { FAULTS, isFault, startFaultyApp } from './faulty-app.ts';
import type { Fault, FaultyApp } from './faulty-app.ts';
import { load, startProduct } from './kill-product.ts';
import type { Running } from './kill-product.ts';

const PUBLISHERS = 16;
const RETRY = { maxAttempts: 0, firstDelayMs: 20, factor: 1.2, maxDelayMs: 200, jitter: 0 };
/** A message has no deliveries yet in the moment between its acceptance and its way to the app; every topic here is subscribed. */
const UNFINISHED =
  'state:none OR state:queued OR state:attempting OR state:retrying OR state:waiting OR state:held';

export interface Figures {
  /** Publishes that were answered 204. */
  readonly tried: number;
  /** True: the process lives and its probe answers 204. */
  readonly survived: boolean;
  /** Messages that did not end as processed. */
  readonly lost: number;
  readonly [more: string]: unknown;
}

/** One line on stderr, as docs/faults.md lists it. */
export function tell(fault: string, figures: Figures): Figures {
  process.stderr.write(`faults/${fault}: ${JSON.stringify(figures)}\n`);
  return figures;
}

export const FAULT_NAMES = Object.keys(FAULTS);

/** A name of a topic and path for words. */
export function topicOf(fault: string): string {
  return fault.replaceAll(/\W+/g, '-');
}

export class FaultStand {
  readonly folder: string;
  app: FaultyApp;
  running: Running;

  private constructor(folder: string, app: FaultyApp, running: Running) {
    this.folder = folder;
    this.app = app;
    this.running = running;
  }

  /** The product with a durable journal, and an app that subscribes to a topic per fault and to `orders`. */
  static async start(flags: readonly string[] = []): Promise<FaultStand> {
    const folder = await mkdtemp(join(tmpdir(), 'sidelight-faults-'));
    const byTopic = new Map<string, Fault>();
    for (const name of FAULT_NAMES) if (isFault(name)) byTopic.set(topicOf(name), name);
    const app = await startFaultyApp(['orders', ...byTopic.keys()], (topic) => byTopic.get(topic));
    const running = await startProduct(folder, app.url, [...FLAGS, ...flags]);
    return new FaultStand(folder, app, running);
  }

  /** Publishes `count` messages and waits for their end. */
  async run(fault: string, count: number, topic = topicOf(fault)): Promise<Figures> {
    const before = await this.count(`topic:${topic} state:processed`);
    const tried = await this.publish(count, topic);
    await this.ended(topic);
    return tell(fault, {
      tried,
      survived: await this.isAlive(),
      lost: tried + before - (await this.count(`topic:${topic} state:processed`)),
      rssMB: rssMB(this.running.pid),
    });
  }

  /** How many of `count` publishes were answered 204. */
  async publish(count: number, topic: string, prefix = topic): Promise<number> {
    let [made, tried] = [0, 0];
    await load(
      this.running.sidecar,
      PUBLISHERS,
      () => (made < count ? `${prefix}-${++made}` : undefined),
      () => (tried += 1),
      topic,
    );
    return tried;
  }

  async ended(topic: string): Promise<void> {
    await vi.waitUntil(async () => (await this.count(`topic:${topic} (${UNFINISHED})`)) === 0, {
      timeout: 1_200_000,
      interval: 100,
    });
  }

  async count(filter: string): Promise<number> {
    const { total } = (await this.running.call('messages.list', { filter, limit: 1 })) as { total: number };
    return total;
  }

  async isAlive(): Promise<boolean> {
    const { status } = await fetch(`${this.running.sidecar}/v1.0/healthz`);
    return status === 204;
  }

  /** In order; the exit status. */
  async end(): Promise<number | null> {
    return this.running.end();
  }

  async restart(flags: readonly string[] = []): Promise<void> {
    this.running = await startProduct(this.folder, this.app.url, [...FLAGS, ...flags]);
  }

  async close(): Promise<void> {
    await this.running.kill();
    await this.app.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}

const FLAGS = [
  ...['--log-level', 'error'],
  ...['--set', `delivery.retry=${JSON.stringify(RETRY)}`],
  ...['--set', 'delivery.attemptTimeoutMs=1000'],
];

/** Resident memory of a process in MiB; 0 where it cannot be read. */
export function rssMB(pid: number): number {
  if (process.platform !== 'linux') return 0;
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
