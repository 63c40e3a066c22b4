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
  type ReactElement,
} from 'react';
import { Button } from '../../components/Button.tsx';
import { MenuGroups } from '../../components/ChoiceMenu.tsx';
import menu from '../../components/ChoiceMenu.module.css';
import { Failed, Loading } from '../../components/States.tsx';
import { fill } from '../../copy/fill.ts';
import { LIST } from '../../copy/messages.ts';
import { oncePerId } from '../../format/apps.ts';
import { gridTemplate, shownColumns } from '../../format/columns.ts';
import { count } from '../../format/quantity.ts';
import { ANCHORS } from '../../keys/anchors.ts';
import { expandGroups } from '../../keys/list-commands.ts';
import { columnsOf } from '../../state/columns.ts';
import { useConsole } from '../../state/context.ts';
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

function Grid(): ReactElement {
  const console = useConsole();
  const { messages } = console;
  const { total, groupBy, follow, newer, current, goneTo, selected, lookedAt, paused } = useMembers(
    messages.store,
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
  const density = useSelected(console.ui, (state) => state.density);
  const appId = useSelected(console.ui, (state) => state.appId);
  const apps = useSelected(console.connection, ({ system }) => oncePerId(system?.apps ?? []).length);
  const { columns: chosen, columnWidths } = useSelected(console.ui, columnsOf);
  const rowPx = ROW_PX[density];
  const [grid, setGrid] = useState<HTMLDivElement | null>(null);
  const lastTop = useRef(0);
  const [menuFor, setMenuFor] = useState<{ readonly messageId: string; readonly column: string }>();

  const rows = useRows({ host: grid, count: total, rowPx, headPx: HEAD_PX, follow: follow && !paused });
  const { first, end, topRow, widthPx } = rows;
  const severalApps = appId === '' && apps > 1;
  const columns = useMemo(
    () => shownColumns({ chosen, listPx: widthPx, severalApps }),
    [chosen, widthPx, severalApps],
  );
  const isNarrowest = widthPx > 0 && widthPx < 520;
  const style: CSSProperties & Readonly<Record<'--columns', string>> = {
    '--columns': gridTemplate(columns, columnWidths, isNarrowest),
  };

  useEffect(() => messages.ensure(first, end), [messages, first, end, total]);
  useEffect(() => {
    const seen = Array.from({ length: Math.max(0, end - first) }, (_, offset) => first + offset);
    messages.own.want(
      seen.flatMap((place) => messages.rows.rowAt(place)?.number ?? []),
      columns.flatMap(({ id, own }) => (own === undefined ? [] : id)),
    );
  });
  useScrollAnchor({ grid, rows, current, goneTo });

  const onKeyDown = useGridKeys(rows.fitting);

  function onScroll(): void {
    if (grid === null) return;
    const isUp = grid.scrollTop < lastTop.current - 1;
    lastTop.current = grid.scrollTop;
    const fromEnd = grid.scrollHeight - grid.clientHeight - grid.scrollTop;
    if (isUp && fromEnd > rowPx) messages.setFollow(false);
  }

  function onClick(event: MouseEvent): void {
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

  const place = current === undefined ? undefined : messages.rows.placeOf(current);
  const isDrawn = place !== undefined && place >= first && place < end;
  const menuRow = menuFor && messages.rows.rowOf(menuFor.messageId);
  const menuColumn = columns.find(({ id }) => id === menuFor?.column);
  return (
    <div className={css.wrap}>
      <ContextMenu.Root
        onOpenChange={(open) => {
          if (open) messages.setFollow(false);
        }}
      >
        <ContextMenu.Trigger
          onContextMenu={(event) => {
            const pointed = messageAt(event);
            // By key it is the row of the keyboard; where the pointer is at none, there is no menu.
            const messageId = pointed ?? (event.button === 2 ? undefined : current);
            if (messageId === undefined) {
              event.preventDefault();
              event.preventBaseUIHandler();
              return;
            }
            const cell = event.target instanceof Element ? event.target.closest('[data-col]') : null;
            setMenuFor({ messageId, column: cell?.getAttribute('data-col') ?? '' });
            messages.setCurrent(messageId);
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
              onPointerDown={(event) => {
                const messageId = messageAt(event);
                if (event.button === 0 && messageId !== undefined) console.detail.near(messageId, 0);
              }}
              onClick={onClick}
              onKeyDown={onKeyDown}
            />
          }
        >
          <HeadRow columns={columns} canSelect={!isNarrowest} />
          <div role="rowgroup" className={css.rows} style={{ blockSize: rows.heightPx }}>
            {Array.from({ length: Math.max(0, end - first) }, (_, offset) => {
              const index = first + offset;
              const group = messages.rows.groupAt(index);
              if (group !== undefined) {
                return (
                  <GroupLine
                    key={`group ${index % rows.slots}`}
                    group={group}
                    groupBy={groupBy}
                    index={index}
                    top={rows.topOf(index)}
                    span={columns.length + (isNarrowest ? 1 : 2)}
                    isCurrent={current === groupLine(group.groupId)}
                  />
                );
              }
              const row = messages.rows.rowAt(index);
              const before = messages.rows.rowAt(index - 1);
              return (
                <ListRow
                  key={index % rows.slots}
                  row={row}
                  index={index}
                  top={rows.topOf(index)}
                  columns={columns}
                  canSelect={!isNarrowest}
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
            })}
          </div>
        </ContextMenu.Trigger>
        <ContextMenu.Portal>
          <ContextMenu.Positioner className={menu.positioner}>
            <ContextMenu.Popup className={menu.popup}>
              {menuRow !== undefined && <MenuGroups groups={rowMenu(console, menuRow, menuColumn)} />}
            </ContextMenu.Popup>
          </ContextMenu.Positioner>
        </ContextMenu.Portal>
      </ContextMenu.Root>
      {!follow && groupBy === '' && newer > 0 && topRow + rows.fitting < total && (
        <Button
          icon={ArrowDown}
          kind="primary"
          className={css.newer}
          onClick={() => messages.setFollow(true)}
        >
          {fill(newer === 1 ? LIST.newMessage : LIST.newMessages, { n: count(newer) })}
        </Button>
      )}
      <Announcer />
    </div>
  );
}
