/** Requests to end the run: the first signal ends it in order, a second one at once. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Time within which a repeated signal (to a process and to its group) counts as the same request. */
const SAME_WISH_MS = 500;

export interface Wishes {
  /** Resolves with the first request, even if it was made earlier. */
  readonly end: Promise<void>;
  /** Resolves with the second request. */
  readonly atOnce: Promise<void>;
  /** Requests the end without a signal. */
  ask(): void;
  /** Restores the earlier handling of signals. */
  close(): void;
}

/** Starts to handle signals. */
export function listenToSignals(): Wishes {
  let ask: () => void = () => undefined;
  let hurry: () => void = () => undefined;
  const end = new Promise<void>((go) => (ask = go));
  const atOnce = new Promise<void>((go) => (hurry = go));
  let firstMs: number | undefined;
  const onSignal = (): void => {
    const now = performance.now();
    if (firstMs !== undefined && now - firstMs > SAME_WISH_MS) hurry();
    firstMs ??= now;
    ask();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    end,
    atOnce,
    ask: () => ask(),
    close: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
