/** `sidelight run … -- CMD`: the app as a child process beside its sidecar. */
import { spawn } from 'node:child_process';
import { PROFILES } from '../contract/profile.ts';
import { startProduct } from './compose.ts';
import type { Product } from './compose.ts';
import type { ProductOptions } from './options.ts';
import { readyLine, welcome } from './ready.ts';

const CHILD_GRACE_MS = 5_000;

/** Starts the product, then the command with the environment it expects; ends with the command's status. */
export async function runCommand(options: ProductOptions): Promise<number> {
  const product = await startProduct(options);
  if (options.headless) process.stdout.write(`${readyLine(product.version, process.pid, product.ready)}\n`);
  else process.stderr.write(`${welcome(product.ready, product.notes, product.ready.open)}\n`);
  const [program, ...args] = options.command;
  if (program === undefined) throw new Error('there is no command to run');
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...withoutInherited(options), ...appEnvironment(product, options) },
  });
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

const SIGNAL_NUMBERS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** An address of another sidecar would go before the port of this one. */
function withoutInherited({ env, profile }: ProductOptions): ProductOptions['env'] {
  const { [PROFILES[profile].env.grpcEndpoint]: _other, ...rest } = env;
  return rest;
}

/** What an app and its SDK look for (behaviour 11.2); tokens are in the environment already when they are set. */
export function appEnvironment(
  product: Pick<Product, 'ready'>,
  options: Pick<ProductOptions, 'profile'>,
): Record<string, string> {
  const { env } = PROFILES[options.profile];
  const first = product.ready.apps[0];
  if (first === undefined) return {};
  const app = new URL(first.app);
  return {
    APP_ID: first.appId,
    APP_PORT: app.port === '' ? (app.protocol === 'https:' ? '443' : '80') : app.port,
    APP_PROTOCOL: app.protocol.replace(':', ''),
    [env.httpPort]: new URL(first.sidecar).port,
    [env.httpEndpoint]: first.sidecar,
    ...(first.grpc === undefined
      ? {}
      : { [env.grpcPort]: first.grpc.slice(first.grpc.lastIndexOf(':') + 1) }),
  };
}
