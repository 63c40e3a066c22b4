/** Bytes in rows of sixteen: offset, hex, ASCII. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, type ReactElement } from 'react';
import { HEX_COLUMNS, hexRow } from '../format/body.ts';
import css from './HexView.module.css';

const ROW_PX = 20;

/** A dump that draws only the rows in sight. */
export function HexView({
  bytes,
  label,
}: {
  readonly bytes: Uint8Array;
  readonly label: string;
}): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: Math.ceil(bytes.length / HEX_COLUMNS),
    getScrollElement: () => host.current,
    estimateSize: () => ROW_PX,
    overscan: 12,
  });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolled region must take the focus
    <div ref={host} role="region" aria-label={label} tabIndex={0} className={css.host}>
      <div className={css.rows} style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const row = hexRow(bytes, index);
          return (
            <pre key={index} className={css.row} style={{ transform: `translateY(${start}px)` }}>
              <span className={css.offset}>{row.offset}</span>
              {`  ${row.hex}  `}
              <span className={css.ascii}>{row.ascii}</span>
            </pre>
          );
        })}
      </div>
    </div>
  );
}
