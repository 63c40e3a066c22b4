/** One setting while it is edited: its draft, saving it, and the host's refusal. */
import { useEffect, useRef, useState } from 'react';
import type { SettingItem } from '../../../core/contract/settings.ts';
import { isObject } from '../../../core/contract/is-object.ts';
import { clause } from '../../../core/contract/error-text.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { isNowhere } from '../../components/kept-focus.ts';
import {
  afterSave,
  beginWith,
  changedElsewhere,
  following,
  withOther,
  withOwn,
  type Elsewhere,
  type SharedFields,
} from '../../components/shared-fields.ts';
import { isOfField } from '../../components/use-refused.ts';
import { fill } from '../../copy/fill.ts';
import { VIEWS_COMMON } from '../../copy/common.ts';
import { SETTINGS } from '../../copy/settings.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import { textOf } from './setting-kinds.ts';

export interface Draft<D> {
  readonly draft: D;
  readonly set: (next: D) => void;
  readonly isChanged: boolean;
  readonly discard: () => void;
  /** Members that were edited here and changed elsewhere; `''` is the whole value. */
  readonly elsewhere: readonly ElsewhereIn[];
}

export interface ElsewhereIn extends Elsewhere<unknown> {
  readonly member: string;
}

/** Fields of one setting; a value that has no members is one field. */
type Fields = Readonly<Record<string, unknown>>;

interface DraftState {
  /** The value of the host that was looked at last, as JSON. */
  readonly kept: string;
  readonly fields: SharedFields<Fields>;
}

/** A value that was saved here. */
interface Saved {
  /** The value as JSON. */
  readonly kept: string;
  /** The fields as they were sent. */
  readonly sent: Fields;
}

interface OwnState {
  /** Drafts that were left without being saved, by key. */
  readonly drafts: Map<string, DraftState>;
  /** Values that were saved here, until their field has taken them. */
  readonly saved: Map<string, Saved>;
}

/** What each console knows beyond the fields that are drawn. */
const states = new WeakMap<object, OwnState>();

function stateIn(console: object): OwnState {
  const known = states.get(console) ?? { drafts: new Map(), saved: new Map() };
  states.set(console, known);
  return known;
}

/** Name of the only field of a value without members. */
const WHOLE = '';

function fieldsOf(draft: unknown): Fields {
  return isObject(draft) ? draft : { [WHOLE]: draft };
}

function draftIn(fields: Fields): unknown {
  return WHOLE in fields ? fields[WHOLE] : fields;
}

/**
 * The fields of a setting, which change when its value changes elsewhere or was saved; a field that was edited stays as it was typed, and
 * says so. A person who goes to another screen finds them as they were left.
 * @param read the value of the fields, by which "1000 ms" in place of "1 s" is no change
 */
export function useDraft<D>(
  { key, value }: SettingItem,
  write: (value: unknown) => D,
  read: (draft: D) => unknown = (draft) => draft,
): Draft<D> {
  const { drafts, saved } = stateIn(useConsole().settings);
  const kept = JSON.stringify(value);
  const fresh = (): SharedFields<Fields> => beginWith(fieldsOf(write(value)));
  // Each key has one form, so a draft under it has the shape of that form.
  const meaning = (fields: Fields): string => JSON.stringify(read(draftIn(fields) as D));
  const [state, setState] = useState<DraftState>(() => drafts.get(key) ?? { kept, fields: fresh() });
  let present = state;
  if (state.kept !== kept) {
    const now = fieldsOf(write(value));
    present = { kept, fields: fieldsAfter(now) };
    saved.delete(key);
    if (drafts.has(key)) drafts.set(key, present);
    setState(present);
  }
  const { draft } = present.fields;
  const now = fieldsOf(write(value));
  /** The fields after the value has changed to `next`. */
  function fieldsAfter(next: Fields): SharedFields<Fields> {
    const done = saved.get(key);
    if (meaning(state.fields.draft) === meaning(next)) return fresh();
    if (done?.kept !== kept) return following(state.fields, next);
    // Without a draft nothing was typed since, or it was discarded.
    if (!drafts.has(key)) return fresh();
    return afterSave(state.fields, { ...state.fields.base, ...done.sent }, next);
  }
  function put(fields: SharedFields<Fields>): void {
    drafts.set(key, { kept, fields });
    setState({ kept, fields });
  }
  return {
    draft: draftIn(draft) as D,
    set: (next) => put({ ...present.fields, draft: fieldsOf(next) }),
    isChanged: meaning(draft) !== meaning(now),
    discard() {
      drafts.delete(key);
      setState({ kept, fields: fresh() });
    },
    elsewhere: changedElsewhere(present.fields, now).map((member) => ({
      member,
      other: now[member],
      take: () => put(withOther(present.fields, now, member)),
      keep: () => put(withOwn(present.fields, now, member)),
    })),
  };
}

export interface Saving {
  /** Saves the value; null removes the one that was set here. Never rejects: a refusal is in `error`. */
  readonly save: (value: unknown) => Promise<void>;
  readonly error: string | undefined;
  /** The refusal of one member of the value, where the form has a field for it. */
  readonly errorAt: (member: string) => string | undefined;
  readonly pending: boolean;
  /** Receives the row of the setting, in which a refusal and a saved value keep the focus. */
  readonly takeRow: (row: HTMLFormElement | null) => void;
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

/** A refusal in words: below its field only what is expected there, else with the name of the setting. */
function refusedBy(failure: RpcFailure, setting: string, fields: readonly string[]): Refused {
  const { field, expected } = failure;
  const member = field?.startsWith('value.') === true ? field.slice('value.'.length) : undefined;
  if (expected !== undefined && fields.some((each) => isOfField(each, member)))
    return { text: fill(VIEWS_COMMON.use, { expected }), member };
  return { text: fill(SETTINGS.notSaved, { setting, message: clause(failure.message) }), member: undefined };
}

/**
 * Saves one setting.
 * @param fields members of the value that have a field of their own
 */
export function useSaving({ key }: SettingItem, fields: readonly string[] = []): Saving {
  const { call, settings, toasts } = useConsole();
  const [refused, setRefused] = useState<Refused>();
  const row = useRef<HTMLFormElement>(null);
  useEffect(() => {
    // A person who went on to another row meanwhile stays there.
    const isHere = isNowhere() || row.current?.contains(document.activeElement) === true;
    if (refused !== undefined && isHere) row.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [refused]);
  const [pending, setPending] = useState(false);
  return {
    error: refused?.member === undefined ? refused?.text : undefined,
    errorAt: (field) => (isOfField(field, refused?.member) ? refused?.text : undefined),
    pending,
    takeRow: (element) => {
      row.current = element;
    },
    clearError: () => setRefused(undefined),
    async save(value) {
      const setting = textOf(key).title;
      const { drafts, saved } = stateIn(settings);
      const sent = drafts.get(key)?.fields.draft;
      setPending(true);
      try {
        const answer = await call('settings.set', { key, value });
        setRefused(undefined);
        keepFocus(row.current);
        // What was typed before the host answered is still to be saved.
        if (drafts.get(key)?.fields.draft === sent) drafts.delete(key);
        const now = answer.items.find((item) => item.key === key);
        saved.set(key, { kept: JSON.stringify(now?.value), sent: sent ?? {} });
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
