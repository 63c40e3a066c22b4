/** Wishes of the one who started the run: the first signal ends it in order, a second one at once. */

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** A signal that comes twice at once (to a process and to its group) is one wish, not two. */
const SAME_WISH_MS = 500;

export interface Wishes {
  /** Resolves with the first wish, also one of before. */
  readonly end: Promise<void>;
  /** Resolves with the second. */
  readonly atOnce: Promise<void>;
  /** The end is wished by something else than a signal. */
  ask(): void;
  /** Signals mean again what they meant before. */
  close(): void;
}

/** Signals count from here on. */
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
