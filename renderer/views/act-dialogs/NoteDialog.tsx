/** The note of a message in a dialog, for the row menu. */
import { useState, type ReactElement } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { Button } from '../../components/Button.tsx';
import { CancelButton } from '../../components/CancelButton.tsx';
import { useDiffers } from '../../components/use-differs.ts';
import { Overlay } from '../../components/Overlay.tsx';
import { closerOfThis } from '../../components/own-dialog.ts';
import { useRefused } from '../../components/use-refused.ts';
import { ACT_WHY, EDIT, NOTE } from '../../copy/acts.ts';
import { NOTES } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { titleOf } from '../../format/message-title.ts';
import { tagsOf } from '../../components/detail/note-drafts.ts';
import { NoteFields, useNote } from '../../components/detail/NotesTab.tsx';
import page from '../page.module.css';
import { MessageLoading } from './MessageLoading.tsx';
import { useMessage } from './use-message.ts';

/** Loads the message for its present note. */
export function NoteDialog({ messageId }: { readonly messageId: string }): ReactElement {
  const { commands } = useConsole();
  const { message, failure, reading } = useMessage(messageId);
  if (message === undefined) {
    return (
      <Overlay title={NOTE.title} onClose={commands.close}>
        <MessageLoading failure={failure} reading={reading} />
      </Overlay>
    );
  }
  // The loaded form is a new overlay, so that its first field gets the focus.
  return <Form key="note" message={message} />;
}

function Form({ message }: { readonly message: MessageDetail }): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const [saved, setSaved] = useState(message);
  const editing = useNote(saved);
  const isFilled = useDiffers(editing.draft);
  const [typedBefore, setTypedBefore] = useState(editing.typed);
  const refused = useRefused();

  async function save(): Promise<void> {
    const close = closerOfThis(commands);
    const { note, tags } = editing.draft;
    if (!(await refused.once(() => editing.save(refused.take)))) return;
    if (!editing.isTyped()) close();
    // What was typed before the host answered stays, over what is saved now.
    setSaved({ ...saved, note, tags: tagsOf(tags) });
    setTypedBefore(undefined);
  }

  /** Discards what was typed in the dialog. What was typed in the panel of the message before stays there. */
  function close(): void {
    editing.putBack(typedBefore);
    commands.close();
  }

  return (
    <Overlay
      title={fill(EDIT.titleOf, { title: NOTE.title, of: titleOf(message) })}
      onClose={close}
      isFilled={isFilled}
      problem={refused.problem}
      onEdit={refused.clear}
      foot={
        <>
          <CancelButton />
          <Button kind="primary" off={away} pending={refused.pending} onClick={() => void save()}>
            {NOTES.save}
          </Button>
        </>
      }
    >
      <div className={page.stack}>
        <NoteFields message={message} editing={editing} />
      </div>
    </Overlay>
  );
}
