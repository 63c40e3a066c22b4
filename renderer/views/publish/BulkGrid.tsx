/** The entries of a bulk publish, each in a row that can be edited, with what became of it. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef, useState, type ReactElement } from 'react';
import { CodeBox } from '../../components/CodeBox.tsx';
import { fill } from '../../copy/fill.ts';
import { BULK } from '../../copy/publish.ts';
import { isBadJson } from '../../format/entries.ts';
import { useConsole } from '../../state/context.ts';
import type { EntryDraft } from '../../state/publish-drafts.ts';
import css from './BulkForm.module.css';
import { BulkRow, CELLS, cellId } from './BulkRow.tsx';
import type { BulkAnswer } from './use-bulk-publish.ts';
import { useGridKeys } from './use-grid-keys.ts';

const ROW_PX = 36;

export interface BulkGridProps {
  readonly entries: readonly EntryDraft[];
  readonly twice: ReadonlySet<string>;
  readonly answer: BulkAnswer | undefined;
  readonly checked: ReadonlySet<number>;
  readonly onCheck: (id: number, isOn: boolean) => void;
}

/** Rows are drawn only where they are seen: there may be ten thousand. */
export function BulkGrid({ entries, twice, answer, checked, onCheck }: BulkGridProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const side = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => host.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  /** The row whose event stands in the editor under the grid. */
  const [looked, setLooked] = useState<number>();
  const place = entries.findIndex(({ id }) => id === looked);
  const shown = entries[place];
  const keys = useGridKeys({
    rows: entries.length,
    columns: CELLS.length,
    reveal: (row) => virtual.scrollToIndex(row),
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
      <div
        ref={host}
        role="grid"
        tabIndex={-1}
        aria-label={BULK.grid}
        aria-rowcount={entries.length}
        aria-describedby="bulk-grid-keys"
        className={css.grid}
        onKeyDown={keys.onKeyDown}
      >
        <HeadRow />
        <div role="rowgroup" className={css.rows} style={{ blockSize: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const entry = entries[index];
            if (entry === undefined) return null;
            return (
              <BulkRow
                key={entry.id}
                entry={entry}
                index={index}
                top={start}
                tabStop={keys.at.row === index ? keys.at.column : undefined}
                isTwice={twice.has(entry.entryId)}
                result={answer?.resultOf(entry.entryId)}
                isChecked={checked.has(entry.id)}
                onCheck={(isOn) => onCheck(entry.id, isOn)}
                onFocus={(column) => {
                  keys.onFocus({ row: index, column });
                  if (CELLS[column] === 'event') setLooked(entry.id);
                }}
              />
            );
          })}
        </div>
      </div>
      <p id="bulk-grid-keys" className={css.keys}>
        {BULK.keys}
      </p>
      {shown !== undefined && (
        <div ref={side}>
          <EventEditor entry={shown} n={place + 1} />
        </div>
      )}
    </>
  );
}

function HeadRow(): ReactElement {
  const { columns } = BULK;
  return (
    <div role="rowgroup" className={css.head}>
      <div role="row" style={{ display: 'contents' }}>
        <span role="columnheader">
          <span className="visually-hidden">{BULK.checkAll}</span>
        </span>
        <span role="columnheader">{columns.entryId}</span>
        <span role="columnheader">{columns.contentType}</span>
        <span role="columnheader">{columns.event}</span>
        <span role="columnheader" className={css.number}>
          {columns.size}
        </span>
        <span role="columnheader">{columns.result}</span>
      </div>
    </div>
  );
}

/** The event of the row that was looked at last, in an editor of its own. */
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
