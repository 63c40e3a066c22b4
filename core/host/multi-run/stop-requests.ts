/** Requests to end the run: the first signal ends it in order, a second one at once. */
import type { ShutdownMode } from '../../domain/shutdown-kind.ts';
import { onSignals } from '../signals.ts';

export interface StopRequests {
  /** Resolves with the first request, even if it was made earlier. */
  readonly end: Promise<void>;
  /** Resolves once a request forces the end: the first one, or one that follows. */
  readonly forced: Promise<void>;
  /** How the run ends, by the requests so far. */
  readonly how: ShutdownMode;
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
  let wanted: ShutdownMode = 'in-order';
  let end: () => void = () => undefined;
  let force: () => void = () => undefined;
  let hurry: () => void = () => undefined;
  const ended = new Promise<void>((go) => (end = go));
  const forced = new Promise<void>((go) => (force = go));
  const atOnce = new Promise<void>((go) => (hurry = go));
  const ask = (how: ShutdownMode = 'in-order'): void => {
    asked.abort();
    if (how === 'at-once') {
      wanted = how;
      force();
    }
    end();
  };
  const close = onSignals((_signal, isAgain) => {
    if (isAgain) hurry();
    ask();
  });
  return {
    end: ended,
    forced,
    get how() {
      return wanted;
    },
    atOnce,
    get isAsked() {
      return asked.signal.aborted;
    },
    asked: asked.signal,
    ask,
    close,
  };
}
