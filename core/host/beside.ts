/** A command that runs beside the product: it is started, followed, and its status is that of the whole. */
import { spawn } from 'node:child_process';
import type { Product } from './compose.ts';

const CHILD_GRACE_MS = 5_000;
const SIGNAL_NUMBERS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

export interface Beside {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The app that it belongs to. */
  readonly appId: string;
}

/** Ends with the command's status, after the product has stopped. Throws where the command cannot be started. */
export async function runBeside(product: Product, { program, args, env, appId }: Beside): Promise<number> {
  const child = spawn(program, args, { stdio: 'inherit', env });
  if (child.pid !== undefined) product.started([{ appId, pid: child.pid }]);
  const over = new Promise<number>((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`the command could not be started: ${error.message}`, { cause: error })),
    );
    child.once('exit', (code, signal) =>
      resolve(code ?? (signal === null ? 1 : 128 + (SIGNAL_NUMBERS[signal] ?? 0))),
    );
  });
  let killer: NodeJS.Timeout | undefined;
  const end = (signal: NodeJS.Signals): void => {
    child.kill(signal);
    killer ??= setTimeout(() => child.kill('SIGKILL'), CHILD_GRACE_MS);
  };
  const onSignal = (signal: NodeJS.Signals): void => end(signal);
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  product.onShutdown(() => end('SIGTERM'));
  try {
    return await over;
  } finally {
    clearTimeout(killer);
    process.off('SIGINT', onSignal);
    process.off('SIGTERM', onSignal);
    await product.stop();
  }
}
