/** Notes that were typed and not saved, by message: a person who opens another message or tab finds them again. */
import { useState } from 'react';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { useConsole } from '../../state/context.ts';

export interface NoteDraft {
  readonly note: string;
  /** Words, separated by commas. */
  readonly tags: string;
}

export type Noted = Pick<MessageDetail, 'messageId' | 'note' | 'tags'>;

/** Drafts of each window, by message. */
const left = new WeakMap<object, Map<string, NoteDraft>>();

function draftsOf(owner: object): Map<string, NoteDraft> {
  const known = left.get(owner) ?? new Map<string, NoteDraft>();
  left.set(owner, known);
  return known;
}

/** The fields as they are saved. */
function savedNote({ note = '', tags = [] }: Noted): NoteDraft {
  return { note, tags: tags.join(', ') };
}

/** The words of the field, without empty ones. */
export function tagsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** The note and tags of a message while they are edited. Untouched fields follow what is saved elsewhere. */
export function useNoteDraft(message: Noted): {
  readonly draft: NoteDraft;
  readonly isChanged: boolean;
  readonly edit: (change: Partial<NoteDraft>) => void;
  /** Takes the saved fields again. */
  readonly discard: () => void;
  /** Forgets the draft because it is saved. */
  readonly forget: () => void;
} {
  const drafts = draftsOf(useConsole().payloads);
  const { messageId } = message;
  const saved = savedNote(message);
  const [own, setOwn] = useState(() => drafts.get(messageId));
  const draft = own ?? saved;
  return {
    draft,
    isChanged: draft.note !== saved.note || tagsOf(draft.tags).join() !== tagsOf(saved.tags).join(),
    edit(change) {
      const next = { ...draft, ...change };
      drafts.set(messageId, next);
      setOwn(next);
    },
    discard() {
      drafts.delete(messageId);
      setOwn(undefined);
    },
    forget: () => void drafts.delete(messageId),
  };
}
