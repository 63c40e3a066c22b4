/** Note and tags of a message. */
import type { ReactElement } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { Button } from '../Button.tsx';
import { TextArea, TextField } from '../Fields.tsx';
import { ACT_DONE, ACT_WHY } from '../../copy/acts.ts';
import { NOTES } from '../../copy/detail.ts';
import type { TakesFailure } from '../../state/acting.ts';
import { useAway, useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import { tagsOf, useNoteDraft, type NoteDraft, type NoteFieldTexts } from './note-drafts.ts';
import css from './NotesTab.module.css';

export interface NotesTabProps {
  readonly message: Pick<MessageDetail, 'messageId' | 'note' | 'tags' | 'pinned'>;
  /** Why nothing can be saved, because the host no longer has the message. */
  readonly gone?: string | undefined;
}

export interface NoteEditing {
  readonly draft: NoteFieldTexts;
  readonly isChanged: boolean;
  readonly edit: (change: NoteDraft) => void;
  /** What was typed and not saved. */
  readonly typed: NoteDraft | undefined;
  /** Puts back what was typed earlier; undefined: the saved fields. */
  readonly putBack: (typed: NoteDraft | undefined) => void;
  /** Whether something is typed at this moment that is not saved. */
  readonly isTyped: () => boolean;
  /** Saves the fields. False: it was refused. */
  readonly save: (refused?: TakesFailure) => Promise<boolean>;
}

/** The fields of one message, and saving them. */
export function useNote(message: NotesTabProps['message']): NoteEditing {
  const { acting, call, detail } = useConsole();
  const { forget, ...fields } = useNoteDraft(message);
  const { draft } = fields;
  const { messageId } = message;
  return {
    ...fields,
    async save(refused) {
      const work = async (): Promise<string> => {
        const saved = { note: draft.note, tags: tagsOf(draft.tags) };
        await call('messages.update', { messageId, ...saved });
        // The message has the note before its draft is forgotten, so that the fields never show the old one.
        detail.noted(messageId, saved);
        forget(draft);
        detail.refresh();
        return ACT_DONE.noteSaved;
      };
      return acting.run('note', work, refused);
    },
  };
}

/** The two fields. */
export function NoteFields({
  message,
  editing: { draft, edit },
}: Pick<NotesTabProps, 'message'> & { readonly editing: NoteEditing }): ReactElement {
  return (
    <>
      <TextArea
        label={NOTES.label}
        hint={NOTES.hint}
        value={draft.note}
        onChange={(note) => edit({ note })}
        rows={5}
      />
      <TextField
        label={NOTES.tags}
        hint={NOTES.tagsHint}
        value={draft.tags}
        onChange={(tags) => edit({ tags })}
      />
      {message.pinned === true && <p className={css.muted}>{NOTES.pinned}</p>}
    </>
  );
}

/** The fields with their buttons. */
export function NotesTab({ message, gone }: NotesTabProps): ReactElement {
  const { commands } = useConsole();
  const away = useAway(ACT_WHY.away);
  const editing = useNote(message);
  const pending = useSelected(commands.store, (state) => state.pending.has('note'));
  return (
    <div className={css.tab}>
      <NoteFields message={message} editing={editing} />
      <div className={css.ends}>
        {/* The emphasised button of the panel is the act in its head. */}
        <Button off={away ?? gone} pending={pending} onClick={() => void editing.save()}>
          {NOTES.save}
        </Button>
        {editing.isChanged && (
          <>
            <Button onClick={() => editing.putBack(undefined)}>{NOTES.discard}</Button>
            <span className={css.muted}>{NOTES.notSaved}</span>
          </>
        )}
      </div>
    </div>
  );
}
