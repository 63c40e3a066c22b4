/** Waits for the end (SIGINT, SIGTERM, or a request to the product), then stops the product in order. */
import type { ShutdownMode } from '../domain/shutdown-kind.ts';
import type { Product } from './compose.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Time within which a repeated signal (to a process and to its group) counts as the same request. */
const SAME_WISH_MS = 500;

/**
 * Resolves with the exit status when the product has stopped: 1 if a client forced it. A second, later signal
 * ends the process at once.
 */
export async function untilEnded(product: Product): Promise<number> {
  let asked: (how: ShutdownMode) => void = () => undefined;
  const ended = new Promise<ShutdownMode>((resolve) => (asked = resolve));
  let firstMs: number | undefined;
  const onSignal = (): void => {
    const now = performance.now();
    if (firstMs !== undefined && now - firstMs > SAME_WISH_MS) process.exit(1);
    firstMs ??= now;
    asked('in-order');
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  product.onShutdown(asked);
  const how = await ended;
  await product.stop(how);
  for (const signal of SIGNALS) process.off(signal, onSignal);
  return how === 'at-once' ? 1 : 0;
}
