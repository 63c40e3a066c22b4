/** Short messages at the edge of the window: the result of an action, and its undo. */
import { createStore, type StoreApi } from 'zustand/vanilla';

export interface ToastAction {
  readonly title: string;
  readonly run: () => void;
  /** True if the action leads somewhere: there is nothing that it could undo. */
  readonly isLink?: true;
  /** The automation call with the same effect, as JSON-RPC text. */
  readonly call?: string;
}

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly kind: 'done' | 'failed';
  readonly action?: ToastAction;
  /** True for an event that the person did not cause. */
  readonly isNews?: true;
  /** Time in milliseconds since 1970. */
  readonly at: number;
}

export interface ToastState {
  readonly toasts: readonly Toast[];
  /** The last toasts, for the notification list; newest first. */
  readonly past: readonly Toast[];
}

export interface Toasts {
  readonly store: StoreApi<ToastState>;
  done(text: string, action?: ToastAction): void;
  /** Reports an event that the person did not cause; it shows after the results of their own actions. */
  news(text: string, action?: ToastAction): void;
  failed(text: string): void;
  /** Hides failures when the person opens another screen; the list keeps them. */
  leave(): void;
  /** Adds to the list without showing a toast. */
  note(text: string, action?: ToastAction): void;
  close(id: number): void;
}

const SHOWN = 3;
const PAST = 50;

/**
 * Toasts that stay when another one comes: failures until they are closed, and before news also those that
 * can still be undone.
 */
function staying(toasts: readonly Toast[], coming: Pick<Toast, 'isNews'>): readonly Toast[] {
  return toasts.filter(
    ({ kind, isNews }) => kind === 'failed' || (coming.isNews === true && isNews !== true),
  );
}

/** Toasts in order; the last one is shown: results of the person's actions before news. */
function inOrder(toasts: readonly Toast[]): readonly Toast[] {
  return [
    ...toasts.filter(({ isNews }) => isNews === true),
    ...toasts.filter(({ isNews }) => isNews !== true),
  ];
}

/**
 * The toasts of one window: the newest is shown, errors return after it until they are closed; the last fifty
 * are kept.
 */
export function createToasts(): Toasts {
  const store = createStore<ToastState>(() => ({ toasts: [], past: [] }));
  let lastId = 0;

  function add(toast: Omit<Toast, 'id' | 'at'>, isShown: boolean): void {
    lastId += 1;
    const made = { ...toast, id: lastId, at: Date.now() };
    store.setState(({ toasts, past }) => ({
      toasts: isShown ? inOrder([...staying(toasts, made), made]).slice(-SHOWN) : toasts,
      past: [made, ...past].slice(0, PAST),
    }));
  }

  return {
    store,
    done: (text, action) => add({ text, kind: 'done', ...(action && { action }) }, true),
    news: (text, action) => add({ text, kind: 'done', isNews: true, ...(action && { action }) }, true),
    failed: (text) => add({ text, kind: 'failed' }, true),
    leave: () => store.setState(({ toasts }) => ({ toasts: toasts.filter(({ kind }) => kind !== 'failed') })),
    note: (text, action) => add({ text, kind: 'done', ...(action && { action }) }, false),
    close: (id) => store.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) })),
  };
}
