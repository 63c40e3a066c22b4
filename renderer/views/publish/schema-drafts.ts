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

/** The schema that a draft replaces: one that was removed meanwhile, or that another topic has, is not replaced. */
export function replacedBy(
  { schemaId }: SchemaDraft,
  boundToTopic: readonly { readonly schemaId: string }[],
): string | undefined {
  return boundToTopic.find((each) => each.schemaId === schemaId)?.schemaId;
}

/**
 * The schema that is being edited in the present tab, a function that keeps a typed draft (undefined forgets it),
 * and one that shows a draft until the person leaves: what was only looked at is not kept.
 */
export function useSchemaDraft(): readonly [
  SchemaDraft,
  (draft: SchemaDraft | undefined) => void,
  (draft: SchemaDraft) => void,
] {
  const { drafts } = useConsole();
  const { tab } = drafts.store.getState();
  const kept = schemaDraftsOf(drafts);
  const [edited, setEdited] = useState(() => kept.of(tab));
  return [edited, (draft) => setEdited(kept.keep(tab, draft)), setEdited];
}
