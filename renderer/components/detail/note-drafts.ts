/** Notes that were typed and not saved, by message: a person who opens another message or tab finds them again. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { MessageDetail } from '../../../core/contract/message.ts';
import { useConsole } from '../../state/context.ts';
import { useSelected } from '../../state/store.ts';

export interface NoteFieldTexts {
  readonly note: string;
  /** Words, separated by commas. */
  readonly tags: string;
}

/** The fields that were typed into. The others show what is saved. */
export type NoteDraft = Partial<NoteFieldTexts>;

export type Noted = Pick<MessageDetail, 'messageId' | 'note' | 'tags'>;

/** The drafts of one window. */
export interface NoteDrafts {
  readonly store: StoreApi<ReadonlyMap<string, NoteDraft>>;
  /** The draft of a message becomes another one; undefined: there is none. */
  put(messageId: string, draft: NoteDraft | undefined): void;
  /** Forgets what was saved. Text that was typed since stays. */
  saved(messageId: string, sent: NoteFieldTexts): void;
}

/** Makes the store of drafts. */
export function createNoteDrafts(): NoteDrafts {
  const store = createStore<ReadonlyMap<string, NoteDraft>>(() => new Map());

  function put(messageId: string, draft: NoteDraft | undefined): void {
    const next = new Map(store.getState());
    if (draft === undefined || Object.keys(draft).length === 0) next.delete(messageId);
    else next.set(messageId, draft);
    store.setState(next, true);
  }

  return {
    store,
    put,
    saved(messageId, sent) {
      const { note, tags } = store.getState().get(messageId) ?? {};
      put(messageId, {
        ...(note !== undefined && note !== sent.note && { note }),
        ...(tags !== undefined && tags !== sent.tags && { tags }),
      });
    },
  };
}

/** Drafts of each window. */
const ofWindows = new WeakMap<object, NoteDrafts>();

function draftsOf(owner: object): NoteDrafts {
  const known = ofWindows.get(owner) ?? createNoteDrafts();
  ofWindows.set(owner, known);
  return known;
}

/** The fields as they are saved. */
function savedNote({ note = '', tags = [] }: Noted): NoteFieldTexts {
  return { note, tags: tags.join(', ') };
}

/** The words of the field, without empty ones. */
export function tagsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
}

/** The note and tags of a message while they are edited, the same wherever they are shown. Untouched fields follow what is saved elsewhere. */
export function useNoteDraft(message: Noted): {
  readonly draft: NoteFieldTexts;
  readonly isChanged: boolean;
  readonly edit: (change: NoteDraft) => void;
  /** What was typed and not saved. */
  readonly typed: NoteDraft | undefined;
  /** Puts back what was typed earlier; undefined: the saved fields. */
  readonly putBack: (typed: NoteDraft | undefined) => void;
  /** Whether something is typed at this moment that is not saved. */
  readonly isTyped: () => boolean;
  /** Forgets what was saved. */
  readonly forget: (sent: NoteFieldTexts) => void;
} {
  const { store, put, saved: forget } = draftsOf(useConsole().payloads);
  const { messageId } = message;
  const typed = useSelected(store, (drafts) => drafts.get(messageId));
  const saved = savedNote(message);
  const draft = { ...saved, ...typed };
  return {
    draft,
    isChanged: draft.note !== saved.note || tagsOf(draft.tags).join() !== tagsOf(saved.tags).join(),
    typed,
    edit: (change) => put(messageId, { ...store.getState().get(messageId), ...change }),
    putBack: (earlier) => put(messageId, earlier),
    isTyped: () => store.getState().has(messageId),
    forget: (sent) => forget(messageId, sent),
  };
}
