/** Note and tags of a message. */
import { useState, type ReactElement } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { Button } from '../Button.tsx';
import { TextArea, TextField } from '../Fields.tsx';
import { cx } from '../class-names.ts';
import { ACT_DONE } from '../../copy/acts.ts';
import { NOTES } from '../../copy/detail.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';
import css from './NotesTab.module.css';

export interface NotesTabProps {
  readonly message: Pick<MessageDetail, 'messageId' | 'note' | 'tags' | 'pinned'>;
  /** Called when it is saved; given only in a dialog, which has its own margin and then closes. */
  readonly onSaved?: () => void;
}

/** A form with two fields. */
export function NotesTab({ message, onSaved }: NotesTabProps): ReactElement {
  const console = useConsole();
  const [note, setNote] = useState(message.note ?? '');
  const [tags, setTags] = useState((message.tags ?? []).join(', '));
  const pending = useSelected(console.commands.store, (state) => state.pending.has('note'));

  async function save(): Promise<void> {
    const isSaved = await console.acting.run('note', async () => {
      await console.call('messages.update', {
        messageId: message.messageId,
        note,
        tags: tags
          .split(',')
          .map((tag) => tag.trim())
          .filter((tag) => tag !== ''),
      });
      return ACT_DONE.noteSaved;
    });
    if (isSaved) onSaved?.();
  }

  return (
    <div className={cx(css.tab, onSaved !== undefined && css.inDialog)}>
      <TextArea label={NOTES.label} hint={NOTES.hint} value={note} onChange={setNote} rows={5} />
      <TextField label={NOTES.tags} hint={NOTES.tagsHint} value={tags} onChange={setTags} />
      {message.pinned === true && <p className={css.muted}>{NOTES.pinned}</p>}
      <Button kind="primary" pending={pending} onClick={() => void save()}>
        {NOTES.save}
      </Button>
    </div>
  );
}
