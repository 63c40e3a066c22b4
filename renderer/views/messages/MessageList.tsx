/** The live list: rows of the view by index, drawn only when visible. */
import { ContextMenu } from '@base-ui/react/context-menu';
import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
} from 'react';
import { Button } from '../../components/Button.tsx';
import { Grid, type GridProps } from '../../components/grid/Grid.tsx';
import type { GridItem } from '../../components/grid/rows.ts';
import type { Edges } from '../../components/grid/use-uniform-rows.ts';
import { useUnfollow } from '../../components/grid/use-unfollow.ts';
import { lineSpot } from '../../components/line-spot.ts';
import type { LineSpot } from '../../format/line-term.ts';
import { MenuGroups } from '../../components/ChoiceMenu.tsx';
import menu from '../../components/ChoiceMenu.module.css';
import { Loaded } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { LIST } from '../../copy/messages.ts';
import { oncePerId } from '../../format/apps.ts';
import {
  gridTemplate,
  isNarrowestList,
  isShortList,
  longestTexts,
  shownColumns,
  type Column,
  gapPx,
  leastWidthPx,
} from '../../format/columns.ts';
import { isByTime } from '../../format/groups.ts';
import { freeTextsOf, needlesOf } from '../../format/preview.ts';
import { count } from '../../format/quantity.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import { expandGroups } from '../../keys/list-commands.ts';
import { columnsOf } from '../../state/columns.ts';
import { deliveriesOf, useWaitingAnswers } from '../../state/waiting-answers.ts';
import { useConsole, useParam } from '../../state/context.ts';
import type { Console } from '../../state/console.ts';
import type { Messages, MessagesState } from '../../state/messages-state.ts';
import { isNewestFirst, turned } from '../../state/live-order.ts';
import { listSpeedText } from '../../state/list-speed-words.ts';
import { readingOf, type RowRange } from '../../state/read-ahead.ts';
import { groupLine } from '../../state/row-window.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import { Announcer } from './Announcer.tsx';
import { EmptyRecording } from './EmptyRecording.tsx';
import { FirstRun } from './FirstRun.tsx';
import { GroupLine } from './GroupLine.tsx';
import { HeadRow } from './HeadRow.tsx';
import { ListRow, messageAt, rowDomId, type ListRowProps } from './ListRow.tsx';
import css from './MessageList.module.css';
import { NoMatch, type NoMatchProps } from './NoMatch.tsx';
import { filterByCell, rowMenu } from '../../components/row-menu.ts';
import { useDrawnLines, type DrawnLines } from './use-drawn-lines.ts';
import { useListKeys } from './use-list-keys.ts';
import { useGroupBy } from './use-group-by.ts';
import { usePressedLine } from './use-pressed-line.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';

const HEAD_PX = 28;
const ROW_PX = { compact: 28, comfortable: 36 } as const;

/** The list in each of its states. */
export function MessageList(props: Omit<NoMatchProps, 'refused'>): ReactElement {
  const console = useConsole();
  const { status, failure, total, filter, progress, isOpening } = useMembers(
    console.messages.store,
    'status',
    'failure',
    'total',
    'filter',
    'progress',
    'isOpening',
  );
  const { asked } = console.messages;
  // A link opened the page with it: the field and the list say the same of its mistake.
  if (status === 'failed' && failure?.code === 'FILTER_SYNTAX')
    return <NoMatch {...props} refused={failure.message} />;
  const isSearching = total === 0 && progress !== undefined && progress.done < progress.of;
  return (
    <Loaded
      // An empty result is not final during a search.
      value={status === 'ready' && !isSearching ? total : undefined}
      failure={status === 'failed' ? failure : undefined}
      loading={isSearching || isOpening ? LIST.searching : LIST.loading}
      failed={LIST.failed}
      rows={12}
      again={() => void console.messages.open(asked.filter, asked.groupBy, asked.sort)}
    >
      {(total) => (total > 0 ? <Rows /> : filter === '' ? <NothingYet /> : <NoMatch {...props} />)}
    </Loaded>
  );
}

/** The list without messages: a recording says so, and the live list shows how to begin. */
function NothingYet(): ReactElement {
  const { recordingId } = useConsole();
  return recordingId === undefined ? <FirstRun /> : <EmptyRecording recordingId={recordingId} />;
}

/** Members of the list by which its rows are drawn. A new `version` reads the visible rows again. */
const LIST_MEMBERS = [
  'total',
  'filter',
  'groupBy',
  'sort',
  'version',
  'follow',
  'newer',
  'seen',
  'current',
  'goneTo',
  'selected',
  'lookedAt',
  'paused',
] as const;

type ListState = Pick<MessagesState, (typeof LIST_MEMBERS)[number]> & {
  /** Id of the open message. */
  readonly opened: string | undefined;
};

function useListState(): ListState {
  const opened = useParam('m');
  return { ...useMembers(useConsole().messages.store, ...LIST_MEMBERS), opened };
}

type GridStyle = CSSProperties & Readonly<Record<'--columns' | '--column-gap' | '--least', string>>;

interface GridColumns {
  readonly columns: readonly Column[];
  /** True if there is no room for check boxes. */
  readonly isNarrowest: boolean;
  readonly style: CSSProperties;
}

interface Seen {
  readonly drawn: RowRange;
  /** Number that grows with every change of the rows. */
  readonly version: number;
}

type Lengths = Readonly<Record<string, number>>;

const NO_LENGTHS: Lengths = {};

/** The larger length of each column; the same object if none is larger. */
function longer(before: Lengths, now: Lengths): Lengths {
  const grown = Object.entries(now).filter(([id, length]) => length > (before[id] ?? 0));
  return grown.length === 0 ? before : { ...before, ...Object.fromEntries(grown) };
}

/**
 * Lengths of the longest texts so far. They only grow, so that columns do not flicker. With short texts, long
 * ones do not count.
 * @param listPx width of the list; 0 = not measured yet
 */
function useLongest(columns: readonly Column[], listPx: number, { drawn, version }: Seen): Lengths {
  const { messages } = useConsole();
  const { from, to } = drawn;
  const [longest, setLongest] = useState<Readonly<Record<string, Lengths>>>({});
  // An answer has as many words as its column has room for.
  const kind = `${isShortList(listPx)} ${columns.find(({ id }) => id === 'answer')?.width}`;
  // The lengths are measured before the rows are painted, because columns that grow later would move the text.
  useLayoutEffect(() => {
    // Before the list is measured the columns have texts that it may have no room for.
    if (listPx === 0) return;
    const rows = Array.from({ length: Math.max(0, to - from) }, (_, offset) =>
      messages.rows.rowAt(from + offset),
    );
    const now = longestTexts(
      columns,
      rows.filter((row) => row !== undefined),
    );
    setLongest((before) => {
      const known = before[kind] ?? NO_LENGTHS;
      const next = longer(known, now);
      return next === known ? before : { ...before, [kind]: next };
    });
  }, [messages, columns, kind, listPx, from, to, version]);
  return longest[kind] ?? NO_LENGTHS;
}

/** The columns that fit, and their widths. */
function useGridColumns({ widthPx, drawn }: DrawnLines, version: number): GridColumns {
  const console = useConsole();
  const appId = useSelected(console.ui, (state) => state.appId);
  const apps = useSelected(console.connection, ({ system }) => oncePerId(system?.apps ?? []).length);
  const { columns: chosen, columnWidths } = useSelected(console.ui, columnsOf);
  const severalApps = appId === '' && apps > 1;
  const columns = useMemo(
    () => shownColumns({ chosen, listPx: widthPx, severalApps }),
    [chosen, widthPx, severalApps],
  );
  const longest = useLongest(columns, widthPx, { drawn, version });
  const isNarrowest = isNarrowestList(widthPx);
  const template = gridTemplate(columns, { set: columnWidths, longest }, widthPx);
  const style: GridStyle = {
    '--columns': template,
    '--column-gap': `${gapPx(widthPx)}px`,
    '--least': `${leastWidthPx(template, widthPx)}px`,
  };
  return { columns, isNarrowest, style };
}

/** Loads the message under a pressed button in advance, because its release opens it. */
function askNear({ detail }: Console, event: PointerEvent): void {
  const messageId = messageAt(event);
  if (event.button === 0 && messageId !== undefined) detail.near(messageId, 0);
}

/**
 * Handles a click. On a group it opens the group; on a row it selects with Shift or Ctrl, filters by the cell
 * with Alt, and otherwise opens the message.
 */
function clickLine(console: Console, event: MouseEvent, columns: readonly Column[]): void {
  const { messages } = console;
  const { current } = messages.store.getState();
  // The panels around the list have the role of a group too.
  const line = event.target instanceof Element ? event.target.closest('[data-group-line]') : null;
  const groupId = line?.getAttribute('data-group-line');
  if (groupId !== null && groupId !== undefined) {
    messages.setCurrent(groupLine(groupId));
    void expandGroups(console, groupId, line?.getAttribute('aria-expanded') !== 'true');
    return;
  }
  const messageId = messageAt(event);
  if (messageId === undefined) return;
  if (event.altKey) {
    const row = messages.rows.rowOf(messageId);
    const cell = event.target instanceof Element ? event.target.closest('[data-col]') : null;
    const column = columns.find(({ id }) => id === cell?.getAttribute('data-col'));
    if (row !== undefined && column !== undefined)
      filterByCell(console, { row, column, spot: spotOf(console, event, messageId), isElse: event.shiftKey });
    return;
  }
  const isBox = event.target instanceof Element && event.target.closest('[data-select]') !== null;
  messages.setFollow(false);
  if (event.shiftKey && current !== undefined)
    messages.select({ kind: 'range', from: current, to: messageId });
  else if (isBox || event.ctrlKey || event.metaKey) {
    messages.select(
      isBox ? { kind: 'toggle', messageId } : { kind: 'add', messageId, opened: openedIn(console) },
    );
    messages.setCurrent(messageId);
  } else {
    messages.select({ kind: 'none' });
    messages.setCurrent(messageId);
    console.navigation.change({ m: messageId, d: undefined });
  }
}

/** Id of the open message, if it is a row of the list. */
function openedIn({ messages, navigation }: Console): string | undefined {
  const opened = navigation.param('m');
  return opened === undefined || messages.rows.indexOf(opened) === undefined ? undefined : opened;
}

/** Handles the pointer on the lines. */
function usePointer(
  columns: readonly Column[],
  isFollowing: boolean,
): Pick<GridProps, 'onPointerDown' | 'onClick'> {
  const console = useConsole();
  const pressed = usePressedLine();
  return {
    onPointerDown(event) {
      // The rows of a list that follows never stand still: there a click takes the row of its release.
      pressed.note(isFollowing ? undefined : event);
      askNear(console, event);
    },
    onClick(event) {
      if (pressed.release(event)) clickLine(console, event, columns);
    },
  };
}

/** Place of the payload under the pointer. */
function spotOf({ messages }: Console, event: MouseEvent, messageId: string): LineSpot | undefined {
  const number = messages.rows.rowOf(messageId)?.number;
  return number === undefined ? undefined : lineSpot(event, messages.previews.of(number)?.line);
}

interface MenuLine {
  readonly messageId: string;
  readonly column: string;
  readonly spot: LineSpot | undefined;
}

/** The row and cell of a context menu; undefined: there is none. */
function lineOfMenu(console: Console, event: MouseEvent): MenuLine | undefined {
  const { current } = console.messages.store.getState();
  // A menu opened by key belongs to the keyboard row. With the pointer beside all rows there is no menu.
  const messageId = messageAt(event) ?? (event.button === 2 ? undefined : current);
  if (messageId === undefined) return undefined;
  const cell = event.target instanceof Element ? event.target.closest('[data-col]') : null;
  const column = cell?.getAttribute('data-col') ?? '';
  return { messageId, column, spot: spotOf(console, event, messageId) };
}

interface Drawn {
  /** Rows of the scroll position. */
  readonly wanted: RowRange;
  /** Rows that are drawn: others, as long as those of the scroll position are on their way. */
  readonly drawn: RowRange;
  readonly total: number;
  /** True while following: the newest rows arrive by themselves, so none is read ahead. */
  readonly isFollowing: boolean;
}

/** Loads the rows that are drawn, those that come next, and the values of their own columns. */
function useSeen({ wanted, drawn, total, isFollowing }: Drawn, columns: readonly Column[]): void {
  const { messages } = useConsole();
  const { from, to } = wanted;
  const before = useRef<RowRange>(wanted);
  useEffect(() => {
    const sight = { from, to };
    const { first: readFirst, around } = readingOf(sight, before.current);
    before.current = sight;
    if (isFollowing) messages.ensure(from, to);
    else messages.ensure(around.from, around.to, readFirst, sight);
  }, [messages, from, to, total, isFollowing]);
  useEffect(() => {
    const seen = Array.from({ length: Math.max(0, drawn.to - drawn.from) }, (_, at) => drawn.from + at);
    messages.own.want(
      seen.flatMap((rowIndex) => messages.rows.rowAt(rowIndex)?.number ?? []),
      columns.flatMap(({ id, own }) => (own === undefined ? [] : id)),
    );
  });
}

/** Button to the rows that arrived since the newest one was last in sight, or the list stopped. */
function newestOf(
  messages: Messages,
  { follow, paused, groupBy, newer, seen }: ListState,
  { isDetailOpen, isTurned }: { readonly isDetailOpen: boolean; readonly isTurned: boolean },
): GridProps['newest'] {
  if ((follow && !paused) || !isByTime(groupBy) || newer <= seen) return undefined;
  return {
    title: fill(LIST.newMessages, { n: count(newer - seen) }),
    // The open message has the emphasised act of the screen.
    isQuiet: isDetailOpen,
    isAbove: isTurned,
    run() {
      messages.setPaused(false);
      messages.setFollow(true);
    },
  };
}

interface NewestRow {
  readonly isTurned: boolean;
  /** Whether the row was in sight when the rows were drawn. */
  readonly isDrawn: boolean;
  readonly edgesNow: () => Edges;
}

/** Whether the newest row is between these edges. */
function hasNewest({ topRow, isAtEnd }: Edges, isTurned: boolean): boolean {
  return isTurned ? topRow === 0 : isAtEnd;
}

/** The button to the newest rows; notes each time that the newest one is in sight, also when one more has come there. */
function useNewest(list: ListState, { isTurned, isDrawn, edgesNow }: NewestRow): GridProps['newest'] {
  const { messages } = useConsole();
  const isDetailOpen = useParam('m') !== undefined;
  // The rows of before may have been kept in their places since the list was drawn, which moves the newest one out of sight.
  const note = useEffectEvent(() => {
    if (hasNewest(edgesNow(), isTurned)) messages.newestInSight();
  });
  useEffect(() => {
    if (isDrawn) note();
  }, [isDrawn, list.newer]);
  return newestOf(messages, list, { isDetailOpen, isTurned });
}

/** The context menu of a row, around its grid. */
function WithMenu({
  grid,
  columns,
}: {
  readonly grid: GridProps;
  readonly columns: readonly Column[];
}): ReactElement {
  const console = useConsole();
  const { messages } = console;
  const [menuFor, setMenuFor] = useState<MenuLine>();
  return (
    <ContextMenu.Root
      onOpenChange={(open) => {
        if (open) messages.setFollow(false);
      }}
    >
      <ContextMenu.Trigger
        onContextMenu={(event) => {
          const wanted = lineOfMenu(console, event);
          if (wanted === undefined) {
            event.preventDefault();
            event.preventBaseUIHandler();
            return;
          }
          setMenuFor(wanted);
          messages.setCurrent(wanted.messageId);
        }}
        render={<Grid {...grid} />}
      />
      <MenuPopup of={menuFor} columns={columns} />
    </ContextMenu.Root>
  );
}

type Searched = Pick<ListRowProps, 'needles' | 'texts'>;

/** Ids of the deliveries whose calls wait for an answer of a person. */
function useAsked(): ReadonlySet<string> {
  const waiting = useWaitingAnswers();
  return useMemo(() => new Set(waiting.flatMap(deliveriesOf)), [waiting]);
}

/** What a filter searches in payloads, and in ids too. */
function useSearched(filter: string): Searched {
  return useMemo(() => ({ needles: needlesOf(filter), texts: freeTextsOf(filter) }), [filter]);
}

function Rows(): ReactElement {
  const console = useConsole();
  const { messages } = console;
  const list = useListState();
  const { total, groupBy, follow, current, goneTo, paused } = list;
  const density = useSelected(console.ui, (state) => state.density);
  const rowPx = ROW_PX[density];
  const [host, setHost] = useState<HTMLDivElement | null>(null);

  const isTurned = useSelected(console.ui, (ui) => isNewestFirst(ui, list));
  const isFollowing = follow && !paused;
  const lines = useDrawnLines({
    host,
    count: total,
    rowPx,
    headPx: HEAD_PX,
    // The newest row on the first line is always visible.
    follow: isFollowing && !isTurned,
    isTurned,
    isFollowing,
  });
  // A list that stands still has not got the newest rows, wherever it is scrolled to.
  const isAtEnd = !paused && hasNewest(lines, isTurned);
  const rows = isAtEnd === lines.isAtEnd ? lines : { ...lines, isAtEnd };
  const { drawn, isBehind } = lines;
  const { columns, isNarrowest, style } = useGridColumns(lines, list.version);
  const asked = useAsked();
  const searched = useSearched(list.filter);

  useSeen({ wanted: lines.wanted, total, drawn, isFollowing }, columns);
  useScrollAnchor({ grid: host, rows, current, goneTo, isTurned });
  const newest = useNewest(list, { isTurned, isDrawn: isAtEnd && host !== null, edgesNow: lines.edgesNow });

  const pointer = usePointer(columns, isFollowing);
  const onKeyDown = useListKeys(rows.fitting);
  const onScroll = useUnfollow(rowPx, () => messages.setFollow(false), isTurned);
  const at = current === undefined ? undefined : messages.rows.indexOf(current);
  const line = ({ index, top, slot }: GridItem): ReactElement => (
    <Line
      key={slot}
      index={index}
      rowIndex={turned(index, total, isTurned)}
      isTurned={isTurned}
      top={top}
      columns={columns}
      canSelect={!isNarrowest}
      list={list}
      searched={searched}
      asked={asked}
    />
  );
  return (
    <>
      <TooFast fitting={rows.fitting} isLive={isFollowing && groupBy === ''} />
      <WithMenu
        columns={columns}
        grid={{
          ref: setHost,
          id: ANCHORS.grid,
          label: LIST.grid,
          isTree: groupBy !== '',
          isMain: true,
          'data-keys': 'messages',
          count: total,
          'aria-colcount': columns.length + (isNarrowest ? 1 : 2),
          'aria-multiselectable': true,
          'aria-busy': isBehind || undefined,
          at: at === undefined ? undefined : turned(at, total, isTurned),
          atId: current === undefined ? undefined : rowDomId(current),
          fills: true,
          frameClass: css.frame,
          style,
          rows,
          head: <HeadRow columns={columns} canSelect={!isNarrowest} />,
          line,
          newest,
          after: <Announcer />,
          onScroll,
          ...pointer,
          onKeyDown,
        }}
      />
    </>
  );
}

interface TooFastProps {
  /** Rows that fit into the list. */
  readonly fitting: number;
  /** True if each message has a row, and the newest one is followed. */
  readonly isLive: boolean;
}

/**
 * Says that repeats were collapsed, with a button that shows them; or that rows pass faster than they are
 * drawn, with a button that collapses repeats.
 */
function TooFast({ fitting, isLive }: TooFastProps): ReactElement {
  const { listSpeed, ui } = useConsole();
  const { perSecond, isFast } = useMembers(listSpeed.store, 'perSecond', 'isFast');
  const { isByItself } = useGroupBy();
  const said = listSpeedText({ speed: { perSecond, isFast }, fitting, isLive, isCollapsed: isByItself });
  return (
    <p role="status" className={css.sampled}>
      {said !== undefined && (
        <>
          {said}{' '}
          <Button kind="quiet" onClick={() => ui.setState({ collapseRepeats: !isByItself })}>
            {isByItself ? LIST.showEach : LIST.collapseRepeats}
          </Button>
        </>
      )}
    </p>
  );
}

interface LineProps {
  /** Index of the line on the screen, from 0. */
  readonly index: number;
  /** Index in the list, oldest first. */
  readonly rowIndex: number;
  /** True if the newest row is on the first line. */
  readonly isTurned: boolean;
  /** Distance from the first row in px. */
  readonly top: number | undefined;
  readonly columns: readonly Column[];
  readonly canSelect: boolean;
  readonly list: ListState;
  /** Texts that the filter searches in payloads. */
  readonly searched: Searched;
  /** Deliveries with a call that waits for a person's answer. */
  readonly asked: ReadonlySet<string>;
}

/** Draws the group or the message at this index. */
function Line(props: LineProps): ReactElement {
  const { index, rowIndex, isTurned, top, columns, canSelect, list, searched, asked } = props;
  const { messages } = useConsole();
  const { groupBy, current, selected, lookedAt } = list;
  const group = messages.rows.groupAt(rowIndex);
  if (group !== undefined) {
    return (
      <GroupLine
        group={group}
        groupBy={groupBy}
        index={index}
        top={top}
        span={columns.length + (canSelect ? 2 : 1)}
        isCurrent={current === groupLine(group.groupId)}
      />
    );
  }
  const row = messages.rows.rowAt(rowIndex);
  const above = messages.rows.rowAt(isTurned ? rowIndex + 1 : rowIndex - 1);
  const [newer, older] = isTurned ? [above, row] : [row, above];
  return (
    <ListRow
      row={row}
      index={index}
      top={top}
      columns={columns}
      canSelect={canSelect}
      isCurrent={row !== undefined && row.messageId === current}
      isSelected={row !== undefined && selected.has(row.messageId)}
      isOpen={row !== undefined && row.messageId === list.opened}
      isUnread={row !== undefined && messages.isUnread(row)}
      isFirstNew={
        lookedAt > 0 &&
        newer !== undefined &&
        older !== undefined &&
        newer.number > lookedAt &&
        older.number <= lookedAt
      }
      someSelected={selected.size > 0}
      own={row && messages.own.of(row.number)}
      needles={searched.needles}
      texts={searched.texts}
      isAsked={row?.deliveries.some(({ deliveryId }) => asked.has(deliveryId)) === true}
      isChild={groupBy !== ''}
    />
  );
}

interface MenuPopupProps {
  readonly of: MenuLine | undefined;
  readonly columns: readonly Column[];
}

/** The menu of a row. */
function MenuPopup({ of, columns }: MenuPopupProps): ReactElement {
  const console = useConsole();
  const row = of && console.messages.rows.rowOf(of.messageId);
  const column = columns.find(({ id }) => id === of?.column);
  return (
    <ContextMenu.Portal>
      <ContextMenu.Positioner className={menu.positioner}>
        <ContextMenu.Popup className={menu.popup}>
          {row !== undefined && (
            <MenuGroups
              groups={rowMenu(console, row, column === undefined ? { columns } : { column, spot: of?.spot })}
            />
          )}
        </ContextMenu.Popup>
      </ContextMenu.Positioner>
    </ContextMenu.Portal>
  );
}
