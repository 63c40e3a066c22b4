/** Requests to end the run: the first signal ends it in order, a second one at once. */
import type { ShutdownMode } from '../../domain/shutdown-kind.ts';
import { onSignals } from '../signals.ts';

export interface StopRequests {
  /** Resolves with the first request, even if it was made earlier: how the run ends. */
  readonly end: Promise<ShutdownMode>;
  /** Resolves with the second request. */
  readonly atOnce: Promise<void>;
  /** Whether the end was requested. */
  readonly isAsked: boolean;
  /** Aborted by the first request. */
  readonly asked: AbortSignal;
  /** Requests the end without a signal, in order unless `how` is something else. */
  ask(how?: ShutdownMode): void;
  /** Restores the earlier handling of signals. */
  close(): void;
}

/** Starts to handle signals. */
export function listenToSignals(): StopRequests {
  const asked = new AbortController();
  let end: (how: ShutdownMode) => void = () => undefined;
  let hurry: () => void = () => undefined;
  const ended = new Promise<ShutdownMode>((go) => (end = go));
  const atOnce = new Promise<void>((go) => (hurry = go));
  const ask = (how: ShutdownMode = 'in-order'): void => {
    asked.abort();
    end(how);
  };
  const close = onSignals((_signal, isAgain) => {
    if (isAgain) hurry();
    ask();
  });
  return {
    end: ended,
    atOnce,
    get isAsked() {
      return asked.signal.aborted;
    },
    asked: asked.signal,
    ask,
    close,
  };
}
