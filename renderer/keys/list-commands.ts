/** Commands of the message list. */
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { COMMAND_TITLES, COMMAND_WHY, GROUPS } from '../copy/commands.ts';
import { COMPARE_TWO } from '../copy/compare.ts';
import { GROUPINGS } from '../../core/contract/words.ts';
import { fill } from '../copy/fill.ts';
import { RECORDINGS } from '../copy/recordings.ts';
import { GROUPS_OF_LIST } from '../copy/groups.ts';
import { NEEDS_ATTENTION } from '../copy/messages.ts';
import { automationCall } from '../format/curl.ts';
import { groupByOf } from '../format/groups.ts';
import { count } from '../format/quantity.ts';
import { hereOf, hereText, recordedFilter, withHere } from '../format/since-here.ts';
import { isBare } from '../state/bare-list.ts';
import type { Console } from '../state/console.ts';
import { historyOf } from '../state/recording-end.ts';
import { ANCHORS, focusAnchor, focusSearch } from './anchors.ts';
import type { Command } from './command.ts';
import { focusLooseList } from './main-list.ts';
import { subjectNow, subjectsNow } from './subjects.ts';

/** Why there is no list on the screen: that of the live history, or the one of the recording that the console is limited to. */
export function onList({ navigation, recordingId }: Console): string | undefined {
  const { path } = navigation.store.getState();
  const isThere = recordingId !== undefined || path === '/messages' || path === '/';
  return isThere ? undefined : COMMAND_WHY.notHere;
}

/** Why there is no view to save: the list shows everything. */
function whyNoView({ navigation }: Console): string | undefined {
  const isPlain = navigation.param('f') === undefined && navigation.param('g') === undefined;
  return isPlain ? COMMAND_WHY.noFilter : undefined;
}

/** Why nothing can be marked as read: there is no list, or one of a recording, which has no marks. */
function onMarkedList(console: Console): string | undefined {
  return console.readOnly ?? onList(console);
}

/** The filter of the list, for scripts. */
function filterOf(console: Console): { readonly filter?: string } {
  const filter = console.navigation.param('f');
  return filter === undefined ? {} : { filter };
}

/** Moves to the next row that needs attention, loaded or not; the host knows its index. */
async function moveToAttention(console: Console, step: 1 | -1): Promise<void> {
  const { messages } = console;
  const { current } = messages.store.getState();
  const from = current === undefined ? undefined : messages.rows.indexOf(current);
  await console.acting.run('view.find', async () => {
    const order = step === 1 ? 'oldest' : 'newest';
    const found = await messages.goTo({ filter: NEEDS_ATTENTION, order, ...withoutUndefined({ from }) });
    if (found === undefined) return COMMAND_WHY.noneAttention;
    focusLooseList();
    if (console.navigation.param('m') !== undefined) {
      console.navigation.change({ m: found, d: undefined }, { replace: true });
    }
    return undefined;
  });
}

/** The two selected messages in order, or the selected one and the open or current one. */
export function twoToCompare(
  console: Console,
  messageId?: string,
): { readonly left: string; readonly right: string } | undefined {
  const { selected, current } = console.messages.store.getState();
  const other = messageId ?? console.navigation.param('m') ?? current;
  const ids = selected.size === 2 && messageId === undefined ? [...selected] : [...selected, other];
  const [a, b, ...more] = [...new Set(ids)].flatMap((id) => id ?? []);
  if (a === undefined || b === undefined || more.length > 0) return undefined;
  const place = (id: string): number => console.messages.rows.rowOf(id)?.number ?? 0;
  return place(a) <= place(b) ? { left: a, right: b } : { left: b, right: a };
}

/** Opens or closes a group, or without `groupId` all; reports a failure. */
export async function expandGroups(
  console: Console,
  groupId: string | undefined,
  isOpen: boolean,
): Promise<void> {
  await console.acting.run('view.expand', async () => {
    await console.messages.expand(groupId, isOpen);
    return undefined;
  });
}

async function markAllRead(console: Console): Promise<void> {
  await console.acting.run('markAllRead', async () => {
    await console.messages.markAllRead();
    return undefined;
  });
}

async function toggleRead(console: Console): Promise<void> {
  await console.acting.run('markRead', async () => {
    for (const { row } of subjectsNow(console)) await console.messages.markRead(row, row.unread === true);
    return undefined;
  });
}

/** Commands such as "Group by Topic" for the palette, as in the select above the list. */
const GROUPING_COMMANDS: readonly Command[] = (['none', ...GROUPINGS] as const).map((grouping) => {
  const groupBy = (console: Console): string => groupByOf(grouping, console.ui.getState().correlationPath);
  return {
    id: `groupBy.${grouping}`,
    title: fill(GROUPS_OF_LIST.command, { what: GROUPS_OF_LIST[grouping] }),
    ...(grouping === 'repeats' ? { words: GROUPS_OF_LIST.repeatsWords } : {}),
    group: GROUPS.list,
    method: 'view.open',
    when: onList,
    run: (console) => console.navigation.change({ g: groupBy(console) }),
    call(console) {
      const by = groupBy(console);
      return automationCall('view.open', { ...filterOf(console), ...(by === '' ? {} : { groupBy: by }) });
    },
  };
});

/** A part of the address of the list, or of the one at which it was left. */
function listParam(console: Console, name: string): string | undefined {
  const { navigation } = console;
  if (onList(console) === undefined) return navigation.param(name);
  const [, search] = navigation.placeOf('/messages').split('?');
  return new URLSearchParams(search).get(name) ?? undefined;
}

/** The filter in the field of the list, also while it is switched off. */
function presentFilter(console: Console): string {
  return listParam(console, 'f') ?? '';
}

/** The filter that the list applies: none while it is switched off. */
export function appliedFilter(console: Console): string {
  return listParam(console, 'off') === undefined ? presentFilter(console) : '';
}

/** Shows the list with this filter. */
function showFiltered(console: Console, f: string): void {
  const { navigation } = console;
  if (onList(console) === undefined) navigation.change({ f, off: undefined });
  else navigation.go('/messages', { f });
}

/** Time since which is recorded, whatever the list shows; undefined: no recording is running. */
function recordingSince(console: Console): string | undefined {
  const { recordingSince: since } = console.ui.getState();
  return since === '' ? undefined : since;
}

/** Narrows the list to what came or changed since a time, and notes the filter that comes back afterwards. */
function markHere(console: Console, kept: string, since: string): void {
  const f = withHere(kept, since);
  const before = filterBeforeHere(console, presentFilter(console));
  console.ui.setState({ beforeHere: { [f]: before } });
  showFiltered(console, f);
}

const rightNow = (): string => new Date().toISOString();

/**
 * Narrows what the list shows to what changes next, or to what has changed since the running recording began; all else in its filter stays,
 * except another time.
 */
export function showFromHere(console: Console): void {
  markHere(console, presentFilter(console), recordingSince(console) ?? rightNow());
}

/** Narrows the list to what the running recording has. */
export function showRecorded(console: Console): void {
  const since = recordingSince(console);
  if (since !== undefined) markHere(console, '', since);
}

/** Takes the marker out of the filter of the list. A recording that is running goes on. */
export function showEverything(console: Console): void {
  showFiltered(console, filterBeforeHere(console, presentFilter(console)));
}

/** The filter without its marker: the one before it, if nothing else was changed since. */
function filterBeforeHere({ ui }: Pick<Console, 'ui'>, filter: string): string {
  if (hereOf(filter) === undefined) return filter;
  return ui.getState().beforeHere[filter] ?? withHere(filter, undefined);
}

/** Starts a recording. It leaves nothing out that happens from now on, so the marker alone is the filter of the list. */
function startRecording(console: Console): void {
  const since = rightNow();
  console.ui.setState({ recordingSince: since, recordedIn: historyOf(console.connection.getState()) });
  markHere(console, '', since);
}

/** Ends a recording: brings back the filter of a list that shows only the record, and says how much was recorded. */
async function stopRecording(console: Console): Promise<void> {
  const since = recordingSince(console);
  if (since === undefined) return;
  const record = { since, until: rightNow() };
  // If the host does not answer, what was recorded can still be exported.
  console.ui.setState({ recordingSince: '', recorded: record });
  if (hereOf(appliedFilter(console)) === since) showEverything(console);
  await console.acting.run('record', async () => {
    // The export has every topic and app, whatever else the filter of the list has.
    const params = { ...withoutUndefined({ filter: recordedFilter(record) }), limit: 1 };
    const { total } = await console.call('messages.list', params);
    const facts = { n: count(total), time: hereText(since) };
    if (total === 0) {
      // Another recording may have been stopped meanwhile.
      console.ui.setState(({ recorded }) => (recorded === record ? { recorded: {} } : {}));
      return fill(RECORDINGS.recordedNothing, facts);
    }
    console.toasts.done(fill(RECORDINGS.recorded, facts), {
      title: RECORDINGS.recordExport,
      isLink: true,
      run: () => console.commands.open({ kind: 'export', record }),
    });
    return undefined;
  });
}

const RECORD_COMMANDS: readonly Command[] = [
  {
    id: 'fromHere',
    title: RECORDINGS.recordStart,
    words: RECORDINGS.recordWords,
    group: GROUPS.list,
    method: 'view.open',
    when: (console) => (recordingSince(console) === undefined ? undefined : RECORDINGS.isRecording),
    run: startRecording,
    call: () => automationCall('view.open', { filter: withHere('', rightNow()) }),
  },
  {
    id: 'everything',
    title: RECORDINGS.recordStop,
    group: GROUPS.list,
    method: 'view.open',
    when: (console) => (recordingSince(console) === undefined ? RECORDINGS.notRecording : undefined),
    run: (console) => void stopRecording(console),
    call: () => automationCall('view.open', {}),
  },
];

export const LIST_COMMANDS: readonly Command[] = [
  ...GROUPING_COMMANDS,
  ...RECORD_COMMANDS,
  {
    id: 'filter',
    title: COMMAND_TITLES.filter,
    group: GROUPS.list,
    keys: ['/'],
    method: 'messages.list',
    call: (console) => automationCall('messages.list', filterOf(console)),
    when(console) {
      const asked = console.navigation.param('f') ?? '';
      const hasNone = onList(console) === undefined && isBare(console.messages.store.getState(), asked);
      return hasNone ? COMMAND_WHY.nothingKept : undefined;
    },
    run(console) {
      if (console.navigation.store.getState().path === '/logs') {
        focusAnchor(ANCHORS.logFilter);
        return;
      }
      // The search of a screen that has its own gets the focus.
      if (onList(console) !== undefined) {
        if (focusSearch()) return;
        console.navigation.visit('/messages');
      }
      // The focus is set at once for the next keystroke, and again when a new screen is drawn or the palette
      // has returned the focus.
      focusAnchor(ANCHORS.filter);
      requestAnimationFrame(() => focusAnchor(ANCHORS.filter));
    },
  },
  {
    id: 'saveView',
    title: COMMAND_TITLES.saveView,
    group: GROUPS.list,
    method: 'views.save',
    when: (console) => onList(console) ?? whyNoView(console),
    run: ({ commands }) => commands.open({ kind: 'save-view' }),
    call({ navigation }) {
      const filter = navigation.param('f') ?? '';
      return automationCall('views.save', { name: COMMAND_TITLES.saveView, filter });
    },
  },
  {
    id: 'columns',
    title: COMMAND_TITLES.columns,
    group: GROUPS.list,
    when: onList,
    // The palette gives the focus back first, which would close the panel.
    run: () => void requestAnimationFrame(() => document.getElementById(ANCHORS.columns)?.click()),
  },
  {
    id: 'filterHelp',
    title: COMMAND_TITLES.filterHelp,
    group: GROUPS.list,
    run: (console) => console.commands.open({ kind: 'filter-help' }),
  },
  {
    id: 'clearFilter',
    title: COMMAND_TITLES.clearFilter,
    group: GROUPS.list,
    method: 'messages.list',
    call: () => automationCall('messages.list', {}),
    when: (console) => (console.navigation.param('f') === undefined ? COMMAND_WHY.noFilter : undefined),
    run: (console) => console.navigation.change({ f: undefined }),
  },
  {
    id: 'follow',
    title: COMMAND_TITLES.follow,
    group: GROUPS.list,
    keys: ['f'],
    scope: 'messages',
    when: onList,
    run: (console) => console.messages.setFollow(!console.messages.store.getState().follow),
  },
  {
    id: 'pause',
    title: COMMAND_TITLES.pause,
    group: GROUPS.list,
    keys: ['s'],
    scope: 'messages',
    when: onList,
    run: (console) => console.messages.setPaused(!console.messages.store.getState().paused),
  },
  {
    id: 'markAllRead',
    title: COMMAND_TITLES.markAllRead,
    group: GROUPS.list,
    keys: ['Shift+U'],
    scope: 'messages',
    when: onMarkedList,
    method: 'messages.markRead',
    run: (console) => void markAllRead(console),
    call: () => automationCall('messages.markRead', {}),
  },
  {
    id: 'toggleRead',
    title: COMMAND_TITLES.toggleRead,
    group: GROUPS.list,
    keys: ['u'],
    scope: 'messages',
    method: 'messages.update',
    when: onMarkedList,
    run: (console) => void toggleRead(console),
    call(console) {
      const row = subjectNow(console)?.row;
      if (row === undefined) return undefined;
      return automationCall('messages.update', { messageId: row.messageId, read: row.unread === true });
    },
  },
  {
    id: 'nextAttention',
    title: COMMAND_TITLES.nextAttention,
    group: GROUPS.list,
    repeats: true,
    keys: ['n'],
    scope: 'messages',
    when: onList,
    method: 'messages.list',
    run: (console) => void moveToAttention(console, 1),
    call: () => automationCall('messages.list', { filter: NEEDS_ATTENTION, order: 'oldest' }),
  },
  {
    id: 'previousAttention',
    title: COMMAND_TITLES.previousAttention,
    group: GROUPS.list,
    repeats: true,
    keys: ['Shift+N'],
    scope: 'messages',
    when: onList,
    method: 'messages.list',
    run: (console) => void moveToAttention(console, -1),
    call: () => automationCall('messages.list', { filter: NEEDS_ATTENTION, order: 'newest' }),
  },
  {
    id: 'selectAll',
    title: COMMAND_TITLES.selectAll,
    group: GROUPS.list,
    keys: ['Mod+A'],
    scope: 'messages',
    when: onList,
    run: (console) => console.messages.select({ kind: 'all' }),
  },
  {
    id: 'compare',
    title: COMPARE_TWO.command,
    group: GROUPS.list,
    keys: ['='],
    scope: 'messages',
    when: (console) => (twoToCompare(console) === undefined ? COMPARE_TWO.needsTwo : undefined),
    run(console) {
      const two = twoToCompare(console);
      if (two !== undefined) console.commands.open({ kind: 'compare', ...two });
    },
    method: 'messages.get',
    call(console) {
      const two = twoToCompare(console);
      if (two === undefined) return undefined;
      const calls = [two.left, two.right].map((messageId) => automationCall('messages.get', { messageId }));
      return `[${calls.join(',')}]`;
    },
  },
  {
    id: 'closeDetail',
    title: COMMAND_TITLES.closeDetail,
    group: GROUPS.list,
    when: (console) => (console.navigation.param('m') === undefined ? COMMAND_WHY.noDetail : undefined),
    run: (console) => console.navigation.change({ m: undefined, d: undefined, t: undefined }),
  },
];
