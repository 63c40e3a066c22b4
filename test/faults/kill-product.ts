/** The headless product in a process of its own, to be killed; an app that counts what it gets; a load of publishes. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createServer, request, Agent } from 'node:http';
import type { IncomingMessage, Server } from 'node:http';
import { createInterface } from 'node:readline';
import { PROGRAM } from '../support/program.ts';
import { call } from '../support/rpc-call.ts';

const START_MS = 300_000;

export interface Running {
  readonly sidecar: string;
  readonly console: string;
  readonly token: string;
  readonly pid: number;
  /** One-time link of the ready line. */
  readonly open: string;
  /** Address of the mock app, or of the one that was given. */
  readonly app: string;
  /** Everything it wrote to stderr. */
  readonly lines: readonly string[];
  /** Calls a console method. */
  call(method: string, params: object): Promise<unknown>;
  /** Ends the process as the system does when memory runs out: at once, without a word. */
  kill(): Promise<void>;
  /** In order; resolves with the exit status. */
  end(): Promise<number | null>;
}

/** Starts it on a data folder, which it leaves alone with the flag `--ephemeral`. Rejects with what it said when no ready line comes. */
export async function startProduct(
  folder: string,
  /** undefined: the mock app. */
  appUrl: string | undefined,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Promise<Running> {
  const ports = ['--sidecar-port', '0', '--console-port', '0'];
  const app = appUrl === undefined ? ['--app-port', '0'] : ['--app-url', appUrl];
  const data = flags.includes('--ephemeral') ? [] : ['--data-dir', folder];
  const args = [PROGRAM, '--headless', ...data, ...app, ...ports, ...flags];

  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const over = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  const lines: string[] = [];
  const ready = await readyLine(child, lines);
  return {
    sidecar: ready.apps[0]?.sidecar ?? '',
    console: ready.console,
    token: ready.token,
    pid: child.pid ?? 0,
    open: ready.open,
    app: ready.apps[0]?.app ?? '',
    lines,
    call: (method, params) => call(ready, method, params),
    kill: async () => {
      child.kill('SIGKILL');
      await over;
    },
    end: () => {
      child.kill('SIGTERM');
      return over;
    },
  };
}

interface Ready {
  readonly console: string;
  readonly rpc: string;
  readonly token: string;
  readonly open: string;
  readonly apps: readonly { readonly sidecar: string; readonly app: string }[];
}

function readyLine(child: ChildProcess, said: string[]): Promise<Ready> {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('the streams of the product are not piped');
  createInterface({ input: stderr }).on('line', (line) => said.push(line));
  return new Promise((resolve, reject) => {
    const fail = (why: string): void => reject(new Error(`${why}; it said:\n${said.slice(-20).join('\n')}`));
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      fail('no ready line came');
    }, START_MS);
    child.once('exit', (code) => fail(`the product ended with ${code}`));
    createInterface({ input: stdout }).once('line', (line) => {
      clearTimeout(timer);
      resolve(JSON.parse(line));
    });
  });
}

export interface CountingApp {
  readonly url: string;
  /** How often each event came, by the id in its data. */
  readonly got: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Subscribes to `orders`; every seventh call is answered RETRY, the others SUCCESS. */
export async function startApp(): Promise<CountingApp> {
  const got = new Map<string, number>();
  let calls = 0;
  const server: Server = createServer((incoming, response) => {
    void textOf(incoming).then((text) => {
      response.setHeader('content-type', 'application/json');
      if (incoming.method === 'GET') {
        return response.end(
          JSON.stringify([{ pubsubname: 'pubsub', topic: 'orders', routes: { default: '/orders' } }]),
        );
      }
      const event: { data: { id: string } } = JSON.parse(text);
      const isRefused = ++calls % 7 === 0;
      if (!isRefused) got.set(event.data.id, (got.get(event.data.id) ?? 0) + 1);
      return response.end(JSON.stringify({ status: isRefused ? 'RETRY' : 'SUCCESS' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the app listens on no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    got,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function textOf(stream: IncomingMessage): Promise<string> {
  stream.setEncoding('utf8');
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}

/** Publishes until stopped or the product has ended; reports each 204. Resolves when no publish is running. */
export async function load(
  sidecar: string,
  publishers: number,
  next: () => string | undefined | Promise<string | undefined>,
  acknowledged: (id: string) => void,
  topic = 'orders',
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: publishers });
  const one = async (): Promise<void> => {
    for (let id = await next(); id !== undefined; id = await next()) {
      const status = await publish(`${sidecar}/v1.0/publish/pubsub/${topic}`, agent, id);
      if (status === undefined) return;
      if (status === 204) acknowledged(id);
    }
  };
  await Promise.all(Array.from({ length: publishers }, one));
  agent.destroy();
}

/** The status; undefined: the connection was cut. */
function publish(url: string, agent: Agent, id: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const outgoing = request(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json' } },
      (response) => {
        response.resume();
        response.once('error', () => resolve(undefined));
        response.once('end', () => resolve(response.statusCode));
        response.once('close', () => resolve(undefined));
      },
    );
    outgoing.once('error', () => resolve(undefined));
    outgoing.end(JSON.stringify({ id, filler: 'x'.repeat(300) }));
  });
}
