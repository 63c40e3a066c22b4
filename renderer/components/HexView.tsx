/** Bytes in rows of sixteen: offset, hex, ASCII. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type ReactElement } from 'react';
import { fill } from '../copy/fill.ts';
import { VIEWER } from '../copy/viewer.ts';
import { HEX_COLUMNS, hexRow } from '../format/body.ts';
import { readOffset } from '../format/offset.ts';
import { Button } from './Button.tsx';
import { TextField } from './Fields.tsx';
import css from './HexView.module.css';

const ROW_PX = 20;
/** In fewer rows nobody looks for an offset. */
const LONG_ROWS = 16;

export interface HexViewProps {
  readonly bytes: Uint8Array;
  readonly label: string;
}

/** A dump that draws only the rows in sight; a long one has a field that leads to an offset. */
export function HexView({ bytes, label }: HexViewProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const [marked, setMarked] = useState<number>();
  const count = Math.ceil(bytes.length / HEX_COLUMNS);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => host.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  function goTo(offset: number): void {
    const row = Math.floor(offset / HEX_COLUMNS);
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
            const row = hexRow(bytes, index);
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
