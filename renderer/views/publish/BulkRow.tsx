/** One entry of a bulk publish as a row of fields. */
import { Trash2 } from 'lucide-react';
import type { ReactElement } from 'react';
import { IconButton } from '../../components/Button.tsx';
import { cx } from '../../components/class-names.ts';
import { GridRow } from '../../components/grid/Grid.tsx';
import { fill } from '../../copy/fill.ts';
import { BULK, PUBLISH } from '../../copy/publish.ts';
import { entryBytes, isBadJson, missingAttributes } from '../../format/entries.ts';
import { size } from '../../format/quantity.ts';
import { useConsole } from '../../state/context.ts';
import type { EntryDraft } from '../../state/publish-drafts.ts';
import css from './BulkForm.module.css';
import type { EntryResult } from './use-bulk-publish.ts';

/** Cells that the keyboard reaches, in order. */
export const CELLS = ['check', 'entryId', 'contentType', 'event', 'remove'] as const;

/**
 * Element id of a cell.
 * @param id number of the entry's draft
 */
export function cellId(id: number | undefined, column: number): string {
  return `bulk-${String(id)}-${CELLS[column] ?? ''}`;
}

export interface BulkRowProps {
  readonly entry: EntryDraft;
  readonly index: number;
  readonly top: number | undefined;
  /** The cell that Tab reaches; undefined: none of this row. */
  readonly tabStop: number | undefined;
  readonly isTwice: boolean;
  readonly isChecked: boolean;
  readonly onCheck: (isOn: boolean) => void;
  readonly onFocus: (column: number) => void;
  readonly result: EntryResult | undefined;
}

/** Mistake or oddity of an entry. */
function mistakeOf(entry: EntryDraft, isTwice: boolean): string | undefined {
  if (entry.entryId === '') return BULK.noIdMark;
  if (isTwice) return BULK.twiceMark;
  if (isBadJson(entry)) return BULK.notJsonMark;
  const missing = missingAttributes(entry);
  return missing.length === 0 ? undefined : fill(PUBLISH.missing, { names: missing.join(', ') });
}

/** Five cells to edit, the size, and the result. */
export function BulkRow(props: BulkRowProps): ReactElement {
  const { entry, index, top, tabStop, isTwice, result, isChecked, onCheck, onFocus } = props;
  const { drafts } = useConsole();
  const n = index + 1;
  const shared = (column: number): { id: string; tabIndex: number; onFocus: () => void } => ({
    id: cellId(entry.id, column),
    tabIndex: tabStop === column ? 0 : -1,
    onFocus: () => onFocus(column),
  });
  return (
    <GridRow index={index} top={top} isSelected="none" className={css.row}>
      <span role="gridcell">
        <input
          {...shared(0)}
          type="checkbox"
          className={css.check}
          aria-label={fill(BULK.checkRow, { n })}
          checked={isChecked}
          onChange={(event) => onCheck(event.target.checked)}
        />
      </span>
      <span role="gridcell">
        <input
          {...shared(1)}
          className={css.cell}
          aria-label={fill(BULK.entryIdOf, { n })}
          aria-invalid={isTwice || entry.entryId === '' || undefined}
          autoComplete="off"
          value={entry.entryId}
          onChange={(event) => drafts.editEntry(entry.id, { entryId: event.target.value })}
        />
      </span>
      <span role="gridcell">
        <input
          {...shared(2)}
          className={css.cell}
          aria-label={fill(BULK.contentTypeOf, { n })}
          autoComplete="off"
          value={entry.contentType}
          onChange={(event) => drafts.editEntry(entry.id, { contentType: event.target.value })}
        />
      </span>
      <span role="gridcell">
        <input
          {...shared(3)}
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
        {size(entryBytes(entry))}
      </span>
      <ResultCell result={result} mistake={mistakeOf(entry, isTwice)} />
      <span role="gridcell">
        <IconButton
          {...shared(4)}
          steps
          icon={Trash2}
          label={fill(BULK.removeRow, { n })}
          onClick={() =>
            drafts.editBulk({
              entries: drafts.store.getState().bulk.entries.filter(({ id }) => id !== entry.id),
            })
          }
        />
      </span>
    </GridRow>
  );
}

interface ResultCellProps {
  readonly result: EntryResult | undefined;
  readonly mistake: string | undefined;
}

/** Result of the entry; before it is published, its oddities. */
function ResultCell({ result, mistake }: ResultCellProps): ReactElement {
  return (
    <span
      role="gridcell"
      title={result?.text ?? mistake}
      className={cx(
        css.result,
        result === undefined ? css.resultOdd : result.ok ? css.resultGood : css.resultBad,
      )}
    >
      {result === undefined
        ? mistake === undefined
          ? ''
          : `⚠ ${mistake}`
        : `${result.ok ? '✓' : '✗'} ${result.text}`}
    </span>
  );
}
