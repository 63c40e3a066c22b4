/** The entries of a bulk publish, each in a row that can be edited, with what became of it. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { Trash2 } from 'lucide-react';
import { useRef, useState, type ReactElement } from 'react';
import { IconButton } from '../../components/Button.tsx';
import { CodeBox } from '../../components/CodeBox.tsx';
import { Tick } from '../../components/Fields.tsx';
import { cx } from '../../components/class-names.ts';
import { fill } from '../../copy/fill.ts';
import { BULK } from '../../copy/publish.ts';
import { entryBytes, isBadJson } from '../../format/entries.ts';
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
  readonly checked: ReadonlySet<number>;
  readonly onCheck: (id: number, isOn: boolean) => void;
}

/** Rows are drawn only where they are seen: there may be ten thousand. */
export function BulkGrid({ entries, twice, answer, checked, onCheck }: BulkGridProps): ReactElement {
  const host = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => host.current,
    estimateSize: () => ROW_PX,
    overscan: 6,
  });
  const { columns } = BULK;
  const { drafts } = useConsole();
  /** The row whose event stands in the editor under the grid. */
  const [looked, setLooked] = useState<number>();
  const place = entries.findIndex(({ id }) => id === looked);
  const shown = entries[place];
  return (
    <>
      <div ref={host} role="grid" aria-label={BULK.grid} aria-rowcount={entries.length} className={css.grid}>
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
                isChecked={checked.has(entry.id)}
                onCheck={(isOn) => onCheck(entry.id, isOn)}
                onLook={() => setLooked(entry.id)}
              />
            );
          })}
        </div>
      </div>
      {shown !== undefined && (
        <CodeBox
          label={fill(BULK.eventEditor, { n: place + 1 })}
          value={shown.event}
          language={/json/i.test(shown.contentType) ? 'json' : 'text'}
          readOnly={false}
          invalid={isBadJson(shown)}
          wrap
          className={css.editor}
          onChange={(event) => drafts.editEntry(shown.id, { event })}
        />
      )}
    </>
  );
}

interface RowProps {
  readonly entry: EntryDraft;
  readonly index: number;
  readonly top: number;
  readonly isTwice: boolean;
  readonly isChecked: boolean;
  readonly onCheck: (isOn: boolean) => void;
  readonly onLook: () => void;
  readonly result: { readonly ok: boolean; readonly text: string } | undefined;
}

function Row({ entry, index, top, isTwice, result, isChecked, onCheck, onLook }: RowProps): ReactElement {
  const { drafts } = useConsole();
  const n = index + 1;
  return (
    <div role="row" aria-rowindex={n} className={css.row} style={{ transform: `translateY(${top}px)` }}>
      <span role="gridcell">
        <Tick bare label={fill(BULK.checkRow, { n })} checked={isChecked} onChange={onCheck} />
      </span>
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
          onFocus={onLook}
          value={entry.event}
          onChange={(event) => drafts.editEntry(entry.id, { event: event.target.value })}
        />
      </span>
      <span role="gridcell" className={css.number}>
        {size(entryBytes(entry))}
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
