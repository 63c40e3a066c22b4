/** Adds pasted entries. */
import { useState, type ReactElement } from 'react';
import { Button } from '../../components/Button.tsx';
import { TextArea } from '../../components/Fields.tsx';
import { Overlay } from '../../components/Overlay.tsx';
import { CONFIRM } from '../../copy/acts.ts';
import { BULK } from '../../copy/publish.ts';

export interface PasteDialogProps {
  /**
   * Reads the text.
   * @returns whether it is valid
   */
  readonly onText: (text: string) => Promise<boolean>;
  readonly onClose: () => void;
}

/** A dialog with one large field. */
export function PasteDialog({ onText, onClose }: PasteDialogProps): ReactElement {
  const [text, setText] = useState('');
  const [pending, setPending] = useState(false);

  async function add(): Promise<void> {
    setPending(true);
    const isRead = await onText(text);
    setPending(false);
    if (isRead) onClose();
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
      <TextArea label={BULK.pasteLabel} hint={BULK.pasteHint} rows={16} value={text} onChange={setText} />
    </Overlay>
  );
}
