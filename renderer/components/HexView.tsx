/** Bytes in rows of sixteen, or of eight in a narrow window: offset, hex, ASCII. */
import { useId, useState, type ReactElement } from 'react';
import { fill } from '../copy/fill.ts';
import { VIEWER } from '../copy/viewer.ts';
import { HEX_COLUMNS, HEX_HALF, hexRow, type ByteParts } from '../format/body.ts';
import { readOffset } from '../format/offset.ts';
import { Button } from './Button.tsx';
import { TextField } from './Fields.tsx';
import { Grid, GridRow, rowAt } from './grid/Grid.tsx';
import { onRowKey } from './grid/keys.ts';
import { useUniformRows } from './grid/use-uniform-rows.ts';
import css from './HexView.module.css';

const ROW_PX = 20;
/** Number of rows from which the field for an offset is shown. */
const LONG_ROWS = 16;
/** Width of a row of sixteen with offset and text, in the font of the dump. */
const WHOLE_ROW_PX = 604;

export interface HexViewProps {
  readonly bytes: ByteParts;
  readonly label: string;
}

/** A dump that draws only the visible rows; a long one has a field that leads to an offset. */
export function HexView({ bytes, label }: HexViewProps): ReactElement {
  const id = useId();
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const [marked, setMarked] = useState<number>();
  const [widthPx, setWidthPx] = useState(0);
  // Eight bytes per row are shown if sixteen would cut off the text at the side, which people read first.
  const columns = widthPx > 0 && widthPx < WHOLE_ROW_PX ? HEX_HALF : HEX_COLUMNS;
  const count = Math.ceil(bytes.length / columns);
  const rows = useUniformRows({ host, count, rowPx: ROW_PX, headPx: 0, follow: false });
  if (rows.widthPx !== widthPx) setWidthPx(rows.widthPx);

  function goTo(row: number): void {
    setMarked(row);
    rows.show(row);
  }

  return (
    <div className={css.view}>
      {count > LONG_ROWS && (
        <OffsetField
          last={bytes.length - 1}
          onGo={(offset) => {
            goTo(Math.floor(offset / columns));
            host?.focus();
          }}
        />
      )}
      <Grid
        ref={setHost}
        label={label}
        count={count}
        rows={rows}
        at={marked}
        atId={marked === undefined ? undefined : `${id}-${marked}`}
        frameClass={css.host}
        fills
        className={css.dump}
        onClick={(event) => setMarked(rowAt(event) ?? marked)}
        onKeyDown={(event) => onRowKey(event, { at: marked, count, page: rows.fitting, entry: 0, go: goTo })}
        line={({ index, top, slot }) => {
          const { offset, hex, ascii } = hexRow(bytes, index, columns);
          return (
            <GridRow
              key={slot}
              index={index}
              top={top}
              isCurrent={index === marked}
              id={`${id}-${index}`}
              className={css.row}
            >
              <span role="gridcell" className={css.offset}>
                {offset}
              </span>
              {'  '}
              <span role="gridcell">{hex}</span>
              {'  '}
              <span role="gridcell" className={css.ascii}>
                {ascii}
              </span>
            </GridRow>
          );
        }}
      />
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
