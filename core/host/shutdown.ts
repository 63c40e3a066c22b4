/** Waits for the end (SIGINT, SIGTERM, or a request to the product), then stops the product in order. */
import type { ShutdownMode } from '../domain/shutdown-kind.ts';
import type { Product } from './compose.ts';
import { onSignals } from './signals.ts';

/**
 * Resolves with the exit status when the product has stopped: 1 if a client forced it. A second, later signal
 * ends the process at once.
 */
export async function untilEnded(product: Product): Promise<number> {
  let asked: (how: ShutdownMode) => void = () => undefined;
  const ended = new Promise<ShutdownMode>((resolve) => (asked = resolve));
  const unheard = onSignals((_signal, isAgain) => {
    if (isAgain) process.exit(1);
    asked('in-order');
  });
  product.onShutdown(asked);
  const how = await ended;
  await product.stop(how);
  unheard();
  return how === 'at-once' ? 1 : 0;
}
