/** Entries of the palette for a text: commands by a few letters, topics after `#`, views after `:`. */
import uFuzzy from '@leeoniya/ufuzzy';
import type { SavedRequest } from '../../core/contract/saved.ts';
import type { TopicRow } from '../../core/contract/subscription.ts';
import { COMMAND_WORDS, GROUPS } from '../copy/commands.ts';
import { fill } from '../copy/fill.ts';
import { PALETTE } from '../copy/frame.ts';
import { VIEWS } from '../copy/messages.ts';
import { SAVED } from '../copy/saved.ts';
import { filterValue } from '../format/cell-term.ts';
import { automationCall } from '../format/curl.ts';
import { keysOf } from '../keys/bindings.ts';
import { COMMANDS, consoleFor, whyOff } from '../keys/commands.ts';
import { runSaved } from '../keys/saved-commands.ts';
import type { Console } from '../state/console.ts';

export interface PaletteEntry {
  readonly id: string;
  readonly title: string;
  /** Other words by which it is found. */
  readonly words?: string | undefined;
  readonly group: string;
  readonly run: () => void;
  /** Why the entry is disabled. */
  readonly off?: string | undefined;
  readonly keys?: readonly string[] | undefined;
  readonly note?: string | undefined;
  /** The automation call with the same effect now, as JSON-RPC text. */
  readonly call?: () => string | undefined;
}

/** Letters of every alphabet: as it stands, the search knows those from A to Z alone. */
const fuzzy = new uFuzzy({
  intraMode: 1,
  unicode: true,
  interSplit: String.raw`[^\p{L}\d']+`,
  intraSplit: String.raw`\p{Ll}\p{Lu}`,
  intraBound: String.raw`\p{L}\d|\d\p{L}|\p{Ll}\p{Lu}`,
  intraChars: String.raw`[\p{L}\d']`,
  intraContr: String.raw`'\p{L}{1,2}\b`,
});

/** Most words that may be in another order than in the title: each further one multiplies the searches. */
const WORDS_IN_ANY_ORDER = 4;

/** Entries whose titles match the letters, best first; without letters all entries. */
function matchEntries(entries: readonly PaletteEntry[], letters: string): readonly PaletteEntry[] {
  const text = letters.trim();
  if (text === '') return entries;
  const titles = entries.map(({ title, words }) => `${title} ${words ?? ''}`.trim());
  const [found, info, order] = fuzzy.search(titles, text, WORDS_IN_ANY_ORDER);
  if (found === null) return [];
  const indexes = info !== null && order !== null ? order.map((place) => info.idx[place]) : found;
  return indexes.flatMap((index) => {
    const entry = index === undefined ? undefined : entries[index];
    return entry === undefined ? [] : [entry];
  });
}

function commandEntries(console: Console): readonly PaletteEntry[] {
  return COMMANDS.map((command) => {
    const on = consoleFor(command, console);
    const off = whyOff(command, on);
    return {
      id: command.id,
      title: command.title,
      words: [command.words, COMMAND_WORDS[command.id]].filter((each) => each !== undefined).join(' '),
      group: off === undefined ? command.group : PALETTE.unavailable,
      run: () => command.run(on),
      off,
      keys: keysOf(command, console.ui.getState().keys),
      call: () => command.call?.(on),
    };
  });
}

/** An entry that opens the list with a filter; a script requests the same rows. */
function filterEntry(console: Console, filter: string): Pick<PaletteEntry, 'run' | 'call'> {
  return {
    run: () => console.navigation.go('/messages', filter === '' ? {} : { f: filter }),
    call: () => automationCall('messages.list', filter === '' ? {} : { filter }),
  };
}

function topicEntries(console: Console, topics: readonly TopicRow[]): readonly PaletteEntry[] {
  return topics.map(({ topic, pubsubname }) => ({
    id: `topic ${pubsubname} ${topic}`,
    title: topic,
    group: PALETTE.topics,
    note: pubsubname,
    ...filterEntry(console, `topic:${filterValue(topic)}`),
  }));
}

function viewEntries(console: Console): readonly PaletteEntry[] {
  const own = console.savedViews.list.store.getState().value?.items ?? [];
  const views = [
    ...VIEWS.map(({ id, title, filter }) => ({ id, title, filter })),
    ...own.map(({ savedViewId, name, filter }) => ({ id: savedViewId, title: name, filter })),
  ];
  return views.map(({ id, title, filter }) => ({
    id: `view ${id}`,
    title,
    group: PALETTE.views,
    note: filter,
    ...filterEntry(console, filter),
  }));
}

/** Saved requests that are marked for the palette. */
function savedEntries(console: Console, requests: readonly SavedRequest[]): readonly PaletteEntry[] {
  return requests
    .filter(({ inPalette }) => inPalette === true)
    .map((request) => ({
      id: `request ${request.requestId}`,
      title: fill(SAVED.again, { name: request.name }),
      group: SAVED.paletteGroup,
      keys: request.shortcut === undefined ? undefined : [String(request.shortcut)],
      run: () => void runSaved(console, request),
      call: () => automationCall('requests.run', { requestId: request.requestId }),
    }));
}

/** Entries for a text with its prefix. */
export function findEntries(
  console: Console,
  text: string,
  topics: readonly TopicRow[],
  requests: readonly SavedRequest[],
): readonly PaletteEntry[] {
  const [prefix] = text;
  const rest = text.slice(1);
  if (prefix === '#') return matchEntries(topicEntries(console, topics), rest);
  if (prefix === ':') return matchEntries(viewEntries(console), rest);
  const all = [...commandEntries(console), ...savedEntries(console, requests)];
  if (prefix === '?')
    return matchEntries(
      all.filter(({ keys = [] }) => keys.length > 0),
      rest,
    );
  const letters = prefix === '>' ? rest : text;
  const found = matchEntries(all, letters);
  if (letters.trim() !== '') return found;
  const last = console.ui.getState().lastCommands.flatMap((id) => {
    const entry = all.find((each) => each.id === id && each.off === undefined);
    return entry === undefined ? [] : [{ ...entry, group: PALETTE.recent }];
  });
  // Entries that only open a screen come first, because Enter runs the first one at once.
  const leads = found.filter(({ group }) => group === GROUPS.go);
  return [...last, ...leads, ...found.filter(({ group }) => group !== GROUPS.go)];
}

export interface PaletteGroup {
  readonly value: string;
  readonly items: readonly PaletteEntry[];
}

/** Why an entry has no automation call: it is disabled, or it concerns only this window. */
export function whyNoCall({ off }: Pick<PaletteEntry, 'off'>): string {
  return off === undefined ? PALETTE.noCall : fill(PALETTE.noCallNow, { reason: off });
}

/** The entries by group, in the order of their first entry; disabled ones come last. */
export function groupEntries(entries: readonly PaletteEntry[]): PaletteGroup[] {
  const groups = new Map<string, PaletteEntry[]>();
  for (const entry of entries) {
    const group = groups.get(entry.group) ?? [];
    groups.set(entry.group, group);
    group.push(entry);
  }
  const rest = groups.get(PALETTE.unavailable);
  groups.delete(PALETTE.unavailable);
  const all = [...groups].map(([value, items]) => ({ value, items }));
  return rest === undefined ? all : [...all, { value: PALETTE.unavailable, items: rest }];
}
