/** Generates many entries from one text. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { TextArea, TextField } from '../../components/Fields.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { fill } from '../../copy/fill.ts';
import { BULK_FILE, CONTENT_TYPES } from '../../copy/publish.ts';
import { MAX_ENTRIES, type ReadEntry } from '../../format/entries.ts';
import css from './BulkForm.module.css';

export interface GenerateDialogProps {
  readonly onEntries: (entries: readonly ReadEntry[]) => void;
  readonly onClose: () => void;
}

/** Fields for number, type and text; `{n}` stands for the number of the entry. */
export function GenerateDialog({ onEntries, onClose }: GenerateDialogProps): ReactElement {
  const [amount, setAmount] = useState('10');
  const [contentType, setContentType] = useState('application/json');
  const [event, setEvent] = useState('{"orderId": {n}}');
  const isFilled = useDiffers({ amount, contentType, event });
  const n = Number(amount);
  const isGood = /^[1-9]\d*$/.test(amount) && n <= MAX_ENTRIES;
  return (
    <Overlay
      title={BULK_FILE.generateTitle}
      onClose={onClose}
      isFilled={isFilled}
      foot={
        <>
          <CancelButton />
          <Button
            kind="primary"
            off={isGood ? undefined : BULK_FILE.badAmount}
            onClick={() => {
              onClose();
              const numbers = Array.from({ length: n }, (_, index) => String(index + 1));
              onEntries(
                numbers.map((each) => ({ entryId: '', contentType, event: event.replaceAll('{n}', each) })),
              );
            }}
          >
            {fill(BULK_FILE.addRows, { n: isGood ? amount : '' })}
          </Button>
        </>
      }
    >
      <div className={css.fields}>
        <TextField
          label={BULK_FILE.amount}
          inputMode="numeric"
          value={amount}
          error={isGood ? undefined : BULK_FILE.badAmount}
          onChange={setAmount}
        />
        <TextField
          label={BULK_FILE.contentType}
          mono
          value={contentType}
          suggestions={CONTENT_TYPES}
          onChange={setContentType}
        />
        <TextArea
          label={BULK_FILE.event}
          hint={BULK_FILE.eventHint}
          rows={5}
          value={event}
          onChange={setEvent}
        />
      </div>
    </Overlay>
  );
}
