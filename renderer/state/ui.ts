/** A person's choices, kept in the browser's storage, which all windows of the console share, and the recording of a window, which is its own. */
import { isObject } from '../../core/contract/is-object.ts';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { DEFAULT_BEFORE, DEFAULT_COLUMNS } from '../format/columns.ts';
import type { Recorded } from '../format/since-here.ts';
import { samplesOf, type Sample } from '../views/event-router/samples.ts';

/** Columns of the message list. */
export interface ColumnSet {
  /** Ids in the order shown; a path such as `data.order.id` is a column of its own. */
  readonly columns: readonly string[];
  /** Widths in px that were set. */
  readonly columnWidths: Readonly<Record<string, number>>;
}

export type Theme = 'system' | 'light' | 'dark';
export type Density = 'compact' | 'comfortable';
export const JUMPS = ['inSight', 'always', 'never'] as const;
export type Jump = (typeof JUMPS)[number];

export interface UiState {
  readonly theme: Theme;
  readonly density: Density;
  readonly fontSize: number;
  readonly reduceMotion: boolean;
  readonly wrap: boolean;
  /** Time zone of times of day. */
  readonly times: 'local' | 'utc';
  readonly singleKeys: boolean;
  /** Keys that a person gave to commands, by command id; '': none. */
  readonly keys: Readonly<Record<string, string>>;
  /** Chosen kinds of notifications. */
  readonly notify: readonly string[];
  /** True: notifications may leave the window. */
  readonly notifyOutside: boolean;
  /** True: the live list has its newest row on the first line. */
  readonly newestFirst: boolean;
  /** True: repeats are collapsed into one line while messages come too fast to be read. */
  readonly collapseRepeats: boolean;
  readonly announce: boolean;
  /** Whether a published message is opened at once. */
  readonly jump: Jump;
  /** True: a replay gets its own event id. */
  readonly newEventId: boolean;
  readonly panelSide: 'right' | 'below';
  /** Share of the list in percent, by side. */
  readonly listShare: { readonly right: number; readonly below: number };
  /** Id of the chosen app; empty: all apps. */
  readonly appId: string;
  readonly lastFilters: readonly string[];
  /** The filter that the marker "from here on" replaced, by the filter with the marker. */
  readonly beforeHere: Readonly<Record<string, string>>;
  /** Time since which is recorded; '': nothing is. */
  readonly recordingSince: string;
  /** The last record that was stopped and has messages; without members: none. */
  readonly recorded: Recorded;
  /** The history that the recording is about; '': not known yet. */
  readonly recordedIn: string;
  /** Columns of the message list in order, and the widths in px that were set. */
  readonly columns: readonly string[];
  readonly columnWidths: Readonly<Record<string, number>>;
  /** Columns of apps that have their own. */
  readonly columnsByApp: Readonly<Record<string, ColumnSet>>;
  /**
   * Path into the payload by which messages are correlated, such as `data.order.id`; '': the event's
   * `correlationid`.
   */
  readonly correlationPath: string;
  readonly firstRunHidden: boolean;
  readonly lastCommands: readonly string[];
  /** Events for the event router's emulator, by name. */
  readonly routerSamples: readonly Sample[];
  /** Items that "Send sample traffic" added, while they exist. */
  readonly samples: readonly string[];
}

export type UiStore = StoreApi<UiState>;

/** The part of the browser's storage that is used. */
export interface Keep {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  /** Calls back when another window has changed the value of a key. */
  onChange?(key: string, changed: () => void): void;
  /** Calls back before the page is left. True: if the window is closed, the value of the key is for the next new window. */
  onLeave?(key: string, isUnsent: () => boolean): void;
}

/** The storage of a page, which tells what its other windows write. */
export function keepOf(page: Pick<Window, 'localStorage' | 'addEventListener'>): Keep {
  return {
    getItem: (key) => page.localStorage.getItem(key),
    setItem: (key, value) => page.localStorage.setItem(key, value),
    onChange: (key, changed) =>
      page.addEventListener('storage', (event) => {
        if (event.key === key) changed();
      }),
  };
}

const KEY = 'sidelight.ui';
const RECORDING_KEY = 'sidelight.recording';

const FIRST: UiState = {
  theme: 'system',
  density: 'compact',
  fontSize: 13,
  reduceMotion: false,
  wrap: false,
  times: 'local',
  singleKeys: true,
  keys: {},
  notify: [],
  notifyOutside: false,
  newestFirst: false,
  collapseRepeats: true,
  announce: true,
  jump: 'inSight',
  newEventId: false,
  panelSide: 'right',
  listShare: { right: 58, below: 55 },
  appId: '',
  lastFilters: [],
  beforeHere: {},
  recordingSince: '',
  recorded: {},
  recordedIn: '',
  columns: DEFAULT_COLUMNS,
  columnWidths: {},
  columnsByApp: {},
  correlationPath: '',
  firstRunHidden: false,
  lastCommands: [],
  routerSamples: [],
  samples: [],
};

/** Reads a saved record; undefined: there is none, or it is invalid. */
export function readKept(keep: Keep | undefined, key: string): Readonly<Record<string, unknown>> | undefined {
  if (keep === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(keep.getItem(key) ?? 'null');
    return isObject(value) ? { ...value } : undefined;
  } catch {
    // The defaults apply if the storage is forbidden or damaged; the next write repairs it.
    return undefined;
  }
}

/**
 * Writes a record. If the storage refuses (full, forbidden), only the saving is lost.
 * @returns whether it was written
 */
export function writeKept(keep: Keep | undefined, key: string, value: unknown): boolean {
  try {
    keep?.setItem(key, JSON.stringify(value));
    return keep !== undefined;
  } catch {
    // Full or forbidden storage cannot be fixed here: the choice lasts until the page is left.
    return false;
  }
}

/** Members of `kept` with the type of the default; others are from an older or foreign build. */
function merge(kept: Readonly<Record<string, unknown>>): UiState {
  const entries = Object.entries(FIRST).map(([key, first]: [string, unknown]) => {
    const value = kept[key];
    const fits =
      typeof value === typeof first && value !== null && Array.isArray(value) === Array.isArray(first);
    return [key, fits ? value : first];
  });
  const merged: UiState = { ...FIRST, ...Object.fromEntries(entries) };
  // Earlier builds stored only true or false.
  const jump = kept['jumpAfterPublish'] === true ? 'always' : JUMPS.find((each) => each === merged.jump);
  const isUnchanged = merged.columns.join() === DEFAULT_BEFORE.join();
  return {
    ...merged,
    columns: isUnchanged ? DEFAULT_COLUMNS : merged.columns,
    jump: jump ?? FIRST.jump,
    routerSamples: samplesOf(merged.routerSamples),
  };
}

/** Members about the recording of a window, which no other window has; a duplicated tab begins with a copy, which `window-copy.ts` ends. */
const OF_RECORDING = [
  'beforeHere',
  'recordingSince',
  'recorded',
  'recordedIn',
] as const satisfies readonly (keyof UiState)[];

/** Members that each window has for itself: the app that it shows, its layout, and its recording. */
const OF_WINDOW: ReadonlySet<string> = new Set(['appId', 'panelSide', 'listShare', ...OF_RECORDING]);

/** The members of a record with these names, or all others. */
function partOf(
  record: object,
  names: readonly string[],
  isWanted = true,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => names.includes(key) === isWanted));
}

/** Members of a state that are not those of another. */
function changesOf(state: UiState, before: UiState): Partial<UiState> {
  const held: Readonly<Record<string, unknown>> = { ...before };
  return Object.fromEntries(
    Object.entries(state).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(held[key])),
  );
}

/**
 * Makes the store of a person's choices, read from and written to `keep`. A window writes only what was chosen in it, and takes over what
 * was chosen in another one: otherwise the last one that wrote would undo the choices of all others.
 * @param windowKeep storage of this window, for its recording; without it there is one window, which has `keep`
 */
export function createUiStore(keep: Keep | undefined, windowKeep = keep): UiStore {
  const recording = partOf(readKept(windowKeep, RECORDING_KEY) ?? {}, OF_RECORDING);
  const store = createStore<UiState>(() =>
    merge({ ...partOf(readKept(keep, KEY) ?? {}, OF_RECORDING, false), ...recording }),
  );
  let takesOver = false;
  store.subscribe((state, before) => {
    if (takesOver) return;
    const changes = changesOf(state, before);
    if (OF_RECORDING.some((key) => key in changes))
      writeKept(windowKeep, RECORDING_KEY, partOf(state, OF_RECORDING));
    const known = readKept(keep, KEY);
    const choices = { ...(known === undefined ? state : merge(known)), ...changes };
    writeKept(keep, KEY, partOf(choices, OF_RECORDING, false));
  });
  keep?.onChange?.(KEY, () => {
    const others = readKept(keep, KEY);
    if (others === undefined) return;
    const changes = Object.entries(changesOf(merge(others), store.getState()));
    takesOver = true;
    try {
      store.setState(Object.fromEntries(changes.filter(([key]) => !OF_WINDOW.has(key))));
    } finally {
      takesOver = false;
    }
  });
  return store;
}
