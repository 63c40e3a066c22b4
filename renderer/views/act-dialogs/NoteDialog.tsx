/** The note of a message in a dialog, for the row menu. */
import type { ReactElement } from 'react';
import { Overlay } from '../../components/Overlay.tsx';
import { Loading } from '../../components/States.tsx';
import { EDIT, NOTE } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { useConsole } from '../../state/context.ts';
import { titleOf } from '../../components/detail/DetailHead.tsx';
import { NotesTab } from '../../components/detail/NotesTab.tsx';
import { useMessage } from './use-message.ts';

/** Loads the message for its present note. */
export function NoteDialog({ messageId }: { readonly messageId: string }): ReactElement {
  const { commands } = useConsole();
  const { message } = useMessage(messageId);
  if (message === undefined) {
    return (
      <Overlay title={NOTE.title} onClose={commands.close}>
        <Loading text={DETAIL.loading} rows={3} />
      </Overlay>
    );
  }
  // The loaded form is a new overlay, so that its first field gets the focus.
  return (
    <Overlay
      key="note"
      title={fill(EDIT.titleOf, { title: NOTE.title, of: titleOf(message) })}
      onClose={commands.close}
    >
      <NotesTab message={message} onSaved={commands.close} />
    </Overlay>
  );
}
