/** The entries of a bulk publish, each in a row that can be edited, with what became of it. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { Trash2 } from 'lucide-react';
import { useRef, type ReactElement } from 'react';
import { IconButton } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import { fill } from '../../copy/fill.ts';
import { BULK } from '../../copy/publish.ts';
import { isBadJson } from '../../format/entries.ts';
import { size } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import type { EntryDraft } from '../../state/publish-drafts.ts';
import css from './BulkForm.module.css';
import type { BulkAnswer } from './use-bulk-publish.ts';

const ROW_PX = 36;

export interface BulkGridProps {
  readonly entries: readonly EntryDraft[];
  readonly twice: ReadonlySet<string>;
  readonly answer: BulkAnswer | undefined;
}

/** Rows are drawn only where they are seen: there may be ten thousand. */
export function BulkGrid({ entries, twice, answer }: BulkGridProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => host.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  const { columns } = BULK;
  return (
    <div ref={host} role="grid" aria-label={BULK.grid} aria-rowcount={entries.length} className={css.grid}>
      <div role="rowgroup" className={css.head}>
        <div role="row" style={{ display: 'contents' }}>
          <span role="columnheader">{columns.entryId}</span>
          <span role="columnheader">{columns.contentType}</span>
          <span role="columnheader">{columns.event}</span>
          <span role="columnheader" className={css.number}>
            {columns.size}
          </span>
          <span role="columnheader">{columns.result}</span>
        </div>
      </div>
      <div role="rowgroup" className={css.rows} style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const entry = entries[index];
          if (entry === undefined) return null;
          return (
            <Row
              key={entry.id}
              entry={entry}
              index={index}
              top={start}
              isTwice={twice.has(entry.entryId)}
              result={answer?.resultOf(entry.entryId)}
            />
          );
        })}
      </div>
    </div>
  );
}

interface RowProps {
  readonly entry: EntryDraft;
  readonly index: number;
  readonly top: number;
  readonly isTwice: boolean;
  readonly result: { readonly ok: boolean; readonly text: string } | undefined;
}

function Row({ entry, index, top, isTwice, result }: RowProps): ReactElement {
  const { drafts } = useConsole();
  const n = index + 1;
  return (
    <div role="row" aria-rowindex={n} className={css.row} style={{ transform: `translateY(${top}px)` }}>
      <span role="gridcell">
        <input
          className={css.cell}
          aria-label={fill(BULK.entryIdOf, { n })}
          aria-invalid={isTwice || entry.entryId === '' || undefined}
          title={isTwice ? BULK.twiceMark : undefined}
          autoComplete="off"
          value={entry.entryId}
          onChange={(event) => drafts.editEntry(entry.id, { entryId: event.target.value })}
        />
      </span>
      <span role="gridcell">
        <input
          className={css.cell}
          aria-label={fill(BULK.contentTypeOf, { n })}
          autoComplete="off"
          value={entry.contentType}
          onChange={(event) => drafts.editEntry(entry.id, { contentType: event.target.value })}
        />
      </span>
      <span role="gridcell">
        <input
          className={css.cell}
          aria-label={fill(BULK.eventOf, { n })}
          aria-invalid={isBadJson(entry) || undefined}
          autoComplete="off"
          spellCheck={false}
          value={entry.event}
          onChange={(event) => drafts.editEntry(entry.id, { event: event.target.value })}
        />
      </span>
      <span role="gridcell" className={css.number}>
        {size(new TextEncoder().encode(entry.event).length)}
      </span>
      <span
        role="gridcell"
        title={result?.text}
        className={cx(css.result, result !== undefined && (result.ok ? css.resultGood : css.resultBad))}
      >
        {result === undefined ? '' : `${result.ok ? '✓' : '✗'} ${result.text}`}
      </span>
      <span role="gridcell">
        <IconButton
          icon={Trash2}
          label={fill(BULK.removeRow, { n })}
          onClick={() =>
            drafts.editBulk({
              entries: drafts.store.getState().bulk.entries.filter(({ id }) => id !== entry.id),
            })
          }
        />
      </span>
    </div>
  );
}
