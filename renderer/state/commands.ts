/** The open overlay of the page, and the commands in progress. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { COMMAND_WHY } from '../copy/commands.ts';
import type { Template } from '../copy/files.ts';
import { fill } from '../copy/fill.ts';
import type { ActSubject } from '../format/act-targets.ts';
import type { Recorded } from '../format/since-here.ts';
import type { What } from './messages-state.ts';
import type { Toasts } from './toasts.ts';

/** A question before an act that concerns many or cannot be undone. */
export interface Confirmation {
  readonly title: string;
  readonly text: string;
  readonly yes: string;
  readonly danger: boolean;
  readonly run: () => void;
  /** Something to do first instead. */
  readonly before?: { readonly title: string; readonly run: () => void };
}

/** A replay of many messages. */
export interface ReplayManyOf {
  readonly what: What;
  /**
   * What is removed once it is replayed: copies on a dead-letter topic, messages of which some have such a copy, or others; undefined: nothing,
   * unless the person says so.
   */
  readonly removes: 'copies' | 'dead-lettered' | 'messages' | undefined;
  /** True: no app got the messages, so there are no deliveries to repeat. */
  readonly isUndelivered?: true;
}

export type Overlay =
  | { readonly kind: 'palette' }
  | { readonly kind: 'shortcuts' }
  | { readonly kind: 'filter-help' }
  /**
   * Export of what the list shows, or of what is selected in it; `from`: the recording of that list, absent: the live history;
   * `record`: that record comes first; `isAll`: everything is chosen, because no list is on the screen.
   */
  | { readonly kind: 'export'; readonly from?: string; readonly record?: Recorded; readonly isAll?: true }
  | { readonly kind: 'edit-replay'; readonly messageId: string; readonly deliveryId?: string }
  | { readonly kind: 'edit-release'; readonly messageId: string; readonly deliveryId?: string }
  | { readonly kind: 'dead-letter'; readonly subjects: readonly ActSubject[] }
  | ({ readonly kind: 'replay-many' } & ReplayManyOf)
  | {
      readonly kind: 'compare';
      readonly left: string;
      readonly right: string;
      /** Recordings of the compared messages; absent: the live history. */
      readonly leftIn?: string;
      readonly rightIn?: string;
    }
  | { readonly kind: 'note'; readonly messageId: string }
  | { readonly kind: 'save-view'; readonly savedViewId?: string }
  | { readonly kind: 'column-width'; readonly column: string }
  | {
      readonly kind: 'what-if';
      readonly messageId: string;
      readonly deliveryId?: string;
      /** Recording of the message; absent: the live history. */
      readonly recordingId?: string;
    }
  | { readonly kind: 'hold'; readonly holdId?: string; readonly filter?: string }
  | {
      readonly kind: 'rule';
      readonly ruleId?: string;
      readonly topic?: string;
      readonly route?: string;
      readonly eventType?: string;
    }
  /** Any answer to the waiting call of a delivery. */
  | { readonly kind: 'answer'; readonly deliveryId: string }
  | { readonly kind: 'file'; readonly file?: string; readonly template?: Template }
  | { readonly kind: 'confirm'; readonly question: Confirmation };

export interface CommandsState {
  readonly overlay: Overlay | undefined;
  /** Ids of commands that wait for the host's answer. */
  readonly pending: ReadonlySet<string>;
}

export interface CommandsStore {
  readonly store: StoreApi<CommandsState>;
  open(overlay: Overlay): void;
  close(): void;
  /** Runs `work` while `id` is marked as pending, and passes its errors on. */
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

/**
 * Remembers which overlay is open before the host is asked.
 * @param title of the act about which the overlay asks
 * @returns opens an overlay; where the person has opened another one meanwhile, a toast says that nothing was asked
 */
export function openerAfter(
  { commands, toasts }: { readonly commands: CommandsStore; readonly toasts: Pick<Toasts, 'failed'> },
  title: string,
): (overlay: Overlay) => void {
  const { overlay: before } = commands.store.getState();
  return (overlay) => {
    const { overlay: now } = commands.store.getState();
    if (now === undefined || now === before) commands.open(overlay);
    else toasts.failed(fill(COMMAND_WHY.otherDialog, { title }));
  };
}
