/** The log lines, oldest first, drawn only when visible. */
import {
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
} from 'react';
import { cx } from '../../components/class-names.ts';
import { Grid, GridHead, rowAt } from '../../components/grid/Grid.tsx';
import { onRowKey } from '../../components/grid/keys.ts';
import { useMeasuredRows } from '../../components/grid/use-measured-rows.ts';
import { useUnfollow } from '../../components/grid/use-unfollow.ts';
import { LOGS } from '../../copy/logs.ts';
import { useConsole } from '../../state/context.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import { LogLine, lineDomId } from './LogLine.tsx';
import { lineText, linkOfLine } from './log-text.ts';
import css from './Logs.module.css';

const HEAD_PX = 28;
const ROW_PX = { compact: 28, comfortable: 36 } as const;

const HEADS = Object.entries(LOGS.columns).map(([id, title]) => ({ id, title }));

/** Px of the widest part of the program, and of a letter and the mark of an app's name. */
const PART_PX = 88;
const LETTER_PX = 7.5;
const MARK_PX = 12;
const MAX_PART_PX = 160;

/** Width of the column that names the part or the app: names of apps are whole, up to about 20 letters. */
function partPx(appIds: readonly string[]): number {
  const longest = Math.max(0, ...appIds.map((id) => id.length));
  return Math.min(MAX_PART_PX, Math.max(PART_PX, Math.ceil(longest * LETTER_PX) + MARK_PX));
}

type PartStyle = CSSProperties & Readonly<Record<'--part', string>>;

/**
 * The keys of the grid.
 * @param page lines that Page Up and Page Down move by
 */
function useLogKeys(page: number): (event: KeyboardEvent) => void {
  const { acting, logs, navigation } = useConsole();
  const { lines, first, current } = useMembers(logs.store, 'lines', 'first', 'current');
  const at = current === undefined ? undefined : current - first;
  const line = at === undefined ? undefined : lines[at];

  function open(): void {
    const where = line === undefined ? undefined : linkOfLine(line);
    if (where === undefined) return;
    const [path = '', search] = where.split('?');
    navigation.go(path, Object.fromEntries(new URLSearchParams(search)));
  }

  return (event) => {
    const isCopy = (event.ctrlKey || event.metaKey) && event.key === 'c';
    const isHere = event.target === event.currentTarget && line !== undefined;
    if (isCopy && isHere && document.getSelection()?.isCollapsed !== false) {
      void acting.copy(lineText(line));
      event.preventDefault();
      return;
    }
    onRowKey(event, {
      at,
      count: lines.length,
      page,
      go: (to, key) => logs.show({ current: first + to, follow: key === 'End' }),
      act(key) {
        if (key === 'Enter') open();
        return key === 'Enter';
      },
    });
  };
}

/** A grid with one row per line; while following the newest stays visible. */
export function LogGrid(): ReactElement {
  const { connection, logs, ui } = useConsole();
  const part = useSelected(connection, ({ system }) =>
    partPx((system?.apps ?? []).map(({ appId }) => appId)),
  );
  const style: PartStyle = { '--part': `${part}px` };
  const { wrap, density, fontSize } = useMembers(ui, 'wrap', 'density', 'fontSize');
  const { lines, first, follow, current } = useMembers(logs.store, 'lines', 'first', 'follow', 'current');
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const rowPx = ROW_PX[density];
  const rows = useMeasuredRows({
    host,
    count: lines.length,
    rowPx,
    headPx: HEAD_PX,
    keyOf: (index) => first + index,
    first,
    follow,
    isMeasured: wrap,
    heightsOf: String(fontSize),
  });
  const at = current === undefined ? undefined : current - first;
  const onScroll = useUnfollow(rowPx, () => logs.show({ follow: false }));
  const onKeyDown = useLogKeys(rows.fitting);

  const { show } = rows;
  const showRow = useRef(show);
  useEffect(() => {
    showRow.current = show;
  });
  // The keyboard line scrolls into view when it changes, not when lines arrive.
  useEffect(() => {
    const state = logs.store.getState();
    if (current !== undefined && current >= state.first && !state.follow)
      showRow.current(current - state.first);
  }, [current, logs]);

  function onClick(event: MouseEvent): void {
    const index = rowAt(event);
    if (index !== undefined) logs.show({ current: first + index, follow: false });
  }

  return (
    <Grid
      ref={setHost}
      label={LOGS.grid}
      isMain
      count={lines.length}
      rows={rows}
      at={at}
      atId={current === undefined ? undefined : lineDomId(current)}
      fills
      frameClass={css.frame}
      className={cx(css.grid, wrap && css.wrap)}
      style={style}
      head={<GridHead columns={HEADS} />}
      onScroll={onScroll}
      onClick={onClick}
      onKeyDown={onKeyDown}
      line={({ index, top }) => {
        const line = lines[index];
        return line === undefined ? null : (
          <LogLine
            key={first + index}
            line={line}
            index={index}
            number={first + index}
            top={top}
            isCurrent={index === at}
            measure={rows.measure}
          />
        );
      }}
      newest={follow ? undefined : { title: LOGS.newest, run: () => logs.show({ follow: true }) }}
    />
  );
}
