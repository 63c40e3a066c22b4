/** Short messages at the edge of the window: what an action did, and how to take it back. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface ToastAction {
  readonly title: string;
  readonly run: () => void;
  /** The automation call that does the same, as JSON-RPC text. */
  readonly call?: string;
}

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
  readonly action?: ToastAction;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface ToastState {
  readonly toasts: readonly Toast[];
  /** The last ones, for the notification list; newest first. */
  readonly past: readonly Toast[];
}

export interface Toasts {
  readonly store: StoreApi<ToastState>;
  done(text: string, action?: ToastAction): void;
  failed(text: string): void;
  /** For the list alone: nothing pops up. */
  note(text: string, action?: ToastAction): void;
  close(id: number): void;
}

const SHOWN = 3;
const PAST = 50;

/** The toasts of one window: the newest shows, errors come back after it until they are closed; the last fifty are kept. */
export function createToasts(): Toasts {
  const store = createStore<ToastState>(() => ({ toasts: [], past: [] }));
  let lastId = 0;

  function add(toast: Omit<Toast, 'id' | 'at'>, isShown: boolean): void {
    lastId += 1;
    const made = { ...toast, id: lastId, at: Date.now() };
    store.setState(({ toasts, past }) => ({
      toasts: isShown ? [...toasts.filter(({ kind }) => kind === 'failed'), made].slice(-SHOWN) : toasts,
      past: [made, ...past].slice(0, PAST),
    }));
  }

  return {
    store,
    done: (text, action) => add({ text, kind: 'done', ...(action && { action }) }, true),
    failed: (text) => add({ text, kind: 'failed' }, true),
    note: (text, action) => add({ text, kind: 'done', ...(action && { action }) }, false),
    close: (id) => store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
  };
}
