/** What is open over the page, and which commands are under way. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Template } from '../copy/files.ts';
import type { ActSubject } from '../format/acts.ts';

/** A question before something that touches many or cannot be taken back. */
export interface Confirmation {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly danger: boolean;
  readonly run: () => void;
  /** Something to do first instead. */
  readonly before?: { readonly title: string; readonly run: () => void };
}

export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'filter-help' }
  /** What the list shows, or what is selected in it, as a file. */
  | { readonly kind: 'export' }
  | { readonly kind: 'edit-replay'; readonly messageId: string; readonly deliveryId?: string }
  | { readonly kind: 'edit-release'; readonly messageId: string; readonly deliveryId?: string }
  | { readonly kind: 'dead-letter'; readonly subjects: readonly ActSubject[] }
  | {
      readonly kind: 'replay-many';
      readonly what: { readonly messageIds: readonly string[] } | { readonly filter: string };
      readonly removes: boolean;
    }
  | {
      readonly kind: 'compare';
      readonly left: string;
      readonly right: string;
      /** The recordings that they are of; absent: the live history. */
      readonly leftIn?: string;
      readonly rightIn?: string;
    }
  | { readonly kind: 'note'; readonly messageId: string }
  | { readonly kind: 'save-view'; readonly savedViewId?: string }
  | { readonly kind: 'column-width'; readonly column: string }
  | { readonly kind: 'what-if'; readonly messageId: string; readonly deliveryId?: string }
  | { readonly kind: 'hold'; readonly holdId?: string; readonly filter?: string }
  | {
      readonly kind: 'rule';
      readonly index?: number;
      readonly topic?: string;
      readonly route?: string;
      readonly eventType?: string;
    }
  | { readonly kind: 'file'; readonly file?: string; readonly template?: Template }
  | { readonly kind: 'confirm'; readonly question: Confirmation };

export interface CommandsState {
  readonly overlay: Overlay | undefined;
  /** Commands that wait for the host's answer, by id. */
  readonly pending: ReadonlySet<string>;
}

export interface CommandsStore {
  readonly store: StoreApi<CommandsState>;
  open(overlay: Overlay): void;
  close(): void;
  /** Runs `work` with `id` marked as pending; what it throws is thrown on. */
  during<T>(id: string, work: () => Promise<T>): Promise<T>;
}

/** Makes the store of overlays and pending commands. */
export function createCommandsStore(): CommandsStore {
  const store = createStore<CommandsState>(() => ({ overlay: undefined, pending: new Set() }));
  const running = new Map<string, number>();

  function mark(id: string, by: 1 | -1): void {
    const n = (running.get(id) ?? 0) + by;
    if (n > 0) running.set(id, n);
    else running.delete(id);
    store.setState({ pending: new Set(running.keys()) });
  }

  return {
    store,
    open: (overlay) => store.setState({ overlay }),
    close: () => store.setState({ overlay: undefined }),
    async during(id, work) {
      mark(id, 1);
      try {
        return await work();
      } finally {
        mark(id, -1);
      }
    },
  };
}
