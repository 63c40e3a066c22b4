/** The entries of a bulk publish, each in an editable row with its result. */
import { useRef, useState, type ReactElement } from 'react';
import { CodeBox } from '../../components/CodeBox.tsx';
import { Grid, GridHead, type GridColumn } from '../../components/grid/Grid.tsx';
import { useCellKeys } from '../../components/grid/use-cell-keys.ts';
import { useMeasuredRows } from '../../components/grid/use-measured-rows.ts';
import { fill } from '../../copy/fill.ts';
import { BULK } from '../../copy/publish.ts';
import { isBadJson } from '../../format/entries.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import type { EntryDraft } from '../../state/publish-drafts.ts';
import css from './BulkForm.module.css';
import { BulkRow, CELLS, cellId } from './BulkRow.tsx';
import type { BulkAnswer } from './use-bulk-publish.ts';

const ROW_PX = { compact: 36, comfortable: 44 } as const;
const HEAD_PX = 28;

const { columns } = BULK;
const HEADS: readonly GridColumn[] = [
  { id: 'check', title: BULK.checkAll, isHidden: true },
  { id: 'entryId', title: columns.entryId },
  { id: 'contentType', title: columns.contentType },
  { id: 'event', title: columns.event },
  { id: 'size', title: columns.size, align: 'end' },
  { id: 'result', title: columns.result },
];

export interface BulkGridProps {
  readonly entries: readonly EntryDraft[];
  readonly twice: ReadonlySet<string>;
  readonly answer: BulkAnswer | undefined;
  readonly checked: ReadonlySet<number>;
  readonly onCheck: (id: number, isOn: boolean) => void;
}

/** The grid. Rows are drawn only when visible, because there may be ten thousand. */
export function BulkGrid({ entries, twice, answer, checked, onCheck }: BulkGridProps): ReactElement {
  const { ui } = useConsole();
  const density = useSelected(ui, (state) => state.density);
  const [host, setHost] = useState<HTMLDivElement | null>(null);
  const side = useRef<HTMLDivElement>(null);
  /** Row that had the focus last: it stays drawn, wherever the grid is scrolled to. */
  const [kept, setKept] = useState(0);
  const rows = useMeasuredRows({
    host,
    count: entries.length,
    rowPx: ROW_PX[density],
    headPx: HEAD_PX,
    keyOf: (index) => entries[index]?.id ?? index,
    kept,
    isMeasured: false,
  });
  /** The row whose event is in the editor under the grid. */
  const [looked, setLooked] = useState<number>();
  const lookedIndex = entries.findIndex(({ id }) => id === looked);
  const shown = entries[lookedIndex];
  const keys = useCellKeys({
    rows: entries.length,
    columns: CELLS.length,
    page: rows.fitting,
    reveal: rows.show,
    cell: ({ row, column }) => document.getElementById(cellId(entries[row]?.id, column)),
    onEdit({ column }) {
      if (CELLS[column] !== 'event') return false;
      const editor = side.current?.querySelector<HTMLElement>('[contenteditable="true"], textarea');
      editor?.focus();
      return editor !== null && editor !== undefined;
    },
  });
  return (
    <>
      <Grid
        ref={setHost}
        // The cells of the grid take the focus.
        tabIndex={-1}
        label={BULK.grid}
        aria-describedby="bulk-grid-keys"
        className={css.grid}
        count={entries.length}
        rows={rows}
        head={<GridHead columns={HEADS} />}
        onKeyDown={keys.onKeyDown}
        line={({ index, top }) => {
          const entry = entries[index];
          return entry === undefined ? null : (
            <BulkRow
              key={entry.id}
              entry={entry}
              index={index}
              top={top}
              tabStop={keys.at.row === index ? keys.at.column : undefined}
              isTwice={twice.has(entry.entryId)}
              result={answer?.resultOf(entry)}
              isChecked={checked.has(entry.id)}
              onCheck={(isOn) => onCheck(entry.id, isOn)}
              onFocus={(column) => {
                setKept(index);
                keys.onFocus({ row: index, column });
                if (CELLS[column] === 'event') setLooked(entry.id);
              }}
            />
          );
        }}
      />
      <p id="bulk-grid-keys" className={css.keys}>
        {BULK.keys}
      </p>
      {shown !== undefined && (
        <div ref={side}>
          <EventEditor entry={shown} n={lookedIndex + 1} />
        </div>
      )}
    </>
  );
}

/** An editor for the event of the row that was opened last. */
function EventEditor({ entry, n }: { readonly entry: EntryDraft; readonly n: number }): ReactElement {
  const { drafts } = useConsole();
  return (
    <CodeBox
      label={fill(BULK.eventEditor, { n })}
      value={entry.event}
      language={/json/i.test(entry.contentType) ? 'json' : 'text'}
      readOnly={false}
      invalid={isBadJson(entry)}
      wrap
      className={css.editor}
      onChange={(event) => drafts.editEntry(entry.id, { event })}
    />
  );
}
