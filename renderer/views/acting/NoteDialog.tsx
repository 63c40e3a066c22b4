/** The note of a message in a dialog, for the row menu. */
import type { ReactElement } from 'react';
import { Overlay } from '../../components/Overlay.tsx';
import { Loading } from '../../components/States.tsx';
import { NOTE } from '../../copy/acts.ts';
import { DETAIL } from '../../copy/detail.ts';
import { useConsole } from '../../state/context.ts';
import { NotesTab } from '../../parts/detail/NotesTab.tsx';
import { useMessage } from './use-message.ts';

/** Loads the message for its present note. */
export function NoteDialog({ messageId }: { readonly messageId: string }): ReactElement {
  const { commands } = useConsole();
  const { message } = useMessage(messageId);
  return (
    <Overlay title={NOTE.title} onClose={commands.close}>
      {message === undefined ? <Loading text={DETAIL.loading} rows={3} /> : <NotesTab message={message} />}
    </Overlay>
  );
}
