/** The column heads of the list; their edges are dragged to resize, the menu "Columns" does the same by keys. */
import { useRef, type PointerEvent, type ReactElement } from 'react';
import { cx } from '../../components/class-names.ts';
import { COLUMN_CHOICE, COLUMNS } from '../../copy/messages.ts';
import { COLUMN_PX, type Column } from '../../format/columns.ts';
import { useConsole } from '../../state/context.ts';
import css from './MessageList.module.css';

export interface HeadRowProps {
  readonly columns: readonly Column[];
  readonly canSelect: boolean;
}

/** One row of column heads; it stays while the rows scroll. */
export function HeadRow({ columns, canSelect }: HeadRowProps): ReactElement {
  return (
    <div role="rowgroup" className={css.head}>
      <div role="row" className={css.headRow}>
        <span role="columnheader">
          <span className="visually-hidden">{COLUMNS.unread}</span>
        </span>
        {canSelect && (
          <span role="columnheader">
            <span className="visually-hidden">{COLUMNS.select}</span>
          </span>
        )}
        {columns.map((column) => (
          <Head key={column.id} column={column} />
        ))}
      </div>
    </div>
  );
}

function Head({ column: { id, align } }: { readonly column: Column }): ReactElement {
  return (
    <span
      role="columnheader"
      aria-sort={id === 'time' || id === 'number' ? 'ascending' : undefined}
      className={cx(css.headCell, align === 'end' && css.number)}
    >
      {id === 'attempts' ? (
        <abbr title={COLUMNS.attempts}>{COLUMNS.attemptsShort}</abbr>
      ) : (
        <span className={css.headText}>{COLUMNS[id]}</span>
      )}
      <Grip id={id} />
    </span>
  );
}

/** The edge of a column. */
function Grip({ id }: { readonly id: string }): ReactElement {
  const { ui } = useConsole();
  const from = useRef<{ readonly x: number; readonly width: number }>(undefined);

  function move(event: PointerEvent<HTMLSpanElement>): void {
    if (from.current === undefined) return;
    const px = Math.round(from.current.width + event.clientX - from.current.x);
    const width = Math.min(COLUMN_PX.most, Math.max(COLUMN_PX.least, px));
    ui.setState(({ columnWidths }) => ({ columnWidths: { ...columnWidths, [id]: width } }));
  }

  return (
    <span
      aria-hidden
      title={COLUMN_CHOICE.resize}
      className={css.grip}
      onPointerDown={(event) => {
        const { parentElement } = event.currentTarget;
        if (parentElement === null) return;
        from.current = { x: event.clientX, width: parentElement.getBoundingClientRect().width };
        event.currentTarget.setPointerCapture(event.pointerId);
        event.preventDefault();
      }}
      onPointerMove={move}
      onPointerUp={() => {
        from.current = undefined;
      }}
    />
  );
}
