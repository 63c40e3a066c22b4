/** Adds pasted entries. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { TextArea } from '../../components/Fields.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { CONFIRM } from '../../copy/acts.ts';
import { BULK } from '../../copy/publish.ts';
import type { Taken } from './use-entry-file.ts';

export interface PasteDialogProps {
  /** Reads the text and takes its entries. */
  readonly onText: (text: string) => Promise<Taken>;
  readonly onClose: () => void;
}

/** A dialog with one large field. */
export function PasteDialog({ onText, onClose }: PasteDialogProps): ReactElement {
  const [text, setText] = useState('');
  const [pending, setPending] = useState(false);
  const [mistake, setMistake] = useState<string>();

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
      foot={
        <>
          <Button onClick={onClose}>{CONFIRM.cancel}</Button>
          <Button kind="primary" pending={pending} onClick={() => void add()}>
            {BULK.pasteRun}
          </Button>
        </>
      }
    >
      <TextArea
        label={BULK.pasteLabel}
        hint={BULK.pasteHint}
        error={mistake}
        rows={16}
        value={text}
        onChange={(next) => {
          setMistake(undefined);
          setText(next);
        }}
      />
    </Overlay>
  );
}
