/** The log lines, oldest first, drawn only where they are seen. */
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import {
  useEffect,
  useLayoutEffect,
  useRef,
  type KeyboardEvent,
  type MouseEvent,
  type ReactElement,
  type RefObject,
} from 'react';
import { Button } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import { LOGS } from '../../copy/logs.ts';
import { useConsole } from '../../state/context.ts';
import type { LogsState } from '../../state/logs.ts';
import { useMembers, useSelected } from '../../state/store.ts';
import { LogLine, lineDomId } from './LogLine.tsx';
import { lineText, placeOfLine } from './log-text.ts';
import css from './Logs.module.css';

const HEAD_PX = 28;
const ROW_PX = { compact: 28, comfortable: 36 } as const;

interface LogLines extends Pick<LogsState, 'lines' | 'first' | 'follow' | 'current'> {
  readonly virtual: Virtualizer<HTMLDivElement, Element>;
  readonly onScroll: () => void;
}

/** The lines where they are drawn: the newest stay in sight, or what is read stands still. */
function useLogLines(grid: RefObject<HTMLDivElement | null>): LogLines {
  const { logs, ui } = useConsole();
  const { lines, first, follow, current } = useMembers(logs.store, ({ lines, first, follow, current }) => ({
    lines,
    first,
    follow,
    current,
  }));
  const { wrap, density } = useMembers(ui, ({ wrap, density }) => ({ wrap, density }));
  const fontSize = useSelected(ui, (state) => state.fontSize);
  const rowPx = ROW_PX[density];
  const lastTop = useRef(0);
  const lastFirst = useRef(first);

  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => grid.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => first + index,
    overscan: 8,
    scrollMargin: HEAD_PX,
    scrollPaddingStart: HEAD_PX,
  });
  const height = virtual.getTotalSize();

  useLayoutEffect(() => virtual.measure(), [virtual, rowPx, wrap, fontSize]);
  useLayoutEffect(() => {
    const element = grid.current;
    if (element === null) return;
    // Lines that come or leave at the old end must not move what is being read.
    if (lastFirst.current !== first && !follow) element.scrollTop += (lastFirst.current - first) * rowPx;
    lastFirst.current = first;
    if (follow) element.scrollTop = element.scrollHeight;
    lastTop.current = element.scrollTop;
  }, [first, follow, grid, height, lines, rowPx]);
  useEffect(() => {
    const at = current === undefined ? -1 : current - logs.store.getState().first;
    if (at >= 0 && !logs.store.getState().follow) virtual.scrollToIndex(at, { align: 'auto' });
  }, [current, logs, virtual]);

  function onScroll(): void {
    const element = grid.current;
    if (element === null) return;
    const isUp = element.scrollTop < lastTop.current - 1;
    lastTop.current = element.scrollTop;
    const fromEnd = element.scrollHeight - element.clientHeight - element.scrollTop;
    if (isUp && fromEnd > rowPx) logs.show({ follow: false });
  }

  return { virtual, lines, first, follow, current, onScroll };
}

/** The keys of the grid. @param drawn how many lines are drawn */
function useLogKeys(drawn: number): (event: KeyboardEvent) => void {
  const { acting, logs, navigation } = useConsole();
  const { lines, first, current } = useMembers(logs.store, ({ lines, first, current }) => ({
    lines,
    first,
    current,
  }));
  const place = current === undefined ? undefined : current - first;

  function open(index: number | undefined): void {
    const line = index === undefined ? undefined : lines[index];
    const where = line === undefined ? undefined : placeOfLine(line);
    if (where === undefined) return;
    const [path = '', search] = where.split('?');
    navigation.go(path, Object.fromEntries(new URLSearchParams(search)));
  }

  return (event) => {
    if (event.target !== event.currentTarget) return;
    const isCopy = (event.ctrlKey || event.metaKey) && event.key === 'c';
    if (isCopy && place !== undefined && document.getSelection()?.isCollapsed !== false) {
      const line = lines[place];
      if (line !== undefined) void acting.copy(lineText(line));
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, drawn - 16);
    const last = lines.length - 1;
    const from = place ?? last + 1;
    const steps: Readonly<Record<string, number>> = {
      ArrowUp: from - 1,
      ArrowDown: place === undefined ? last : from + 1,
      PageUp: from - page,
      PageDown: from + page,
      Home: 0,
      End: last,
    };
    const to = steps[event.key];
    if (to !== undefined)
      logs.show({ current: first + Math.max(0, Math.min(last, to)), follow: event.key === 'End' });
    else if (event.key === 'Enter') open(place);
    else return;
    event.preventDefault();
  };
}

/** A grid with one row per line; the newest stays in sight while it follows. */
export function LogGrid(): ReactElement {
  const { logs, ui } = useConsole();
  const wrap = useSelected(ui, (state) => state.wrap);
  const grid = useRef<HTMLDivElement>(null);
  const { virtual, lines, first, follow, current, onScroll } = useLogLines(grid);
  const items = virtual.getVirtualItems();
  const height = virtual.getTotalSize();
  const place = current === undefined ? undefined : current - first;
  const onKeyDown = useLogKeys(items.length);

  function onClick(event: MouseEvent): void {
    const row = event.target instanceof Element ? event.target.closest('[data-index]') : null;
    const index = Number(row?.getAttribute('data-index') ?? Number.NaN);
    if (Number.isInteger(index)) logs.show({ current: first + index, follow: false });
  }

  const isLonger = height + HEAD_PX > (virtual.scrollRect?.height ?? 0);
  const isDrawn = place !== undefined && items.some(({ index }) => index === place);
  return (
    <div className={css.frame}>
      <div
        ref={grid}
        role="grid"
        tabIndex={0}
        aria-label={LOGS.grid}
        aria-rowcount={lines.length + 1}
        aria-activedescendant={isDrawn && current !== undefined ? lineDomId(current) : undefined}
        className={cx(css.grid, wrap && css.wrap)}
        onScroll={onScroll}
        onClick={onClick}
        onKeyDown={onKeyDown}
      >
        <HeadRow />
        <div role="rowgroup" className={css.lines} style={{ blockSize: height }}>
          {items.map(({ index, start, key }) => {
            const line = lines[index];
            return line === undefined ? null : (
              <LogLine
                key={key}
                line={line}
                index={index}
                number={first + index}
                top={start - HEAD_PX}
                isCurrent={index === place}
                measure={wrap ? virtual.measureElement : undefined}
              />
            );
          })}
        </div>
      </div>
      {!follow && isLonger && (
        <Button
          icon={ArrowDown}
          kind="primary"
          className={css.newest}
          onClick={() => logs.show({ follow: true })}
        >
          {LOGS.newest}
        </Button>
      )}
    </div>
  );
}

function HeadRow(): ReactElement {
  return (
    <div role="rowgroup" className={css.head}>
      <div role="row" aria-rowindex={1} className={css.headRow}>
        {Object.entries(LOGS.columns).map(([id, title]) => (
          <span role="columnheader" key={id}>
            {title}
          </span>
        ))}
      </div>
    </div>
  );
}
