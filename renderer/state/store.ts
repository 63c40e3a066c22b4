/** Hooks for reading the console's stores, and a queue that applies work once per frame. */
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { StoreApi } from 'zustand/vanilla';
import { afterTimeout } from '../client/after-timeout.ts';

export type ReadableStore<T> = Pick<StoreApi<T>, 'getState' | 'getInitialState' | 'subscribe'>;

/** One selected value of a store; `select` returns a primitive or a stable reference. */
export function useSelected<T, S>(store: ReadableStore<T>, select: (state: T) => S): S {
  return useStore(store, select);
}

/** Several members of a store; the component is drawn again when one of them changes. */
export function useMembers<T, K extends keyof T>(
  store: ReadableStore<T>,
  ...names: readonly K[]
): Pick<T, K> {
  return useStore(
    store,
    useShallow((state) => membersOf(state, names)),
  );
}

function membersOf<T, K extends keyof T>(state: T, names: readonly K[]): Pick<T, K> {
  const members = Object.fromEntries(names.map((name) => [name, state[name]]));
  return members as Pick<T, K>;
}

/**
 * Runs `run` before the next paint, or soon while the window is hidden. Returns the function that cancels it.
 */
export type NextFrame = (run: () => void) => () => void;

/** Longest wait for a frame: a hidden document has none. */
const HIDDEN_MS = 500;

/** The parts of a page that frames need, so that a test can replace them. */
export interface FrameClock {
  readonly isVisible: () => boolean;
  readonly request: (run: () => void) => number;
  readonly cancel: (frame: number) => void;
  /** Runs it after so many milliseconds. Returns the function that prevents it. */
  readonly after: (delayMs: number, run: () => void) => () => void;
}

/**
 * The next animation frame, or a timer while the document is hidden. The timer runs beside the frame too: a document that is hidden before
 * its frame comes gets none until it is seen again, and what waits would grow all that time.
 */
export function createNextFrame({ isVisible, request, cancel, after }: FrameClock): NextFrame {
  return (run) => {
    const frame = isVisible() ? request(now) : undefined;
    const stop = after(HIDDEN_MS, now);
    function end(): void {
      stop();
      if (frame !== undefined) cancel(frame);
    }
    function now(): void {
      end();
      run();
    }
    return end;
  };
}

export const nextFrame: NextFrame = createNextFrame({
  isVisible: () => typeof document !== 'undefined' && document.visibilityState === 'visible',
  request: (run) => requestAnimationFrame(run),
  cancel: (frame) => cancelAnimationFrame(frame),
  after: afterTimeout,
});

export interface FrameQueue<T> {
  push(item: T): void;
  /** Applies the waiting items now. */
  flush(): void;
  clear(): void;
}

/** Collects items and applies them together, once per frame. */
export function createFrameQueue<T>(frame: NextFrame, apply: (items: readonly T[]) => void): FrameQueue<T> {
  let waiting: T[] = [];
  let cancel: (() => void) | undefined;

  function flush(): void {
    cancel?.();
    cancel = undefined;
    if (waiting.length === 0) return;
    const items = waiting;
    waiting = [];
    apply(items);
  }

  return {
    push(item) {
      waiting.push(item);
      cancel ??= frame(flush);
    },
    flush,
    clear() {
      cancel?.();
      cancel = undefined;
      waiting = [];
    },
  };
}
