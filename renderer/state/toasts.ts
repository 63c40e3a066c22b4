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
  /** Something that happened by itself, not what the person did. */
  readonly isNews?: true;
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
  /** Something happened by itself: it shows when what the person did is no longer shown. */
  news(text: string, action?: ToastAction): void;
  failed(text: string): void;
  /** The person went elsewhere: what failed where they were does not stay in sight; the list keeps it. */
  leave(): void;
  /** For the list alone: nothing pops up. */
  note(text: string, action?: ToastAction): void;
  close(id: number): void;
}

const SHOWN = 3;
const PAST = 50;

/** What stays when another toast comes: what failed until it is closed, and before news also what a person can still take back. */
function staying(toasts: readonly Toast[], coming: Pick<Toast, 'isNews'>): readonly Toast[] {
  return toasts.filter(
    ({ kind, isNews }) => kind === 'failed' || (coming.isNews === true && isNews !== true),
  );
}

/** The toast that is shown comes last: what the person did before what happened by itself. */
function inOrder(toasts: readonly Toast[]): readonly Toast[] {
  return [
    ...toasts.filter(({ isNews }) => isNews === true),
    ...toasts.filter(({ isNews }) => isNews !== true),
  ];
}

/** The toasts of one window: the newest shows, errors come back after it until they are closed; the last fifty are kept. */
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
