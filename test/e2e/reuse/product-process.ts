// A process that loads the built program once and runs one product after another, each composed from its command line.
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { errorText } from '../../../core/contract/error-text.ts';
import type * as compose from '../../../core/host/compose.ts';
import type * as options from '../../../core/host/options.ts';
import { type FromProcess, LOG_MARK, type ToProcess } from './process-messages.ts';

/** Longest wait for what closes by itself after a stop, in milliseconds. */
const CLOSING_MS = 10_000;
const POLL_INTERVAL_MS = 10;

const [entry = ''] = process.argv.slice(2);

/** A module of the host, which lies beside its command line. */
const beside = (name: string): string => new URL(name + path.extname(entry), pathToFileURL(entry)).href;

const { startProduct }: typeof compose = await import(beside('compose'));
const { readOptions }: typeof options = await import(beside('options'));
let running: compose.Product | undefined;

const send = (message: FromProcess): void => void process.send?.(message);

async function start(argv: readonly string[]): Promise<FromProcess> {
  if (running !== undefined) throw new Error('a product runs already');
  process.stderr.write(LOG_MARK);
  const product = await startProduct(readOptions(argv, process.env));
  running = product;
  product.onShutdown(() => void product.stop());
  return {
    kind: 'ready',
    ready: { event: 'ready', version: product.version, pid: process.pid, ...product.ready },
  };
}

async function stop(): Promise<FromProcess> {
  if (running === undefined) throw new Error('no product runs');
  await running.stop();
  running = undefined;
  return { kind: 'stopped', left: await leftOpen() };
}

/** Resources that keep this process alive and did not before the product, once they had time to close. */
async function leftOpen(): Promise<readonly string[]> {
  const until = performance.now() + CLOSING_MS;
  for (;;) {
    const left = [...counted(process.getActiveResourcesInfo())].flatMap(([name, count]) =>
      Array.from({ length: Math.max(0, count - (atRest.get(name) ?? 0)) }, () => name),
    );
    if (left.length === 0 || performance.now() > until) return left;
    await setTimeout(POLL_INTERVAL_MS);
  }
}

function counted(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

process.on('message', (message: ToProcess) => {
  const done = message.kind === 'start' ? start(message.argv) : stop();
  void done
    .catch((error: unknown): FromProcess => ({
      kind: 'failed',
      reason: errorText(error),
    }))
    .then(send);
});
// A runner that is gone takes its products with it.
process.once('disconnect', () => void running?.stop());
// With its listener, and with its log, which is opened by the first line.
process.stderr.write(LOG_MARK);
const atRest = counted(process.getActiveResourcesInfo());
send({ kind: 'loaded' });
