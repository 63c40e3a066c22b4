/** Waits for the end: SIGINT, SIGTERM, or the product being told to stop; then stops it in order. */
import type { Product } from './compose.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A signal that comes twice at once (to a process and to its group) is one wish, not two. */
const SAME_WISH_MS = 500;

/**
 * Resolves when the product has stopped, with the status to end with: 1 after a forced shutdown, else 0. A second signal, later, ends
 * the process at once.
 */
export async function untilEnded(product: Product, also?: Promise<unknown>): Promise<0 | 1> {
  let asked: (isForced: boolean) => void = () => undefined;
  const ended = new Promise<boolean>((resolve) => (asked = resolve));
  let firstMs: number | undefined;
  const onSignal = (): void => {
    const now = performance.now();
    if (firstMs !== undefined && now - firstMs > SAME_WISH_MS) process.exit(1);
    firstMs ??= now;
    asked(false);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  product.onShutdown(asked);
  const isForced = (await (also === undefined ? ended : Promise.race([ended, also]))) === true;
  await product.stop(isForced ? 0 : undefined);
  for (const signal of SIGNALS) process.off(signal, onSignal);
  return isForced ? 1 : 0;
}
