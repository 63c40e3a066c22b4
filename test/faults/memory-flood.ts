/** A flood of publishes against a product with a small heap, and an app that is fast, slow, or hangs; and what came of it. */
import { Agent, createServer, request } from 'node:http';
import type { Server } from 'node:http';
import { readFile } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startProduct } from './kill-product.ts';
import type { Running } from './kill-product.ts';

export interface Flood {
  /** Bytes of a body. */
  readonly size: number;
  readonly text: 'ascii' | 'emoji';
  readonly app: 'fast' | 'slow' | 'hang';
  readonly keeps: 'disk' | 'ephemeral';
  /** Megabytes of the product's heap. */
  readonly heapMb: number;
  /** Publishes at the same time. */
  readonly publishers: number;
  /** The flood ends after so many publishes, so many bytes, so many ms, or so many refusals in all, whichever is first. */
  readonly most: {
    readonly publishes: number;
    readonly bytes: number;
    readonly ms: number;
    readonly refusals: number;
  };
  readonly flags?: readonly string[];
}

export interface Came {
  readonly accepted: number;
  readonly refused: number;
  /** Reason of the first refusal. */
  readonly reason: string;
  /** Answers of neither kind, and connections that were cut. */
  readonly other: readonly string[];
  /** Largest resident memory of the product, MB. */
  readonly mostMb: number;
  /** Afterwards the product answered, took a publish to another topic, and ended in order with this status. */
  readonly after: { readonly health: number; readonly publish: number; readonly status: number | null };
  readonly seconds: number;
}

const SLOW_MS = 300;

/** Publishes until one of the bounds is reached, then looks whether everything still works. Leaves nothing behind. */
export async function flood(what: Flood): Promise<Came> {
  const folder = await mkdtemp(join(tmpdir(), 'sidelight-memory-'));
  const app = await startApp(what.app);
  const ephemeral = what.keeps === 'ephemeral' ? ['--ephemeral'] : ['--set', 'journal.sync=normal'];
  const flags = [...ephemeral, '--log-level', 'error', ...(what.flags ?? [])];
  const env = { NODE_OPTIONS: `--max-old-space-size=${what.heapMb}` };
  let running: Running | undefined;
  let status: number | null | undefined;
  try {
    running = await startProduct(folder, app.url, flags, env);
    const load = new Load(what, running);
    await load.run();
    const after = { health: await health(running), publish: await load.one('other', '{"n":1}') };
    app.release();
    status = await running.end();
    return { ...load.came(), after: { ...after, status } };
  } finally {
    if (status === undefined) await running?.kill();
    await app.close();
    await rm(folder, { recursive: true, force: true });
  }
}

class Load {
  readonly #what: Flood;
  readonly #running: Running;
  readonly #agent: Agent;
  readonly #body: Buffer;
  readonly #begun = performance.now();
  #made = 0;
  #accepted = 0;
  #refused = 0;
  #reason = '';
  #mostMb = 0;
  #seconds = 0;
  readonly #other: string[] = [];

  constructor(what: Flood, running: Running) {
    this.#what = what;
    this.#running = running;
    this.#agent = new Agent({ keepAlive: true, maxSockets: what.publishers });
    const sign = what.text === 'ascii' ? 'x' : '😀';
    const count = Math.max(1, Math.floor((what.size - 10) / Buffer.byteLength(sign)));
    this.#body = Buffer.from(JSON.stringify({ t: sign.repeat(count) }));
  }

  async run(): Promise<void> {
    const looking = setInterval(() => void this.#look(), 250);
    await Promise.all(Array.from({ length: this.#what.publishers }, () => this.#publisher()));
    clearInterval(looking);
    await this.#look();
    this.#seconds = Math.round((performance.now() - this.#begun) / 1000);
    this.#agent.destroy();
  }

  came(): Omit<Came, 'after'> {
    return {
      accepted: this.#accepted,
      refused: this.#refused,
      reason: this.#reason,
      other: this.#other,
      mostMb: this.#mostMb,
      seconds: this.#seconds,
    };
  }

  /** The status; 0: the connection was cut. */
  async one(topic: string, body: string | Buffer): Promise<number> {
    return (await this.#publish(topic, body)).status;
  }

  async #publisher(): Promise<void> {
    const { most } = this.#what;
    while (
      this.#made < most.publishes &&
      this.#made * this.#body.length < most.bytes &&
      this.#refused < most.refusals &&
      performance.now() - this.#begun < most.ms &&
      this.#other.length === 0
    ) {
      this.#made += 1;
      const { status, text } = await this.#publish('orders', this.#body);
      if (status === 204) this.#accepted += 1;
      else if (status === 500) {
        this.#refused += 1;
        if (this.#reason === '') this.#reason = text;
      } else this.#other.push(`${status} ${text}`);
    }
  }

  #publish(topic: string, body: string | Buffer): Promise<{ status: number; text: string }> {
    return new Promise((resolve) => {
      const outgoing = request(
        `${this.#running.sidecar}/v1.0/publish/pubsub/${topic}`,
        { method: 'POST', agent: this.#agent, headers: { 'content-type': 'application/json' } },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.once('end', () =>
            resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
          );
          response.once('error', (error) => resolve({ status: 0, text: String(error) }));
        },
      );
      outgoing.once('error', (error) => resolve({ status: 0, text: String(error) }));
      outgoing.end(body);
    });
  }

  async #look(): Promise<void> {
    const text = await readFile(`/proc/${this.#running.pid}/status`, 'utf8').catch(() => '');
    const kb = /VmHWM:\s+(\d+) kB/.exec(text)?.[1];
    if (kb !== undefined) this.#mostMb = Math.round(Number(kb) / 1024);
  }
}

async function health(running: Running): Promise<number> {
  const answer = await fetch(`${running.sidecar}/v1.0/healthz/outbound`);
  await answer.arrayBuffer();
  return answer.status;
}

interface FloodedApp {
  readonly url: string;
  /** Answers hanging calls. */
  release(): void;
  close(): Promise<void>;
}

/** Subscribes to `orders`. */
async function startApp(kind: Flood['app']): Promise<FloodedApp> {
  const hanging = new Set<() => void>();
  let released = false;
  const server: Server = createServer((incoming, response) => {
    incoming.resume();
    incoming.once('end', () => {
      response.setHeader('content-type', 'application/json');
      if (incoming.method === 'GET') {
        const subscription = { pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } };
        response.end(JSON.stringify([subscription]));
        return;
      }
      const answer = (): void => void response.end('{"status":"SUCCESS"}');
      if (kind === 'fast' || released) answer();
      else if (kind === 'slow') setTimeout(answer, SLOW_MS);
      else hanging.add(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the app listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    release: () => {
      released = true;
      for (const answer of hanging) answer();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
