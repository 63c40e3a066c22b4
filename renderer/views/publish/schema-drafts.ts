/** Schemas that were typed and are not bound yet, by tab of the form: a person who comes back finds them again. */
import { useState } from 'react';
import { useConsole } from '../../state/context.ts';

export interface SchemaDraft {
  readonly schemaId: string | undefined;
  readonly name: string;
  readonly eventType: string;
  readonly text: string;
}

const EMPTY: SchemaDraft = { schemaId: undefined, name: '', eventType: '', text: '{\n  "type": "object"\n}' };

/** Drafts of each window, by tab. */
const left = new WeakMap<object, Map<number, SchemaDraft>>();

/** The drafts of a window. */
export function schemaDraftsOf(owner: object): {
  readonly of: (tab: number) => SchemaDraft;
  /** Keeps a draft; undefined forgets it. */
  readonly keep: (tab: number, draft: SchemaDraft | undefined) => SchemaDraft;
} {
  const drafts = left.get(owner) ?? new Map<number, SchemaDraft>();
  left.set(owner, drafts);
  return {
    of: (tab) => drafts.get(tab) ?? EMPTY,
    keep(tab, draft) {
      if (draft === undefined) drafts.delete(tab);
      else drafts.set(tab, draft);
      return draft ?? EMPTY;
    },
  };
}

/** The schema that is being edited in the present tab, and a function that changes it; undefined forgets it. */
export function useSchemaDraft(): readonly [SchemaDraft, (draft: SchemaDraft | undefined) => void] {
  const { drafts } = useConsole();
  const { tab } = drafts.store.getState();
  const kept = schemaDraftsOf(drafts);
  const [edited, setEdited] = useState(() => kept.of(tab));
  return [edited, (draft) => setEdited(kept.keep(tab, draft))];
}
