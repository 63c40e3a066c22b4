/** `sidelight tap … [-- CMD]`: the console beside an app and its own sidecar. */
import { runChildCommand } from './run-child-command.ts';
import type { TapAddress } from '../contract/tap.ts';
import { startProduct } from './compose.ts';
import type { ProductOptions } from './options.ts';
import { readyLine, welcome } from './ready.ts';
import { untilEnded } from './shutdown.ts';

/**
 * Starts the tap, then the command with the tap's ports filled in; ends with its status. Without a command it
 * runs until a signal.
 */
export async function tapCommand(options: ProductOptions): Promise<number> {
  const product = await startProduct(options);
  const { ready, unsaid } = product;
  if (options.headless)
    process.stdout.write(`${readyLine(product.version, process.pid, options.profile, ready)}\n`);
  else process.stderr.write(`${welcome(ready, unsaid, ready.open)}\n`);
  const [tap] = ready.taps ?? [];
  const [program, ...args] = tap === undefined ? [] : options.command.map((word) => filledIn(word, tap));
  if (program === undefined) return untilEnded(product);
  return runChildCommand(product, { program, args, env: options.env, appId: tap?.appId ?? '' });
}

/** Fills the tap's ports into the placeholders of a word of the command. */
export function filledIn(word: string, { appPort, sidecarPort, grpcPort }: TapAddress): string {
  return word
    .replaceAll('{tapAppPort}', String(appPort))
    .replaceAll('{tapSidecarPort}', String(sidecarPort))
    .replaceAll('{tapGrpcPort}', grpcPort === undefined ? '{tapGrpcPort}' : String(grpcPort));
}
