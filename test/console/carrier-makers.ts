/** Puts a console behind each of its carriers, for suites that run over all three. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocket } from 'ws';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { Console } from '../../core/console/console.ts';
import { createConsoleServer } from '../../core/console/server.ts';
import type { ConsoleServer } from '../../core/console/server.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { attachPipe, makeBench } from './bench.ts';
import type { Bench } from './bench.ts';

export interface Carried {
  readonly bench: Bench;
  /** Sends a text and gives what comes back for it. */
  ask(text: string): Promise<string>;
  /** Sends a text that is not answered. */
  tell(text: string): Promise<void>;
  /** Everything that came, answers of `ask` included. */
  readonly heard: readonly string[];
  close(): Promise<void>;
}

/** A peer that gives received texts to waiting callers, in order. */
class Heard {
  readonly texts: string[] = [];
  #given = 0;
  readonly #waiting: ((text: string) => void)[] = [];

  hear(text: string): void {
    this.texts.push(text);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) return;
    this.#given += 1;
    waiting(text);
  }

  next(): Promise<string> {
    const ready = this.texts[this.#given];
    if (ready === undefined) return new Promise((resolve) => void this.#waiting.push(resolve));
    this.#given += 1;
    return Promise.resolve(ready);
  }
}

/** In process, as the desktop window is attached. */
export async function overPipe(): Promise<Carried> {
  const bench = makeBench(systemClock());
  const console = new Console(bench.deps);
  const heard = new Heard();
  const end = attachPipe(console, (text) => heard.hear(text));
  return {
    bench,
    heard: heard.texts,
    ask(text) {
      end.send(text);
      return heard.next();
    },
    async tell(text) {
      end.send(text);
    },
    async close() {
      await console.close();
    },
  };
}

export async function overWebSocket(): Promise<Carried> {
  const { bench, server, remove } = await listen();
  const socket = await connect(server);
  const heard = new Heard();
  socket.on('message', (data: Buffer) => heard.hear(data.toString('utf8')));
  return {
    bench,
    heard: heard.texts,
    ask(text) {
      socket.send(text);
      return heard.next();
    },
    async tell(text) {
      socket.send(text);
    },
    async close() {
      socket.terminate();
      await server.close();
      await remove();
    },
  };
}

export async function overHttp(): Promise<Carried> {
  const { bench, server, remove } = await listen();
  const texts: string[] = [];
  const post = async (body: string): Promise<string> => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${server.token}` };
    const response = await fetch(`${server.url}/rpc`, { method: 'POST', headers, body });
    const text = await response.text();
    if (response.status === 200) texts.push(text);
    else if (response.status !== 204) throw new Error(`HTTP ${response.status}: ${text}`);
    return text;
  };
  return {
    bench,
    heard: texts,
    ask: post,
    async tell(text) {
      const answer = await post(text);
      if (answer !== '') throw new Error(`expected no answer, got ${answer}`);
    },
    async close() {
      await server.close();
      await remove();
    },
  };
}

/** A listening console over a folder of its own, empty unless a test fills it. */
export async function listen(clock: Clock = systemClock()): Promise<{
  readonly bench: Bench;
  readonly server: ConsoleServer;
  readonly rendererDir: string;
  readonly remove: () => Promise<void>;
}> {
  const bench = makeBench(clock);
  const root = await mkdtemp(join(tmpdir(), 'sidelight-console-'));
  const rendererDir = join(root, 'renderer');
  await mkdir(rendererDir);
  const server = await createConsoleServer({ ...bench.deps, rendererDir, port: 0 });
  return { bench, server, rendererDir, remove: () => rm(root, { recursive: true, force: true }) };
}

/** An open stream with the token. */
export async function connect(server: ConsoleServer): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/stream`, {
    headers: { Authorization: `Bearer ${server.token}` },
  });
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return socket;
}
