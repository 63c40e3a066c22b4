/** Drafts of the publish screens, which survive navigation and restarts of the page and of the host. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { RpcClient } from '../client/rpc-client.ts';
import { besideOwn, isSameWritten, type Obstacle, type Written } from './drafts-beside.ts';
import {
  EMPTY_SINGLE,
  MAX_TABS,
  readDrafts,
  type BulkDraft,
  type EntryDraft,
  type SingleDraft,
  type SingleTab,
} from './draft-shapes.ts';
import { readKept, writeKept, type Keep } from './ui.ts';

export type { BulkDraft, EntryDraft, Pair, SingleDraft } from './draft-shapes.ts';
export { EMPTY_SINGLE, MAX_TABS } from './draft-shapes.ts';

export interface DraftsState {
  /** Drafts of the single form, each in a tab; at least one. */
  readonly tabs: readonly SingleTab[];
  /** Id of the visible tab. */
  readonly tab: number;
  /** The draft of that tab. */
  readonly single: SingleDraft;
  readonly bulk: BulkDraft;
  /** True if the host has not saved the drafts, and they are too long for the browser: they are lost when the page is left. */
  readonly isTooLong: boolean;
  /** True if the host has not saved the drafts, and the browser refuses to keep them: its storage is full or forbidden. */
  readonly isRefused: boolean;
  /** Drafts that another window saved meanwhile. The host gets none of these here until the person has chosen. */
  readonly elsewhere: OtherDrafts | undefined;
}

export interface OtherDrafts extends Written {
  readonly savedAt: string;
  /** Why they could not be opened beside these, once the person has tried. */
  readonly obstacle?: Obstacle | undefined;
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
  /** Opens the drafts of the other window beside these, each that differs in a tab of its own; or notes why they do not fit. */
  takeOthers(): void;
  /** Replaces the drafts of the other window. */
  keepOwn(): void;
  /** Connects to the host: its saved drafts are used if nothing was written since, and it gets later ones. */
  connect(call: RpcClient['call']): void;
  dispose(): void;
}

const KEY = 'sidelight.drafts';
const SAVE_MS = 400;
/** Maximum number of characters for the browser's storage, which holds a few megabytes. Longer drafts go only to the host. */
const LOCAL_CHARACTERS = 1_000_000;
/** Maximum number of bytes that the host accepts. */
const HOST_BYTES = 6 * 1024 * 1024;
const MAX_UTF8 = 3;
const utf8 = new TextEncoder();

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
  return { tabs, tab, single, bulk, isTooLong: false, isRefused: false, elsewhere: undefined };
}

/** Drafts in the saved form. */
interface Plain {
  readonly written: Written;
  readonly value: object;
  readonly bytes: number;
}

function plainOf({ tabs, tab, bulk }: DraftsState): Plain {
  const written = { tabs, bulk };
  const value = { ...written, place: tabs.findIndex(({ id }) => id === tab) };
  const least = leastCharacters(tabs, bulk);
  // Serialising drafts that are too long anyway would block the page for nothing.
  if (least > HOST_BYTES) return { written, value, bytes: least };
  const text = JSON.stringify(value);
  return {
    written,
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
  /** The host's copy that is known here; undefined: these drafts were written since, and it was not kept here. */
  known: Written | undefined;
  /** The drafts that were sent last, whose answer may be lost. */
  sent: Written;
}

function beginOwn(kept: Readonly<Record<string, unknown>>, begun: Written): Own {
  const isAhead = kept['isAhead'] === true;
  return {
    savedAt: typeof kept['savedAt'] === 'string' ? kept['savedAt'] : '',
    isAhead,
    known: isAhead ? undefined : begun,
    // The page may have been left before a save had its answer.
    sent: begun,
  };
}

/**
 * Whether the host has not what this window has. One that was started anew without its data has lost what it once had, and each window may
 * have another state of that.
 */
function isToSend(own: Own, savedAt: string | null): boolean {
  if (savedAt === null && own.savedAt !== '') {
    own.isAhead = true;
    own.known = undefined;
  }
  return own.isAhead;
}

/**
 * Saves drafts over the host's copy that is known here.
 * @returns drafts of another window that stand there instead, so that nothing was saved; undefined: these are saved
 */
async function saveOver(
  call: RpcClient['call'],
  own: Own,
  { written, value }: Plain,
): Promise<OtherDrafts | undefined> {
  const replaceable = [own.known, own.sent, written];
  own.sent = written;
  for (;;) {
    const over = own.savedAt === '' ? null : own.savedAt;
    const { savedAt, theirs } = await call('drafts.set', { drafts: value, over });
    const others = theirs === undefined ? undefined : readDrafts(theirs);
    // A window that only showed another tab has saved too, and the answer to a save of this one may have been lost.
    const isKnown =
      others === undefined || replaceable.some((each) => each !== undefined && isSameWritten(each, others));
    if (!isKnown) return { tabs: others.tabs, bulk: others.bulk, savedAt };
    own.savedAt = savedAt;
    if (others === undefined) return undefined;
  }
}

/** The note about drafts of another window. After a try to open them, the note says why they do not fit, for as long as they do not. */
function noteOf(
  before: OtherDrafts | undefined,
  others: OtherDrafts,
  written: Written,
  { known }: Own,
): OtherDrafts {
  if (before?.obstacle === undefined) return others;
  return { ...others, obstacle: besideOwn(written, others, known).obstacle };
}

/** The host has them; another window has saved others, and nothing was typed here; or they are still to be saved. */
type Sent = 'saved' | 'not-typed' | 'ahead';

/** Sends drafts to the host, unless another window has saved others meanwhile, which are then in the store. Never rejects. */
async function sendDrafts(
  call: RpcClient['call'],
  store: StoreApi<DraftsState>,
  own: Own,
  drafts: Plain,
): Promise<Sent> {
  const { written, bytes } = drafts;
  if (bytes > HOST_BYTES) return 'ahead';
  try {
    const others = await saveOver(call, own, drafts);
    const isOther = others !== undefined;
    const isTyped = isOther && (own.known === undefined || !isSameWritten(written, own.known));
    // A note that was shown stays while there is something to choose between.
    const { elsewhere: before } = store.getState();
    const isNoted = isTyped || (isOther && before !== undefined);
    store.setState({ elsewhere: isNoted ? noteOf(before, others, written, own) : undefined });
    if (isOther) return isTyped ? 'ahead' : 'not-typed';
    own.known = written;
    return 'saved';
  } catch {
    // The connection is lost or the drafts are refused, so they stay ahead; the next connection or edit
    // tries again.
    return 'ahead';
  }
}

/**
 * Sends drafts, and notes whether they are kept nowhere after that. Never rejects.
 * @param isRefused whether the browser refuses to keep them
 */
async function sendOrNote(isRefused: boolean, ...all: Parameters<typeof sendDrafts>): Promise<Sent> {
  const [, store, , { bytes }] = all;
  const sent = await sendDrafts(...all);
  const isAhead = sent === 'ahead';
  store.setState({ isTooLong: isAhead && bytes > LOCAL_CHARACTERS, isRefused: isAhead && isRefused });
  return sent;
}

/**
 * Saves the drafts to `keep` and to the host after a pause in typing, and takes the host's copy if nothing
 * was written since.
 */
function createDraftStorage(
  store: StoreApi<DraftsState>,
  keep: Keep | undefined,
  kept: Readonly<Record<string, unknown>>,
): Pick<Drafts, 'connect' | 'dispose' | 'keepOwn'> & { readonly known: () => Written | undefined } {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let host: RpcClient['call'] | undefined;
  const own = beginOwn(kept, store.getState());
  let isTaking = false;
  /** The last save, which the next one waits for; it never rejects. */
  let lastSave: Promise<unknown> = Promise.resolve();

  /** Writes drafts to `keep`. False: they are too long for it, or it refuses them. */
  function saveHere({ value, bytes }: Plain): boolean {
    const { savedAt, isAhead } = own;
    const isKept = bytes <= LOCAL_CHARACTERS && writeKept(keep, KEY, { ...value, savedAt, isAhead });
    // An older copy would stand for these after a reload. Without any copy the next page has those of the host.
    if (!isKept) writeKept(keep, KEY, {});
    return isKept;
  }

  keep?.onLeave?.(KEY, () => own.isAhead && saveHere(plainOf(store.getState())));

  function save(): void {
    clearTimeout(timer);
    timer = undefined;
    const before = store.getState();
    const drafts = plainOf(before);
    const isRefused = !saveHere(drafts) && drafts.bytes <= LOCAL_CHARACTERS;
    const call = host;
    if (call === undefined) return store.setState({ isRefused });
    lastSave = lastSave.then(async () => {
      if ((await sendOrNote(isRefused, call, store, own, drafts)) === 'ahead') return;
      const now = store.getState();
      const isLater = now.tabs !== before.tabs || now.bulk !== before.bulk;
      if (!isLater) own.isAhead = false;
      // What was typed meanwhile is not in these.
      saveHere(isLater ? plainOf(now) : drafts);
    });
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
        own.known = store.getState();
        saveHere(plainOf(store.getState()));
      } else if (isToSend(own, there.savedAt) && timer === undefined) {
        save();
      }
    } catch {
      // The connection is lost again, and the next one asks again.
      return;
    }
  }

  return {
    known: () => own.known,
    keepOwn() {
      const { elsewhere } = store.getState();
      if (elsewhere !== undefined) {
        own.savedAt = elsewhere.savedAt;
        own.known = elsewhere;
      }
      store.setState({ elsewhere: undefined });
      own.isAhead = true;
      save();
    },
    connect(call) {
      host = call;
      void meet(call);
    },
    dispose() {
      const isTyped = timer !== undefined;
      clearTimeout(timer);
      if (isTyped) save();
    },
  };
}

/** Makes the drafts of one window, which are saved to its own `keep` and to a connected host after a pause in typing. */
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
      const { tabs, tab, bulk, elsewhere } = store.getState();
      if (elsewhere === undefined) return;
      const both = besideOwn({ tabs, bulk }, elsewhere, storage.known());
      if (both.obstacle !== undefined) {
        store.setState({ elsewhere: { ...elsewhere, obstacle: both.obstacle } });
        return;
      }
      const opened = both.others.map((draft) => ({ id: nextId(), draft }));
      const all = [...both.own, ...opened];
      store.setState({ bulk: both.bulk });
      see(all, all.find(({ id }) => id === tab)?.id ?? all[0]?.id ?? tab);
      storage.keepOwn();
    },
    connect: storage.connect,
    dispose: storage.dispose,
  };
}
