/** Drafts of the publish screens, which survive navigation and restarts of the page and of the host. */
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
  /** Id of the visible tab. */
  readonly tab: number;
  /** The draft of that tab. */
  readonly single: SingleDraft;
  readonly bulk: BulkDraft;
  /** True if the drafts are too long to be saved: they are lost when the page is left. */
  readonly isTooLong: boolean;
  /** Drafts that another window saved meanwhile. The host gets none of these here until the person has chosen. */
  readonly elsewhere: OtherDrafts | undefined;
}

export interface OtherDrafts extends Pick<DraftsState, 'tabs' | 'bulk'> {
  readonly savedAt: string;
}

export interface Drafts {
  readonly store: StoreApi<DraftsState>;
  editSingle(change: Partial<SingleDraft>): void;
  editBulk(change: Partial<BulkDraft>): void;
  editEntry(id: number, change: Partial<EntryDraft>): void;
  /** Opens a new tab and shows it; at most twenty. */
  open(draft?: SingleDraft): void;
  choose(id: number): void;
  /**
   * Closes a tab; the last one is emptied instead.
   * @returns its draft
   */
  close(id: number): SingleDraft | undefined;
  /** A number that no row has yet. */
  nextId(): number;
  /** Opens the drafts of the other window beside these, each that differs in a tab of its own. */
  takeOthers(): void;
  /** Replaces the drafts of the other window. */
  keepOwn(): void;
  /** Connects to the host: its saved drafts are used if nothing was written since, and it gets later ones. */
  connect(call: RpcClient['call']): void;
  dispose(): void;
}

const KEY = 'sidelight.drafts';
const SAVE_MS = 400;
/** Maximum number of characters for the browser's storage, which holds a few megabytes; longer drafts go only to the host. */
const LOCAL_CHARACTERS = 1_000_000;
/** Maximum number of bytes that the host accepts. */
const HOST_BYTES = 6 * 1024 * 1024;
const MAX_UTF8 = 3;
const utf8 = new TextEncoder();
export const MAX_TABS = 20;

/** Number of characters of all texts, which have at least as many bytes. */
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
  return { tabs, tab, single, bulk, isTooLong: false, elsewhere: undefined };
}

/** The drafts in the saved form, with their length. */
function plainOf({ tabs, tab, bulk }: DraftsState): { readonly value: object; readonly bytes: number } {
  const value = { tabs, place: tabs.findIndex(({ id }) => id === tab), bulk };
  const least = leastCharacters(tabs, bulk);
  // Serialising drafts that are too long anyway would block the page for nothing.
  if (least > HOST_BYTES) return { value, bytes: least };
  const text = JSON.stringify(value);
  return {
    value,
    bytes: text.length * MAX_UTF8 > LOCAL_CHARACTERS ? utf8.encode(text).length : text.length,
  };
}

/** What one window knows of its drafts and of the host's copy. */
interface Own {
  /** Time of the host's last copy that is known here. */
  savedAt: string;
  /** True if drafts were written here since. */
  isAhead: boolean;
  /** The drafts that were sent last, as JSON. */
  sent: string;
}

/** Drafts that another window has saved since the host's copy was known here; undefined: none. */
async function askOthers(
  call: RpcClient['call'],
  { savedAt, sent }: Own,
  value: object,
): Promise<OtherDrafts | undefined> {
  const there = await call('drafts.get', {});
  if (there.savedAt === null || there.savedAt === savedAt) return undefined;
  const text = JSON.stringify(there.drafts);
  // The answer to what was sent last may be lost, so that its time is not known here.
  if (text === sent || text === JSON.stringify(value)) return undefined;
  const { tabs, bulk } = readDrafts(there.drafts);
  return { tabs, bulk, savedAt: there.savedAt };
}

/**
 * Sends drafts to the host, unless another window has saved others meanwhile, which are then in the store. Never rejects.
 * @param isLast true: the page is left, so that there is no time to ask
 * @returns whether the host has them
 */
async function sendDrafts(
  call: RpcClient['call'],
  store: StoreApi<DraftsState>,
  own: Own,
  { value, bytes }: ReturnType<typeof plainOf>,
  isLast: boolean,
): Promise<boolean> {
  store.setState({ isTooLong: bytes > HOST_BYTES });
  if (bytes > HOST_BYTES) return false;
  const before = store.getState();
  // Asking for megabytes at each pause would block the page.
  const isShort = bytes <= LOCAL_CHARACTERS;
  try {
    const elsewhere = isShort && !isLast ? await askOthers(call, own, value) : undefined;
    if (elsewhere !== undefined) {
      store.setState({ elsewhere });
      return false;
    }
    if (isShort) own.sent = JSON.stringify(value);
    ({ savedAt: own.savedAt } = await call('drafts.set', { drafts: value }));
  } catch {
    // The connection is lost or the drafts are refused, so they stay ahead; the next connection or edit
    // tries again.
    return false;
  }
  if (store.getState().tabs === before.tabs && store.getState().bulk === before.bulk) own.isAhead = false;
  return true;
}

/**
 * Saves the drafts to `keep` and to the host after a pause in typing, and takes the host's copy if nothing
 * was written since.
 */
function createDraftStorage(
  store: StoreApi<DraftsState>,
  keep: Keep | undefined,
  kept: Readonly<Record<string, unknown>>,
): Pick<Drafts, 'connect' | 'dispose' | 'keepOwn'> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let host: RpcClient['call'] | undefined;
  const own: Own = {
    savedAt: typeof kept['savedAt'] === 'string' ? kept['savedAt'] : '',
    isAhead: kept['isAhead'] === true,
    sent: '',
  };
  let isTaking = false;
  /** The last save, which the next one waits for; it never rejects. */
  let lastSave: Promise<unknown> = Promise.resolve();

  function saveHere({ value, bytes }: ReturnType<typeof plainOf>): void {
    const { savedAt, isAhead } = own;
    if (bytes <= LOCAL_CHARACTERS) writeKept(keep, KEY, { ...value, savedAt, isAhead });
  }

  function save(isLast = false): void {
    timer = undefined;
    const drafts = plainOf(store.getState());
    saveHere(drafts);
    const call = host;
    if (call === undefined) return;
    const send = async (): Promise<void> => {
      if (await sendDrafts(call, store, own, drafts, isLast)) saveHere(drafts);
    };
    if (isLast) void send();
    else lastSave = lastSave.then(send);
  }

  store.subscribe((state, before) => {
    if (isTaking || (state.tabs === before.tabs && state.tab === before.tab && state.bulk === before.bulk))
      return;
    own.isAhead = true;
    clearTimeout(timer);
    timer = setTimeout(() => save(), SAVE_MS);
  });

  async function meet(call: RpcClient['call']): Promise<void> {
    try {
      const there = await call('drafts.get', {});
      if (!own.isAhead && there.savedAt !== null && there.savedAt !== own.savedAt) {
        isTaking = true;
        store.setState(stateOf(there.drafts));
        isTaking = false;
        own.savedAt = there.savedAt;
        saveHere(plainOf(store.getState()));
      } else if (own.isAhead && timer === undefined) {
        save();
      }
    } catch {
      // The connection is lost again, and the next one asks again.
      return;
    }
  }

  return {
    keepOwn() {
      own.savedAt = store.getState().elsewhere?.savedAt ?? own.savedAt;
      store.setState({ elsewhere: undefined });
      own.isAhead = true;
      save();
    },
    connect(call) {
      host = call;
      void meet(call);
    },
    dispose() {
      if (timer !== undefined && store.getState().elsewhere === undefined) save(true);
      clearTimeout(timer);
    },
  };
}

/** Makes the drafts, which are saved to `keep` and to a connected host after a pause in typing. */
export function createDrafts(keep: Keep | undefined): Drafts {
  const kept = readKept(keep, KEY) ?? {};
  const store = createStore<DraftsState>(() => stateOf(kept));
  let lastId = 1_000_000;
  const storage = createDraftStorage(store, keep, kept);

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
      if (tabs.length >= MAX_TABS) return;
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
    keepOwn: storage.keepOwn,
    takeOthers() {
      const { tabs, bulk, elsewhere } = store.getState();
      const known = new Set(tabs.map(({ draft }) => JSON.stringify(draft)));
      const others = (elsewhere?.tabs ?? [])
        .filter(({ draft }) => !known.has(JSON.stringify(draft)))
        .map(({ draft }) => ({ id: nextId(), draft }));
      store.setState({
        tabs: [...tabs, ...others].slice(0, MAX_TABS),
        bulk: bulk.entries.length === 0 && elsewhere !== undefined ? elsewhere.bulk : bulk,
      });
      storage.keepOwn();
    },
    connect: storage.connect,
    dispose: storage.dispose,
  };
}
