/** One setting while it is edited: its draft, saving it, and the host's refusal. */
import { useEffect, useRef, useState } from 'react';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { clause } from '../../../core/contract/error-text.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { fill } from '../../copy/fill.ts';
import { SETTINGS } from '../../copy/settings.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { textOf } from './setting-kinds.ts';

export interface Draft<D> {
  readonly draft: D;
  readonly set: (next: D) => void;
  readonly isChanged: boolean;
  readonly discard: () => void;
}

interface DraftState<D> {
  /** The value that the draft began with, as JSON. */
  readonly kept: string;
  readonly draft: D;
}

/** Drafts that were left without being saved, by key, for each console. */
const left = new WeakMap<object, Map<string, DraftState<unknown>>>();

function leftIn(console: object): Map<string, DraftState<unknown>> {
  const known = left.get(console) ?? new Map<string, DraftState<unknown>>();
  left.set(console, known);
  return known;
}

/**
 * The fields of a setting, which change when its value changes elsewhere or was saved. A person who goes to another screen finds them as
 * they were left.
 * @param read the value of the fields, by which "1000 ms" in place of "1 s" is no change
 */
export function useDraft<D>(
  { key, value }: SettingItem,
  write: (value: unknown) => D,
  read: (draft: D) => unknown = (draft) => draft,
): Draft<D> {
  const drafts = leftIn(useConsole().settings);
  const kept = JSON.stringify(value);
  const [state, setState] = useState(() => {
    // Each key has one form, so a draft under it has the shape of that form.
    const before = drafts.get(key) as DraftState<D> | undefined;
    if (before?.kept === kept) return before;
    drafts.delete(key);
    return { kept, draft: write(value) };
  });
  const present = state.kept === kept ? state : { kept, draft: write(value) };
  if (present !== state) {
    // The draft was saved, or is of a value that is no more.
    drafts.delete(key);
    setState(present);
  }
  return {
    draft: present.draft,
    set(draft) {
      drafts.set(key, { kept, draft });
      setState({ kept, draft });
    },
    isChanged: JSON.stringify(read(present.draft)) !== JSON.stringify(read(write(value))),
    discard() {
      drafts.delete(key);
      setState({ kept, draft: write(value) });
    },
  };
}

export interface Saving {
  /** Saves the value; null removes the one that was set here. Never rejects: a refusal is in `error`. */
  readonly save: (value: unknown) => Promise<void>;
  readonly error: string | undefined;
  /** The refusal of one member of the value, where the form has a field for it. */
  readonly errorAt: (member: string) => string | undefined;
  readonly pending: boolean;
  readonly clearError: () => void;
}

/** Focuses the first field of a row, before its focused button disappears. */
export function keepFocus(row: Element | null | undefined): void {
  if (document.activeElement?.tagName !== 'BUTTON' || row?.contains(document.activeElement) !== true) return;
  row.querySelector<HTMLElement>('input, textarea')?.focus();
}

/** A refusal of the host. */
interface Refused {
  readonly text: string;
  /** Names from the value to the member that it is about; undefined: it is about the whole value. */
  readonly member: string | undefined;
}

/** Whether a member as the host names it is that of a field, or an element of it. */
function isIn(field: string, member: string | undefined): boolean {
  return (
    member === field || member?.startsWith(`${field}[`) === true || member?.startsWith(`${field}.`) === true
  );
}

/** A refusal in words: below its field only what is expected there, else with the name of the setting. */
function refusedBy(failure: RpcFailure, setting: string, fields: readonly string[]): Refused {
  const { field, expected } = failure;
  const member = field?.startsWith('value.') === true ? field.slice('value.'.length) : undefined;
  if (expected !== undefined && fields.some((each) => isIn(each, member)))
    return { text: fill(SETTINGS.use, { expected }), member };
  return { text: fill(SETTINGS.notSaved, { setting, message: clause(failure.message) }), member: undefined };
}

/**
 * Saves one setting.
 * @param fields members of the value that have a field of their own
 */
export function useSaving({ key }: SettingItem, fields: readonly string[] = []): Saving {
  const { call, settings, toasts } = useConsole();
  const [refused, setRefused] = useState<Refused>();
  const refusedIn = useRef<Element | null>(null);
  useEffect(() => {
    if (refused !== undefined) refusedIn.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);
  const [pending, setPending] = useState(false);
  return {
    error: refused?.member === undefined ? refused?.text : undefined,
    errorAt: (field) => (isIn(field, refused?.member) ? refused?.text : undefined),
    pending,
    clearError: () => setRefused(undefined),
    async save(value) {
      const setting = textOf(key).title;
      const form = document.activeElement?.closest('form') ?? null;
      refusedIn.current = form;
      setPending(true);
      try {
        const answer = await call('settings.set', { key, value });
        setRefused(undefined);
        keepFocus(form);
        settings.accept(answer);
        toasts.done(fill(SETTINGS.saved, { setting }));
      } catch (reason) {
        setRefused(refusedBy(asFailure(reason), setting, fields));
      } finally {
        setPending(false);
      }
    },
  };
}
