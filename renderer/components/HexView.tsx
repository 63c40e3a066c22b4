/** Bytes in rows of sixteen, or of eight where sixteen have no room: offset, hex, ASCII. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useLayoutEffect, useRef, useState, type ReactElement, type RefObject } from 'react';
import { fill } from '../copy/fill.ts';
import { VIEWER } from '../copy/viewer.ts';
import { HEX_COLUMNS, HEX_HALF, hexRow } from '../format/body.ts';
import { readOffset } from '../format/offset.ts';
import { Button } from './Button.tsx';
import { TextField } from './Fields.tsx';
import css from './HexView.module.css';

const ROW_PX = 20;
/** In fewer rows nobody looks for an offset. */
const LONG_ROWS = 16;
/** A row of sixteen with its offset and its text, at the size of the letters of the dump. */
const WHOLE_ROW_PX = 604;

export interface HexViewProps {
  readonly bytes: Uint8Array;
  readonly label: string;
}

/** A dump that draws only the rows in sight; a long one has a field that leads to an offset. */
export function HexView({ bytes, label }: HexViewProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const [marked, setMarked] = useState<number>();
  const columns = useColumns(host);
  const count = Math.ceil(bytes.length / columns);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => host.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  function goTo(offset: number): void {
    const row = Math.floor(offset / columns);
    setMarked(row);
    virtual.scrollToIndex(row, { align: 'center' });
    host.current?.focus();
  }
  return (
    <div className={css.view}>
      {count > LONG_ROWS && <OffsetField last={bytes.length - 1} onGo={goTo} />}
      <div
        ref={host}
        role="region"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
        tabIndex={0}
        className={css.host}
      >
        <div className={css.rows} style={{ blockSize: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = hexRow(bytes, index, columns);
            return (
              <pre
                key={index}
                className={css.row}
                aria-current={index === marked ? 'true' : undefined}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className={css.offset}>{row.offset}</span>
                {`  ${row.hex}  `}
                <span className={css.ascii}>{row.ascii}</span>
              </pre>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Bytes in a row: what is cut off at the side is what a person reads first, the text. */
function useColumns(host: RefObject<HTMLElement | null>): number {
  const [columns, setColumns] = useState(HEX_COLUMNS);
  useLayoutEffect(() => {
    const element = host.current;
    if (element === null) return undefined;
    const measure = (): void => setColumns(element.clientWidth < WHOLE_ROW_PX ? HEX_HALF : HEX_COLUMNS);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [host]);
  return columns;
}

interface OffsetFieldProps {
  readonly last: number;
  readonly onGo: (offset: number) => void;
}

function OffsetField({ last, onGo }: OffsetFieldProps): ReactElement {
  const [typed, setTyped] = useState('');
  const offset = readOffset(typed);
  const isThere = offset !== undefined && offset <= last;
  const problem = fill(VIEWER.badOffset, { last });
  return (
    <form
      className={css.tools}
      onSubmit={(event) => {
        event.preventDefault();
        if (isThere) onGo(offset);
      }}
    >
      <TextField
        label={VIEWER.goToOffset}
        hint={VIEWER.offsetHint}
        mono
        value={typed}
        error={typed === '' || isThere ? undefined : problem}
        onChange={setTyped}
      />
      <Button type="submit" off={isThere ? undefined : problem}>
        {VIEWER.go}
      </Button>
    </form>
  );
}
