/** The live list: rows of the view by position, drawn only where they are seen. */
import { ContextMenu } from '@base-ui/react/context-menu';
import { ArrowDown } from 'lucide-react';
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
  type MouseEvent,
  type PointerEvent,
  type ReactElement,
} from 'react';
import { Button } from '../../components/Button.tsx';
import { MenuGroups } from '../../components/ChoiceMenu.tsx';
import menu from '../../components/ChoiceMenu.module.css';
import { Failed, Loading } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { LIST } from '../../copy/messages.ts';
import { oncePerId } from '../../format/apps.ts';
import { gridTemplate, shownColumns, type Column } from '../../format/columns.ts';
import { count } from '../../format/quantity.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import { expandGroups } from '../../keys/list-commands.ts';
import { columnsOf } from '../../state/columns.ts';
import { useConsole } from '../../state/context.ts';
import type { Console } from '../../state/console.ts';
import type { MessagesState } from '../../state/messages-state.ts';
import { groupLine } from '../../state/row-window.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import { Announcer } from './Announcer.tsx';
import { FirstRun } from './FirstRun.tsx';
import { GroupLine } from './GroupLine.tsx';
import { HeadRow } from './HeadRow.tsx';
import { ListRow, messageAt, rowDomId } from './ListRow.tsx';
import css from './MessageList.module.css';
import { NoMatch } from './NoMatch.tsx';
import { rowMenu } from '../../components/row-menu.ts';
import { useGridKeys } from './use-grid-keys.ts';
import { useScrollAnchor } from './use-scroll-anchor.ts';
import { useRows } from './use-rows.ts';

const HEAD_PX = 28;
const ROW_PX = { compact: 28, comfortable: 36 } as const;

/** The list in whichever state it is. */
export function MessageList(): ReactElement {
  const console = useConsole();
  const { status, failure, total, filter, groupBy, progress } = useMembers(
    console.messages.store,
    ({ status, failure, total, filter, groupBy, progress }) => ({
      status,
      failure,
      total,
      filter,
      groupBy,
      progress,
    }),
  );
  if (status === 'idle' || status === 'loading') return <Loading text={LIST.loading} rows={12} />;
  if (status === 'failed') {
    return (
      <Failed
        text={fill(LIST.failed, { message: failure?.message.replace(/\.$/, '') })}
        details={failure === undefined ? undefined : `${failure.code}: ${failure.message}`}
        again={() => void console.messages.open(filter, groupBy)}
      />
    );
  }
  // Nothing was found yet, which is not the same as that there is nothing.
  if (total === 0 && progress !== undefined && progress.done < progress.of) {
    return <Loading text={LIST.searching} rows={12} />;
  }
  if (total === 0) return filter === '' ? <FirstRun /> : <NoMatch />;
  return <Grid />;
}

/** What the rows are drawn from. */
type ListState = Pick<
  MessagesState,
  | 'total'
  | 'groupBy'
  | 'version'
  | 'follow'
  | 'newer'
  | 'current'
  | 'goneTo'
  | 'selected'
  | 'lookedAt'
  | 'paused'
>;

function useListState(): ListState {
  return useMembers(
    useConsole().messages.store,
    // The version is what makes the visible rows be read again.
    ({ total, groupBy, version, follow, newer, current, goneTo, selected, lookedAt, paused }) => ({
      total,
      groupBy,
      version,
      follow,
      newer,
      current,
      goneTo,
      selected,
      lookedAt,
      paused,
    }),
  );
}

interface GridColumns {
  readonly columns: readonly Column[];
  /** No room to select rows with the mouse. */
  readonly isNarrowest: boolean;
  readonly style: CSSProperties;
}

/** The columns that fit, and their widths. */
function useGridColumns(widthPx: number): GridColumns {
  const console = useConsole();
  const appId = useSelected(console.ui, (state) => state.appId);
  const apps = useSelected(console.connection, ({ system }) => oncePerId(system?.apps ?? []).length);
  const { columns: chosen, columnWidths } = useSelected(console.ui, columnsOf);
  const severalApps = appId === '' && apps > 1;
  const columns = useMemo(
    () => shownColumns({ chosen, listPx: widthPx, severalApps }),
    [chosen, widthPx, severalApps],
  );
  const isNarrowest = widthPx > 0 && widthPx < 520;
  const style: CSSProperties & Readonly<Record<'--columns', string>> = {
    '--columns': gridTemplate(columns, columnWidths, isNarrowest),
  };
  return { columns, isNarrowest, style };
}

/** Asks for the message that is pressed on, which will be opened when the button is let go. */
function askNear({ detail }: Console, event: PointerEvent): void {
  const messageId = messageAt(event);
  if (event.button === 0 && messageId !== undefined) detail.near(messageId, 0);
}

/** A click on a group opens it; on a row it selects with Shift or Ctrl, and opens the message without. */
function clickLine(console: Console, event: MouseEvent): void {
  const { messages } = console;
  const { current } = messages.store.getState();
  // The panels around the list are a group too.
  const line = event.target instanceof Element ? event.target.closest('[data-group-line]') : null;
  const groupId = line?.getAttribute('data-group-line');
  if (groupId !== null && groupId !== undefined) {
    messages.setCurrent(groupLine(groupId));
    void expandGroups(console, groupId, line?.getAttribute('aria-expanded') !== 'true');
    return;
  }
  const messageId = messageAt(event);
  if (messageId === undefined) return;
  const isBox = event.target instanceof Element && event.target.closest('[data-select]') !== null;
  messages.setFollow(false);
  if (event.shiftKey && current !== undefined)
    messages.select({ kind: 'range', from: current, to: messageId });
  else if (isBox || event.ctrlKey || event.metaKey) {
    messages.select({ kind: 'toggle', messageId });
    messages.setCurrent(messageId);
  } else {
    messages.select({ kind: 'none' });
    messages.setCurrent(messageId);
    console.navigation.change({ m: messageId, d: undefined });
  }
}

interface MenuLine {
  readonly messageId: string;
  readonly column: string;
}

/** The row and cell that a menu is asked for; undefined: no row. */
function lineOfMenu(event: MouseEvent, current: string | undefined): MenuLine | undefined {
  // By key it is the row of the keyboard; where the pointer is at none, there is no menu.
  const messageId = messageAt(event) ?? (event.button === 2 ? undefined : current);
  if (messageId === undefined) return undefined;
  const cell = event.target instanceof Element ? event.target.closest('[data-col]') : null;
  return { messageId, column: cell?.getAttribute('data-col') ?? '' };
}

/** Loads the rows that are drawn, and the values of their own columns. */
function useSeen(first: number, end: number, total: number, columns: readonly Column[]): void {
  const { messages } = useConsole();
  useEffect(() => messages.ensure(first, end), [messages, first, end, total]);
  useEffect(() => {
    const seen = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
    messages.own.want(
      seen.flatMap((place) => messages.rows.rowAt(place)?.number ?? []),
      columns.flatMap(({ id, own }) => (own === undefined ? [] : id)),
    );
  });
}

/** The scroll handler: who scrolls up does not follow the newest any more. */
function useUnfollow(grid: HTMLElement | null, rowPx: number): () => void {
  const { messages } = useConsole();
  const lastTop = useRef(0);
  return () => {
    if (grid === null) return;
    const isUp = grid.scrollTop < lastTop.current - 1;
    lastTop.current = grid.scrollTop;
    const fromEnd = grid.scrollHeight - grid.clientHeight - grid.scrollTop;
    if (isUp && fromEnd > rowPx) messages.setFollow(false);
  };
}

/** Leads to the rows that came since following stopped. */
function NewerButton({ list }: { readonly list: ListState }): ReactElement | null {
  const { messages } = useConsole();
  const { follow, groupBy, newer } = list;
  if (follow || groupBy !== '' || newer === 0) return null;
  return (
    <Button icon={ArrowDown} kind="primary" className={css.newer} onClick={() => messages.setFollow(true)}>
      {fill(newer === 1 ? LIST.newMessage : LIST.newMessages, { n: count(newer) })}
    </Button>
  );
}

function Grid(): ReactElement {
  const console = useConsole();
  const { messages } = console;
  const list = useListState();
  const { total, groupBy, follow, current, goneTo, paused } = list;
  const density = useSelected(console.ui, (state) => state.density);
  const rowPx = ROW_PX[density];
  const [grid, setGrid] = useState<HTMLDivElement | null>(null);
  const [menuFor, setMenuFor] = useState<MenuLine>();

  const rows = useRows({ host: grid, count: total, rowPx, headPx: HEAD_PX, follow: follow && !paused });
  const { first, end, topRow, widthPx } = rows;
  const { columns, isNarrowest, style } = useGridColumns(widthPx);

  useSeen(first, end, total, columns);
  useScrollAnchor({ grid, rows, current, goneTo });

  const onKeyDown = useGridKeys(rows.fitting);
  const onScroll = useUnfollow(grid, rowPx);

  const place = current === undefined ? undefined : messages.rows.placeOf(current);
  const isDrawn = place !== undefined && place >= first && place < end;
  return (
    <div className={css.wrap}>
      <ContextMenu.Root
        onOpenChange={(open) => {
          if (open) messages.setFollow(false);
        }}
      >
        <ContextMenu.Trigger
          onContextMenu={(event) => {
            const wanted = lineOfMenu(event, current);
            if (wanted === undefined) {
              event.preventDefault();
              event.preventBaseUIHandler();
              return;
            }
            setMenuFor(wanted);
            messages.setCurrent(wanted.messageId);
          }}
          render={
            <div
              ref={setGrid}
              id={ANCHORS.grid}
              role={groupBy === '' ? 'grid' : 'treegrid'}
              tabIndex={0}
              data-keys="messages"
              aria-label={LIST.grid}
              aria-rowcount={total}
              aria-colcount={columns.length + (isNarrowest ? 1 : 2)}
              aria-multiselectable
              aria-activedescendant={isDrawn && current !== undefined ? rowDomId(current) : undefined}
              className={css.grid}
              style={style}
              onScroll={onScroll}
              onPointerDown={(event) => askNear(console, event)}
              onClick={(event) => clickLine(console, event)}
              onKeyDown={onKeyDown}
            />
          }
        >
          <HeadRow columns={columns} canSelect={!isNarrowest} />
          <div role="rowgroup" className={css.rows} style={{ blockSize: rows.heightPx }}>
            {Array.from({ length: Math.max(0, end - first) }, (_, offset) => (
              <Line
                key={(first + offset) % rows.slots}
                index={first + offset}
                top={rows.topOf(first + offset)}
                columns={columns}
                canSelect={!isNarrowest}
                list={list}
              />
            ))}
          </div>
        </ContextMenu.Trigger>
        <MenuPopup of={menuFor} columns={columns} />
      </ContextMenu.Root>
      {topRow + rows.fitting < total && <NewerButton list={list} />}
      <Announcer />
    </div>
  );
}

interface LineProps {
  /** Place in the list. */
  readonly index: number;
  /** Where it is drawn, in px from the first row. */
  readonly top: number;
  readonly columns: readonly Column[];
  readonly canSelect: boolean;
  readonly list: ListState;
}

/** A group or a message, whichever stands at the place now. */
function Line({ index, top, columns, canSelect, list }: LineProps): ReactElement {
  const { messages } = useConsole();
  const { groupBy, current, selected, lookedAt } = list;
  const group = messages.rows.groupAt(index);
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
  const row = messages.rows.rowAt(index);
  const before = messages.rows.rowAt(index - 1);
  return (
    <ListRow
      row={row}
      index={index}
      top={top}
      columns={columns}
      canSelect={canSelect}
      isCurrent={row !== undefined && row.messageId === current}
      isSelected={row !== undefined && selected.has(row.messageId)}
      isUnread={row !== undefined && messages.isUnread(row)}
      isFirstNew={
        lookedAt > 0 &&
        row !== undefined &&
        before !== undefined &&
        row.number > lookedAt &&
        before.number <= lookedAt
      }
      someSelected={selected.size > 0}
      own={row && messages.own.of(row.number)}
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
          {row !== undefined && <MenuGroups groups={rowMenu(console, row, column)} />}
        </ContextMenu.Popup>
      </ContextMenu.Positioner>
    </ContextMenu.Portal>
  );
}
