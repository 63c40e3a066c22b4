/** What is being written on the publish screens; outlives navigation, and restarts of the page and of the host. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RpcClient } from '../client/rpc-client.ts';
import {
  EMPTY_SINGLE,
  readDrafts,
  type BulkDraft,
  type EntryDraft,
  type SingleDraft,
  type SingleTab,
} from './draft-shapes.ts';
import { readKept, writeKept, type Keep } from './ui.ts';

export type { BulkDraft, EntryDraft, Pair, SingleDraft } from './draft-shapes.ts';
export { EMPTY_SINGLE } from './draft-shapes.ts';

export interface DraftsState {
  /** Drafts of the single form, each in a tab; at least one. */
  readonly tabs: readonly SingleTab[];
  /** Id of the tab in sight. */
  readonly tab: number;
  /** The draft of that tab. */
  readonly single: SingleDraft;
  readonly bulk: BulkDraft;
  /** Too long to be kept: they are gone when the page is left. */
  readonly isTooLong: boolean;
}

export interface Drafts {
  readonly store: StoreApi<DraftsState>;
  editSingle(change: Partial<SingleDraft>): void;
  editBulk(change: Partial<BulkDraft>): void;
  editEntry(id: number, change: Partial<EntryDraft>): void;
  /** A new tab, in sight at once; at most twenty. */
  open(draft?: SingleDraft): void;
  choose(id: number): void;
  /** Closes a tab; the last one is emptied instead. @returns what stood in it */
  close(id: number): SingleDraft | undefined;
  /** A number no row has yet. */
  nextId(): number;
  /** The host is there: what it kept is taken when nothing was written since, and it gets what is written from now on. */
  connect(call: RpcClient['call']): void;
  dispose(): void;
}

const KEY = 'sidelight.drafts';
const SAVE_MS = 400;
/** Longer ones go to the host alone: browser storage ends at a few megabytes. */
const LOCAL_CHARACTERS = 1_000_000;
/** Longest that the host takes. */
const HOST_BYTES = 6 * 1024 * 1024;
const MOST_UTF8 = 3;
const utf8 = new TextEncoder();
export const MOST_TABS = 20;

/** The texts alone; a character has at least one byte. */
function leastCharacters(tabs: DraftsState['tabs'], bulk: BulkDraft): number {
  const single = tabs.reduce(
    (sum, { draft }) => sum + draft.data.length + (draft.file?.base64.length ?? 0),
    0,
  );
  return bulk.entries.reduce((sum, { event }) => sum + event.length, single);
}

function stateOf(kept: unknown): DraftsState {
  const { tabs, tab, bulk } = readDrafts(kept);
  const single = tabs.find(({ id }) => id === tab)?.draft ?? EMPTY_SINGLE;
  return { tabs, tab, single, bulk, isTooLong: false };
}

/** The drafts as they are kept, and how long that is. */
function plainOf({ tabs, tab, bulk }: DraftsState): { readonly value: object; readonly bytes: number } {
  const value = { tabs, place: tabs.findIndex(({ id }) => id === tab), bulk };
  const least = leastCharacters(tabs, bulk);
  // Writing out what is too long anyway would only stop the page for a while.
  if (least > HOST_BYTES) return { value, bytes: least };
  const text = JSON.stringify(value);
  return {
    value,
    bytes: text.length * MOST_UTF8 > LOCAL_CHARACTERS ? utf8.encode(text).length : text.length,
  };
}

/** Writes the drafts to `keep` and to the host when typing rests, and takes the host's copy when nothing was written since. */
function createKeeping(
  store: StoreApi<DraftsState>,
  keep: Keep | undefined,
  kept: Readonly<Record<string, unknown>>,
): Pick<Drafts, 'connect' | 'dispose'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let host: RpcClient['call'] | undefined;
  /** The moment of the host's last copy that is known here. */
  let savedAt = typeof kept['savedAt'] === 'string' ? kept['savedAt'] : '';
  /** Written here since. */
  let isAhead = kept['isAhead'] === true;
  let isTaking = false;

  function saveHere(value: object, bytes: number): void {
    if (bytes <= LOCAL_CHARACTERS) writeKept(keep, KEY, { ...value, savedAt, isAhead });
  }

  async function saveThere(call: RpcClient['call'], value: object, bytes: number): Promise<void> {
    store.setState({ isTooLong: bytes > HOST_BYTES });
    if (bytes > HOST_BYTES) return;
    const before = store.getState();
    try {
      ({ savedAt } = await call('drafts.set', { drafts: value }));
    } catch {
      // Away or refused: they are ahead of the host still, and the next connection or edit tries again.
      return;
    }
    if (store.getState().tabs === before.tabs && store.getState().bulk === before.bulk) isAhead = false;
    saveHere(value, bytes);
  }

  function save(): void {
    timer = undefined;
    const { value, bytes } = plainOf(store.getState());
    saveHere(value, bytes);
    if (host !== undefined) void saveThere(host, value, bytes);
  }

  store.subscribe((state, before) => {
    if (isTaking || (state.tabs === before.tabs && state.tab === before.tab && state.bulk === before.bulk))
      return;
    isAhead = true;
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_MS);
  });

  async function meet(call: RpcClient['call']): Promise<void> {
    try {
      const there = await call('drafts.get', {});
      if (!isAhead && there.savedAt !== null && there.savedAt !== savedAt) {
        isTaking = true;
        store.setState(stateOf(there.drafts));
        isTaking = false;
        ({ savedAt } = there);
        const { value, bytes } = plainOf(store.getState());
        saveHere(value, bytes);
      } else if (isAhead && timer === undefined) {
        save();
      }
    } catch {
      // Lost again on the way: the next connection asks again.
      return;
    }
  }

  return {
    connect(call) {
      host = call;
      void meet(call);
    },
    dispose() {
      if (timer !== undefined) save();
      clearTimeout(timer);
    },
  };
}

/** The drafts, read from and written to `keep` and, once there is one, the host; writing waits until typing rests. */
export function createDrafts(keep: Keep | undefined): Drafts {
  const kept = readKept(keep, KEY) ?? {};
  const store = createStore<DraftsState>(() => stateOf(kept));
  let lastId = 1_000_000;
  const keeping = createKeeping(store, keep, kept);

  function see(tabs: readonly SingleTab[], tab: number): void {
    store.setState({ tabs, tab, single: tabs.find(({ id }) => id === tab)?.draft ?? EMPTY_SINGLE });
  }

  function nextId(): number {
    lastId += 1;
    return lastId;
  }

  return {
    store,
    nextId,
    editSingle: (change) =>
      store.setState(({ single, tab, tabs }) => {
        const draft = { ...single, ...change };
        return { single: draft, tabs: tabs.map((each) => (each.id === tab ? { ...each, draft } : each)) };
      }),
    editBulk: (change) => store.setState(({ bulk }) => ({ bulk: { ...bulk, ...change } })),
    editEntry: (id, change) =>
      store.setState(({ bulk }) => ({
        bulk: {
          ...bulk,
          entries: bulk.entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)),
        },
      })),
    open(draft = EMPTY_SINGLE) {
      const { tabs } = store.getState();
      if (tabs.length >= MOST_TABS) return;
      const id = nextId();
      see([...tabs, { id, draft }], id);
    },
    choose: (id) => see(store.getState().tabs, id),
    close(id) {
      const { tabs, tab } = store.getState();
      const index = tabs.findIndex((each) => each.id === id);
      const closed = tabs[index];
      if (closed === undefined) return undefined;
      const rest = tabs.filter((each) => each !== closed);
      const left = rest.length > 0 ? rest : [{ id: nextId(), draft: EMPTY_SINGLE }];
      const next = left[Math.min(index, left.length - 1)];
      see(left, tab === id ? (next?.id ?? tab) : tab);
      return closed.draft;
    },
    connect: keeping.connect,
    dispose: keeping.dispose,
  };
}
