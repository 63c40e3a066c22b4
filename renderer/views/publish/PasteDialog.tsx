/** Adds pasted entries. */
import { useId, useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { CodeBox } from '../../components/CodeBox.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { Problem } from '../../components/RefusedForm.tsx';
import { BULK } from '../../copy/publish.ts';
import css from './BulkForm.module.css';
import type { Taken } from './use-entry-file.ts';

export interface PasteDialogProps {
  /** Reads the text and takes its entries. */
  readonly onText: (text: string) => Promise<Taken>;
  readonly onClose: () => void;
}

/** A dialog with one large field: an editor, because a text area holds the page for a second where megabytes are pasted. */
export function PasteDialog({ onText, onClose }: PasteDialogProps): ReactElement {
  const [text, setText] = useState('');
  const [pending, setPending] = useState(false);
  const [mistake, setMistake] = useState<string>();
  const isFilled = useDiffers({ text });
  const id = useId();

  async function add(): Promise<void> {
    setPending(true);
    const taken = await onText(text);
    setPending(false);
    if (taken.isTaken) onClose();
    else setMistake(taken.mistake);
  }

  return (
    <Overlay
      title={BULK.pasteTitle}
      wide
      onClose={onClose}
      isFilled={isFilled}
      foot={
        <>
          <CancelButton />
          <Button kind="primary" pending={pending} onClick={() => void add()}>
            {BULK.pasteRun}
          </Button>
        </>
      }
    >
      <p id={`${id}-hint`} className={css.facts}>
        {BULK.pasteHint}
      </p>
      <CodeBox
        label={BULK.pasteLabel}
        value={text}
        language="text"
        readOnly={false}
        takesFocus
        wrap
        invalid={mistake !== undefined}
        describedBy={mistake === undefined ? `${id}-hint` : `${id}-mistake ${id}-hint`}
        className={css.pasted}
        onChange={(next) => {
          setMistake(undefined);
          setText(next);
        }}
      />
      <Problem id={`${id}-mistake`} text={mistake} />
    </Overlay>
  );
}
