/** Choice of the columns for id, content type and event, with the first rows of the table. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { Choice } from '../../components/Choice.tsx';
import { DataTable } from '../../components/DataTable.tsx';
import { Field } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { fill } from '../../copy/fill.ts';
import { BULK, BULK_FILE } from '../../copy/publish.ts';
import { entriesOfTable, guessMapping, type ColumnMapping } from '../../format/entries-table.ts';
import { count } from '../../format/quantity.ts';
import bulk from './BulkForm.module.css';
import css from './SingleForm.module.css';
import type { Table } from './use-entry-file.ts';

export interface MappingDialogProps {
  readonly table: Table;
  readonly onTake: (mapping: ColumnMapping) => void;
  /** True while the entries are being made. */
  readonly isTaking: boolean;
  readonly onClose: () => void;
}

const PARTS = ['entryId', 'contentType', 'event'] as const;

/** Three choices and a preview of twenty rows. */
export function MappingDialog({ table, onTake, isTaking, onClose }: MappingDialogProps): ReactElement {
  const { columns, rows, count: rowCount } = table;
  const [mapping, setMapping] = useState<ColumnMapping>(() => guessMapping(columns));
  const isFilled = useDiffers(mapping);
  const preview = entriesOfTable(columns, rows, mapping);
  const named = columns.map((column, index) => ({
    value: String(index),
    title: column === '' ? fill(BULK_FILE.column, { n: index + 1 }) : column,
  }));
  const none = { entryId: BULK_FILE.numbered, contentType: BULK_FILE.byContent, event: BULK_FILE.wholeRow };
  return (
    <Overlay
      title={BULK_FILE.mapTitle}
      wide
      onClose={onClose}
      isFilled={isFilled}
      foot={
        <>
          <CancelButton />
          <Button
            kind="primary"
            pending={isTaking}
            off={rowCount === 0 ? BULK_FILE.noRows : undefined}
            onClick={() => onTake(mapping)}
          >
            {fill(BULK_FILE.addRows, { n: count(rowCount) })}
          </Button>
        </>
      }
    >
      <div className={css.actions}>
        {PARTS.map((part) => (
          <Field key={part} label={BULK.columns[part]}>
            {({ id }) => (
              <Choice
                id={id}
                label={BULK.columns[part]}
                value={String(mapping[part])}
                options={[{ value: '-1', title: none[part] }, ...named]}
                onChange={(value) => setMapping({ ...mapping, [part]: Number(value) })}
              />
            )}
          </Field>
        ))}
      </div>
      <DataTable
        dense
        label={BULK_FILE.preview}
        columns={[BULK.columns.entryId, BULK.columns.contentType, BULK.columns.event]}
        rows={preview.map(({ entryId, contentType, event }, index) => ({
          id: String(index),
          cells: [
            entryId === '' ? String(index + 1) : entryId,
            contentType,
            <span key="event" className={bulk.event}>
              {event}
            </span>,
          ],
        }))}
      />
    </Overlay>
  );
}
