/** Waits for the end: SIGINT, SIGTERM, or the product being told to stop; then stops it in order. */
import type { Product } from './compose.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Resolves when the product has stopped. A second signal ends the process at once. */
export async function untilEnded(product: Product, also?: Promise<unknown>): Promise<void> {
  let asked: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (asked = resolve));
  let signals = 0;
  const onSignal = (): void => {
    signals += 1;
    if (signals > 1) process.exit(1);
    asked();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  product.onShutdown(asked);
  await (also === undefined ? ended : Promise.race([ended, also]));
  await product.stop();
  for (const signal of SIGNALS) process.off(signal, onSignal);
}
