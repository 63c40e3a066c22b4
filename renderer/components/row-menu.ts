/** The menu of one row. */
import type { Act } from '../../core/contract/acts.ts';
import { foremost } from '../../core/contract/attention.ts';
import type { MessageRow } from '../../core/contract/message.ts';
import type { MenuEntry, MenuGroup } from './ChoiceMenu.tsx';
import { ACTS, ACT_WHY, CELL_WHY } from '../copy/acts.ts';
import { WHAT_IF } from '../copy/what-if.ts';
import { COMPARE_TWO } from '../copy/compare.ts';
import { fill } from '../copy/fill.ts';
import { DELETE } from '../copy/jobs.ts';
import { RECORDINGS } from '../copy/recordings.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { isEditedHeld, whyNoDelivery, whyNot } from '../format/act-targets.ts';
import { addressPart } from '../../core/contract/address-part.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { cellTerm, COLUMNS_WITHOUT_TERM, elseTerm, filterValue } from '../format/cell-term.ts';
import type { Column } from '../format/columns.ts';
import type { LineSpot } from '../format/line-term.ts';
import { reroutable } from '../format/reroutable.ts';
import { chipOf, stateWord } from '../format/row.ts';
import { visibleShort } from '../format/visible-text.ts';
import { commandOf } from '../keys/commands.ts';
import { twoToCompare } from '../keys/list-commands.ts';
import { deleteMany } from '../keys/bulk-commands.ts';
import { goToTest } from '../keys/recording-commands.ts';
import type { Console } from '../state/console.ts';
import { copyMenu } from './copy-menu.ts';

export { filterValue } from '../format/cell-term.ts';

/** Input of a menu's groups. */
interface MenuOf {
  readonly console: Console;
  readonly row: MessageRow;
  /** The delivery that represents the row. */
  readonly first: MessageRow['deliveries'][number] | undefined;
  /** Delivery for all acts of the menu; absent: every one that allows the act. */
  readonly deliveryId?: string;
  /** Why the message cannot be changed now: its recording is read-only, or there is no connection. */
  readonly away: string | undefined;
  /** Why the host cannot be asked now; undefined: it can, also about a message of a recording. */
  readonly offline: string | undefined;
}

export interface RowMenuOptions {
  /** Column of the cell on which the menu was opened. */
  readonly column?: Column;
  /** Place in the payload of that cell. */
  readonly spot?: LineSpot | undefined;
  /**
   * Columns of the list, if a key opened the menu: it then concerns no single cell, and offers the values of
   * all.
   */
  readonly columns?: readonly Column[];
  readonly deliveryId?: string;
}

/** Groups of the row's menu, with reasons for disabled acts. */
export function rowMenu(
  console: Console,
  row: MessageRow,
  { column, spot, columns = [], deliveryId }: RowMenuOptions = {},
): readonly MenuGroup[] {
  const chosen = row.deliveries.find((each) => each.deliveryId === deliveryId);
  const one = deliveryId === undefined ? {} : { deliveryId };
  const offline = whyAway(console);
  const away = console.readOnly ?? offline;
  const of: MenuOf = { console, row, first: chosen ?? foremost(row.deliveries), away, offline, ...one };
  const cells = column === undefined ? cellEntries(of, columns) : [];
  const others = cells.map(({ id, term }) => ({ id: `else.${id}`, term: elseTerm(term) }));
  return [
    ...cellGroups(of, column, spot),
    { entries: openEntries(of) },
    { entries: deliveryEntries(of) },
    {
      entries: [
        { id: 'filterBy', title: ACTS.filterBy, entries: [...filterEntries(of), ...narrowing(of, cells)] },
        { id: 'exclude', title: ACTS.exclude, entries: [...excludeEntries(of), ...narrowing(of, others)] },
        {
          id: 'newer',
          title: ACTS.onlyNewer,
          run: () => narrow(console, `time:>=${row.at}`),
        },
        ...likeEntries(of),
        copyMenu(console, row.messageId, linkTo(row.messageId)),
        ...keepEntries(of),
      ],
    },
  ];
}

function whyAway({ connection }: Console): string | undefined {
  return connection.getState().link.status === 'open' ? undefined : ACT_WHY.away;
}

/** Filters the list. A filter that was switched off is switched on, or nothing would happen. */
function filterBy({ navigation }: Console, filter: string): void {
  navigation.change({ f: filter, off: undefined });
}

/** Adds a condition to what filters the list. A filter that is switched off does not: the row whose cell was clicked may not match it. */
function narrow(console: Console, term: string): void {
  const { navigation } = console;
  const now = navigation.param('off') === undefined ? (navigation.param('f') ?? '') : '';
  filterBy(console, now === '' ? term : `${now.includes(' OR ') ? `(${now})` : now} ${term}`);
}

function termOfCell(
  console: Console,
  row: MessageRow,
  column: Column | undefined,
  spot?: LineSpot,
): string | undefined {
  const own = column?.own === undefined ? null : console.messages.own.of(row.number)?.[column.own];
  return column && cellTerm(column, row, { own: own ?? null, spot });
}

export interface ClickedCell {
  readonly row: MessageRow;
  readonly column: Column;
  /** Place in the payload, if the column shows it. */
  readonly spot?: LineSpot | undefined;
  /** True: the value is excluded. */
  readonly isElse: boolean;
}

/** Filters by the value of a cell, or excludes it. Where that is not possible, a notification says why. */
export function filterByCell(console: Console, { row, column, spot, isElse }: ClickedCell): void {
  const term = termOfCell(console, row, column, spot);
  if (term !== undefined) narrow(console, isElse ? elseTerm(term) : term);
  else console.toasts.done(fill(CELL_WHY[whyNoTerm(column)], { column: column.title }));
}

function whyNoTerm({ id }: Column): keyof typeof CELL_WHY {
  if (id === 'preview') return 'noValue';
  return COLUMNS_WITHOUT_TERM.some((each) => each === id) ? 'noKey' : 'empty';
}

/** Entries that filter by the cell on which the menu was opened. */
function cellGroups(
  { console, row }: MenuOf,
  column: Column | undefined,
  spot: LineSpot | undefined,
): readonly MenuGroup[] {
  const term = termOfCell(console, row, column, spot);
  if (term === undefined) return [];
  return [
    {
      title: fill(ACTS.cell, { term: visibleShort(term) }),
      entries: [
        { id: 'filterThis', title: ACTS.filterThis, run: () => narrow(console, term) },
        { id: 'excludeThis', title: ACTS.excludeThis, run: () => narrow(console, elseTerm(term)) },
      ],
    },
  ];
}

interface CellTerm {
  readonly id: string;
  readonly term: string;
}

/** Columns whose value has its own entry in the menu. */
const NAMED: ReadonlySet<string> = new Set(['topic', 'type', 'app', 'state']);

function cellEntries({ console, row }: MenuOf, columns: readonly Column[]): readonly CellTerm[] {
  return columns.flatMap((column) => {
    const term = NAMED.has(column.id) ? undefined : termOfCell(console, row, column);
    return term === undefined ? [] : { id: column.id, term };
  });
}

function narrowing({ console }: MenuOf, cells: readonly CellTerm[]): readonly MenuEntry[] {
  return cells.map(({ id, term }) => ({
    id: `cell.${id}`,
    title: fill(ACTS.cell, { term: visibleShort(term) }),
    run: () => narrow(console, term),
  }));
}

/** The key of both ways to edit, for the entry that it runs. */
function editKeys(isRun: boolean): MenuEntry['keys'] {
  return isRun ? commandOf('edit')?.keys : undefined;
}

/** Entries that open the message, or publish it again. */
function openEntries({ console, row, deliveryId, first, away }: MenuOf): readonly MenuEntry[] {
  const { acting, commands, navigation } = console;
  const { messageId } = row;
  const of = deliveryId === undefined ? {} : { deliveryId };
  return [
    { id: 'open', title: ACTS.open, run: () => navigation.change({ m: messageId, d: undefined }) },
    { id: 'replay', title: ACTS.replay, off: away, keys: ['r'], run: () => void acting.replay([row]) },
    {
      id: 'editReplay',
      title: ACTS.editReplay,
      off: away,
      keys: editKeys(!isEditedHeld({ row, ...of })),
      run: () => commands.open({ kind: 'edit-replay', messageId }),
    },
    ...(first === undefined
      ? []
      : [
          {
            id: 'replayHere',
            title: ACTS.replayHere,
            off: away,
            run: () => void acting.replay([row], { deliveryId: first.deliveryId, route: first.route ?? '' }),
          },
        ]),
  ];
}

/** Entries with acts on the row's deliveries. */
function deliveryEntries({ console, row, deliveryId, away, offline }: MenuOf): readonly MenuEntry[] {
  const { acting, commands } = console;
  const { messageId } = row;
  const of = deliveryId === undefined ? {} : { deliveryId };
  const subject = { row, ...of };
  const isHeld = whyNot('release', subject) === undefined;
  const act = (which: Act, title: string = ACTS[which]): MenuEntry => ({
    id: which,
    title,
    off: away ?? whyNot(which, subject),
    keys: commandOf(which)?.keys,
    run: () => acting.act(which, [subject]),
  });
  const editRelease: MenuEntry = {
    id: 'editRelease',
    title: ACTS.editRelease,
    off: away,
    keys: editKeys(isEditedHeld(subject)),
    run: () => commands.open({ kind: 'edit-release', messageId, ...of }),
  };
  return [
    act('retry'),
    ...rerouteEntries({ console, row, deliveryId, away }),
    ...(isHeld ? [act('release'), editRelease] : [act('hold')]),
    {
      id: 'whatIf',
      title: WHAT_IF.command,
      off: offline ?? (row.deliveries.length === 0 ? whyNoDelivery(WHAT_IF.command, row) : undefined),
      keys: commandOf('whatIf')?.keys,
      run: () => commands.open({ kind: 'what-if', messageId, ...of }),
    },
    act('cancel'),
    act('drop'),
    act('deadLetter'),
  ];
}

/** The entry that sends deliveries to the present route of their app, where theirs is wrong. */
export function rerouteEntries({
  console: { acting, topology },
  row,
  deliveryId,
  away,
}: Pick<MenuOf, 'console' | 'row' | 'away'> & {
  readonly deliveryId: string | undefined;
}): readonly MenuEntry[] {
  const now = {
    apps: topology.apps.store.getState().value?.items ?? [],
    subscriptions: topology.subscriptions.store.getState().value?.items ?? [],
  };
  const known = reroutable(row, now, deliveryId);
  if (known.length === 0) return [];
  const free = known.filter(({ state }) => state !== 'attempting');
  const off = away ?? (free.length === 0 ? ACT_WHY.byState.drop.attempting : undefined);
  const run = (): void => void acting.reroute(...free.map((each) => ({ deliveryId: each.deliveryId })));
  return [{ id: 'reroute', title: ACTS.reroute, off, run }];
}

/**
 * An entry per value of the row by which the list can be filtered.
 * @param run gets `key:value`
 */
function termEntries(
  { row, first }: MenuOf,
  prefix: string,
  run: (term: string) => void,
): readonly MenuEntry[] {
  const values = [
    ['topic', row.topic, ACTS.filterTopic],
    ['type', row.eventType, ACTS.filterType],
    ['app', first?.appId, ACTS.filterApp],
  ] as const;
  return values.flatMap(([key, value, title]) =>
    value === undefined || value === ''
      ? []
      : {
          id: `${prefix}.${key}`,
          title: fill(title, { value: visibleShort(value) }),
          run: () => run(`${key}:${filterValue(value)}`),
        },
  );
}

function filterEntries(of: MenuOf): readonly MenuEntry[] {
  const { kind } = chipOf(of.row);
  const state = stateWord(of.row);
  const entries = termEntries(of, 'filter', (term) => filterBy(of.console, term));
  if (state === 'waiting' || state === 'refused') return entries;
  return [
    ...entries,
    {
      id: 'filter.state',
      title: fill(ACTS.filterState, { value: CHIP_WORDS[kind].toLowerCase() }),
      run: () => filterBy(of.console, `state:${state}`),
    },
  ];
}

function excludeEntries(of: MenuOf): readonly MenuEntry[] {
  return termEntries(of, 'exclude', (term) => narrow(of.console, `-${term}`));
}

/** Entries that add a mock answer or a hold for messages like this one. */
function likeEntries({ console, row, first, offline }: MenuOf): readonly MenuEntry[] {
  const { commands } = console;
  return [
    {
      id: 'mockLike',
      title: ACTS.mockLike,
      off: offline,
      run: () =>
        commands.open({
          kind: 'rule',
          topic: row.topic,
          ...withoutUndefined({ eventType: row.eventType }),
          ...(first?.route === undefined ? {} : { route: first.route }),
        }),
    },
    {
      id: 'holdLike',
      title: ACTS.holdLike,
      off: offline,
      run: () => commands.open({ kind: 'hold', filter: `topic:${filterValue(row.topic)}` }),
    },
  ];
}

/** Entries that compare, mark, or remove the message. */
function keepEntries({ console, row, away, offline }: MenuOf): readonly MenuEntry[] {
  const { acting, commands } = console;
  const pair = twoToCompare(console, row.messageId);
  return [
    {
      id: 'compare',
      title: COMPARE_TWO.withSelected,
      off: pair === undefined ? COMPARE_TWO.needsTwo : undefined,
      run: () => pair && commands.open({ kind: 'compare', ...pair }),
    },
    {
      id: 'pin',
      title: row.pinned === true ? ACTS.unpin : ACTS.pin,
      off: away,
      keys: ['i'],
      run: () => void acting.pin(row),
    },
    {
      id: 'note',
      title: ACTS.note,
      off: away,
      run: () => commands.open({ kind: 'note', messageId: row.messageId }),
    },
    {
      id: 'toTest',
      title: RECORDINGS.commandTest,
      off: offline,
      run: () => {
        console.messages.select({ kind: 'only', messageId: row.messageId });
        goToTest(console);
      },
    },
    { id: 'delete', title: DELETE.act, off: away, run: () => deleteMany(console, [row.messageId], [row]) },
  ];
}

/** Address of the page with this message open. */
export function linkTo(messageId: string): string {
  const url = new URL(window.location.href);
  url.hash = `#/messages?m=${addressPart(messageId)}`;
  return url.href;
}
