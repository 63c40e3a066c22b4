/** Looks at the heap of its own process while messages go through a runtime with a history of bounded length. */
import { setTimeout as wait } from 'node:timers/promises';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { Settings } from '../../core/host/settings.ts';
import type { AppChannel, ReceivedAnswer } from '../../core/ports/app-channel.ts';
import { createRuntime } from '../../core/runtime/runtime.ts';
import { ListedComponents } from '../support/listed-components.ts';
import { collectGarbage } from '../support/garbage.ts';

const TOPICS = 40;
const AT_ONCE = 200;

const log = { write: () => undefined };
const clock = systemClock();
const journal = createMemoryJournal({ codec: bufferCodec });
const settings = new Settings(new Map(), new Map());
const components = new ListedComponents({ clock, log, profile: PROFILES.sidecar });

/** Answers at once; every tenth call is to be retried, so that attempts, timers and lanes are used too. */
class QuickApp implements AppChannel {
  readonly url = 'http://app.test:6001';
  #calls = 0;

  deliver(): ReturnType<AppChannel['deliver']> {
    this.#calls += 1;
    const status = this.#calls % 10 === 0 ? 503 : 200;
    return { answer: Promise.resolve(respond(status, '')), cancel: () => undefined };
  }

  async get(): Promise<ReceivedAnswer> {
    const subscriptions = Array.from({ length: TOPICS }, (_, i) => ({
      pubsubname: 'pubsub',
      topic: `topic-${i}`,
      route: '/all',
    }));
    return respond(200, JSON.stringify(subscriptions));
  }

  async probe(): Promise<boolean> {
    return true;
  }

  async close(): Promise<void> {
    return undefined;
  }
}

function respond(status: number, body: string): ReceivedAnswer {
  return { kind: 'response', status, headers: {}, body: bufferCodec.fromText(body) };
}

const runtime = createRuntime({
  clock,
  ids: randomIds(),
  random: { next: () => Math.random() },
  codec: bufferCodec,
  profile: PROFILES.sidecar,
  settings,
  journal,
  log,
  components,
  apps: [{ appId: 'app', channel: new QuickApp() }],
  version: '0.0.0-test',
});

export interface Heaps {
  /** Bytes after the first messages, and after all. */
  readonly few: number;
  readonly many: number;
  /** Counts of the runtime. */
  readonly published: number;
}

/** Publishes `few` messages, looks, publishes on until there are `many`, looks again; `kept` stay in the history. Once in a process. */
export async function heaps({
  few,
  many,
  kept,
}: Readonly<Record<'few' | 'many' | 'kept', number>>): Promise<Heaps> {
  settings.set('storage.maxMessages', kept);
  settings.set('delivery.retry', { firstDelayMs: 1, factor: 1 });
  await runtime.start();
  try {
    await until(() => runtime.topology.subscriptions().length === TOPICS);
    await publish(few, kept);
    const first = await heap();
    await publish(many - few, kept);
    return { few: first, many: await heap(), published: runtime.figures.metrics().published };
  } finally {
    await runtime.stop(0);
  }
}

async function publish(count: number, kept: number): Promise<void> {
  const sidecar = runtime.sidecar('app');
  for (let n = 0; n < count; n += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, i) =>
        sidecar.publish({
          pubsubname: 'pubsub',
          topic: `topic-${(n + i) % TOPICS}`,
          body: JSON.stringify({ n: n + i, text: 'x'.repeat(200) }),
          contentType: 'application/json',
          metadata: { ttlInSeconds: '86400' },
          source: 'http',
        }),
      ),
    );
    // Timers and the history's limits get their turn as under real load.
    await wait(0);
  }
  await until(
    () =>
      runtime.figures.counts().retrying +
        runtime.figures.counts().queued +
        runtime.figures.counts().attempting ===
      0,
  );
  for (;;) {
    const { messages } = await journal.stats();
    if (messages <= kept) return;
    await wait(20);
  }
}

async function heap(): Promise<number> {
  await collectGarbage(() => wait(50));
  return process.memoryUsage().heapUsed;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(10);
}
