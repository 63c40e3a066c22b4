/** Memory does not grow with the number of messages that went through, only with what is kept and open. */
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { randomIds } from '../../core/adapters/random-ids.ts';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import { Settings } from '../../core/host/settings.ts';
import type { AppChannel, ReceivedAnswer } from '../../core/ports/app-channel.ts';
import { Runtime } from '../../core/runtime/runtime.ts';
import { ListedComponents } from '../support/listed-components.ts';

const IS_LONG = process.env['SIDELIGHT_LONG'] === '1';
/** Messages before the first look at the heap, and before the last. */
const [FEW, MANY, KEPT] = IS_LONG ? [20_000, 200_000, 10_000] : [4000, 24_000, 2000];
const TOPICS = 40;
const AT_ONCE = 200;
/** What a heap may differ by from one look to the next without anything being kept. */
const NOISE_BYTES = 6 * 1024 * 1024;

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

const runtime = new Runtime({
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

beforeAll(async () => {
  settings.set('storage.maxMessages', KEPT);
  settings.set('delivery.retry', { firstDelayMs: 1, factor: 1 });
  await runtime.start();
  await until(() => runtime.subscriptions().length === TOPICS);
});

afterAll(() => runtime.stop(0));

test(
  `${MANY} messages need no more room than ${FEW}`,
  async () => {
    await publish(FEW);
    const few = await heap();
    await publish(MANY - FEW);
    const many = await heap();
    expect(runtime.metrics().published).toBe(MANY);
    expect(many).toBeLessThan(few * 1.25 + NOISE_BYTES);
  },
  IS_LONG ? 600_000 : 60_000,
);

async function publish(count: number): Promise<void> {
  const sidecar = runtime.sidecar('app');
  for (let n = 0; n < count; n += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) =>
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
  await until(() => runtime.counts().retrying + runtime.counts().queued + runtime.counts().attempting === 0);
  for (;;) {
    const { messages } = await journal.stats();
    if (messages <= KEPT) return;
    await wait(20);
  }
}

async function heap(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('this Node does not let garbage be collected by hand');
  for (let i = 0; i < 3; i += 1) {
    await wait(50);
    collect();
  }
  return process.memoryUsage().heapUsed;
}

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await wait(10);
}
