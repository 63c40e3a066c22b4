/** `sidelight run -f` in a process of its own, with apps that are small programs. */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { onTestFailed, onTestFinished, vi } from 'vitest';
import { PROGRAM } from '../../support/program.ts';
import { call } from '../../support/rpc-call.ts';

const FLAGS = ['--sidecar-port', '0', '--console-port', '0'];

export interface Ready {
  readonly rpc: string;
  readonly token: string;
  readonly apps: readonly { readonly appId: string; readonly sidecar: string; readonly app?: string }[];
}

export interface Run {
  /** Lines after the ready line. */
  readonly out: readonly string[];
  readonly said: readonly string[];
  readonly ready: Promise<Ready>;
  /** Exit status of the run. */
  readonly over: Promise<number | null>;
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  call(method: string, params?: object): Promise<unknown>;
}

/** Longest time a test with real programs may take on a busy machine. */
export const PATIENCE_MS = 60_000;

/** Starts it without a window; it is killed at the end of the test. */
export function run(
  folder: string,
  flags: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
  data: readonly string[] = ['--ephemeral'],
): Run {
  const args = ['run', '-f', folder, '--headless', ...FLAGS, ...data, ...flags];
  return sidelight(args, { env: { HOME: folder, ...env } });
}

/** Starts the product with these arguments, whose first line must be the ready line; it is killed at the end of the test. */
export function sidelight(
  args: readonly string[],
  { env = {}, cwd, input }: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string } = {},
): Run {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
    ...(cwd === undefined ? {} : { cwd }),
  });
  child.stdin?.end(input);
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error('its output is not read');
  const said: string[] = [];
  const out: string[] = [];
  createInterface({ input: stderr }).on('line', (line) => said.push(line));
  const over = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const ready = new Promise<Ready>((resolve, reject) => {
    let isFirst = true;
    createInterface({ input: stdout }).on('line', (line) => {
      if (!isFirst) out.push(line);
      else resolve(JSON.parse(line));
      isFirst = false;
    });
    void over.then((code) => reject(new Error(`it ended with ${code}:\n${said.join('\n')}`)));
  });
  // A run that is meant to fail is looked at by its end.
  ready.catch(() => undefined);
  onTestFailed(() => void process.stderr.write(`${[...said, ...out].slice(-40).join('\n')}\n`));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    const late = setTimeout(() => child.kill('SIGKILL'), 8000);
    await over;
    clearTimeout(late);
  });
  return {
    out,
    said,
    ready,
    over,
    pid: child.pid ?? 0,
    signal: (signal) => void child.kill(signal),
    call: async (method, params = {}) => call(await ready, method, params),
  };
}

/** Waits until it is so. */
export function until(isSo: () => unknown, longestMs = 40_000): Promise<void> {
  return vi.waitFor(async () => {
    if (!(await isSo())) throw new Error('it is not so yet');
  }, longestMs);
}

/**
 * An app that subscribes to `orders` of `pubsub`, says what it gets, and takes its time where it is told to.
 * Environment: `OPENS_AFTER` and `ANSWERS_AFTER`, in ms.
 */
export const SUBSCRIBER = `
const http = require('node:http');
const wait = (ms) => new Promise((go) => setTimeout(go, Number(ms ?? 0)));
const server = http.createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  response.setHeader('content-type', 'application/json');
  if (request.url === '/dapr/subscribe')
    return response.end(JSON.stringify([{ pubsubname: 'pubsub', topic: 'orders', route: '/orders' }]));
  if (request.url !== '/orders') { response.statusCode = 404; return response.end(); }
  const { data } = JSON.parse(body);
  if (data === 'die') process.exit(3);
  console.log('got ' + JSON.stringify(data));
  await wait(process.env.ANSWERS_AFTER);
  console.log('answered ' + JSON.stringify(data));
  response.end('{}');
});
wait(process.env.OPENS_AFTER).then(() => server.listen(process.env.APP_PORT, '127.0.0.1', () => console.log('open')));
process.on('SIGTERM', () => server.close(() => process.exit(0)) && server.closeIdleConnections());
`;

/** Publishes so many orders at once, then ends. */
export const PUBLISHER = `
const url = process.env.DAPR_HTTP_ENDPOINT + '/v1.0/publish/pubsub/orders';
const one = (i) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(i) });
Promise.all(Array.from({ length: Number(process.env.COUNT ?? 10) }, (_, i) => one(i))).then((all) =>
  console.log('published ' + all.filter(({ status }) => status === 204).length));
`;
