/** The fields of a form over a value that another window may change meanwhile. */
import { useLayoutEffect, useRef, useState } from 'react';

export interface SharedFields<F> {
  /** The value that the edits of a person are compared with. */
  readonly base: F;
  /** What the form itself put into the fields last. */
  readonly given: F;
  readonly draft: F;
  /** How many values of another window each field has taken, which replaced what it showed. */
  readonly taken: Readonly<Record<string, number>>;
}

/** Fields as they are before anything was edited. */
export function beginWith<F>(fields: F): SharedFields<F> {
  return { base: fields, given: fields, draft: fields, taken: {} };
}

/** Whether two values of a field are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  // Writing a text of megabytes as JSON takes longer than a frame.
  if (typeof one === 'string' || typeof other === 'string') return one === other;
  return JSON.stringify(one) === JSON.stringify(other);
}

function namesOf<F extends object>(fields: F): readonly (keyof F & string)[] {
  return Object.keys(fields) as (keyof F & string)[];
}

function withThese<F extends object>(
  { base, given, draft, taken }: SharedFields<F>,
  now: F,
  names: readonly (keyof F & string)[],
): SharedFields<F> {
  const these = Object.fromEntries(names.map((name) => [name, now[name]]));
  return {
    base: { ...base, ...these },
    given: { ...given, ...these },
    draft: { ...draft, ...these },
    taken,
  };
}

/** The fields after the value has changed: those that were not edited follow it, an edited one stays as it was typed. */
export function following<F extends object>(fields: SharedFields<F>, now: F): SharedFields<F> {
  const { base, draft } = fields;
  const names = namesOf(now).filter(
    (name) =>
      !isSame(base[name], now[name]) && (isSame(draft[name], base[name]) || isSame(draft[name], now[name])),
  );
  return names.length === 0 ? fields : withThese(fields, now, names);
}

/** Names of the fields that were edited here and changed elsewhere. */
export function changedElsewhere<F extends object>(
  fields: SharedFields<F>,
  now: F,
): readonly (keyof F & string)[] {
  const { base } = following(fields, now);
  return namesOf(now).filter((name) => !isSame(base[name], now[name]));
}

/** The fields with one as it was changed elsewhere. */
export function withOther<F extends object>(
  fields: SharedFields<F>,
  now: F,
  name: keyof F & string,
): SharedFields<F> {
  const taken = { ...fields.taken, [name]: (fields.taken[name] ?? 0) + 1 };
  return { ...withThese(fields, now, [name]), taken };
}

/** The fields with one as it was typed, which the person prefers to what it was changed to elsewhere. */
export function withOwn<F extends object>(
  fields: SharedFields<F>,
  now: F,
  name: keyof F & string,
): SharedFields<F> {
  return { ...fields, base: { ...fields.base, [name]: now[name] } };
}

/**
 * The fields after they were saved: the value stands in those that were sent, and what was typed since stays.
 * @param sent the fields as they were sent
 * @param now the value after the save
 */
export function afterSave<F extends object>(fields: SharedFields<F>, sent: F, now: F): SharedFields<F> {
  const names = namesOf(now).filter((name) => isSame(fields.draft[name], sent[name]));
  return { ...withThese(fields, now, names), base: now };
}

/** Whether a field has neither the text that was sent nor the one that was saved: it was typed since. */
export function isTypedOn<F extends object>(draft: F, sent: F, saved: F): boolean {
  return namesOf(saved).some((name) => !isSame(draft[name], sent[name]) && !isSame(draft[name], saved[name]));
}

/** Whether saving would replace a change that the person has not been shown, of which `shown` is what the form showed. */
export function hasUnseen<F extends object>(
  fields: SharedFields<F>,
  shown: F | undefined,
  latest: F,
): boolean {
  return changedElsewhere(fields, latest).some(
    (name) => shown === undefined || !isSame(shown[name], latest[name]),
  );
}

/** A field that was edited here and changed elsewhere, with the choice between both. */
export interface Elsewhere<V> {
  /** The value of the other window. */
  readonly other: V;
  readonly take: () => void;
  readonly keep: () => void;
}

export interface Editing<F> {
  readonly draft: F;
  readonly given: F;
  /** Whether a person changed a field, and has not saved it. */
  readonly isEdited: boolean;
  /** The key of a field that has a text of its own: it is made again where `given` is to replace that text. */
  readonly keyOf: (name: keyof F & string) => number;
  readonly edit: (change: Partial<F>) => void;
  /** Changes the fields as they are by then. */
  readonly change: (to: (now: F) => F) => void;
  /** The change of a field elsewhere; undefined: there is none that differs from what was typed. */
  readonly elsewhere: <N extends keyof F & string>(name: N) => Elsewhere<F[N]> | undefined;
  /**
   * Notes that the fields were saved as `sent`, and what the value is since.
   * @returns true: nothing was typed meanwhile; else the fields keep it, to be saved too
   */
  readonly settle: (sent: F, latest: F) => boolean;
  /** What to save over the latest value; undefined: a field that was edited has changed there, which was not shown yet. */
  readonly mergedWith: (latest: F) => F | undefined;
}

/**
 * Edits a value as its fields.
 * @param now the value at present; undefined: a new one, or one that was removed
 */
export function useSharedFields<F extends object>(now: F | undefined, start: () => F): Editing<F> {
  const [state, setState] = useState(() => beginWith(start()));
  const fields = now === undefined ? state : following(state, now);
  // What was not edited here follows at once.
  if (fields !== state) setState(fields);
  const drawn = useRef(fields.draft);
  useLayoutEffect(() => {
    drawn.current = fields.draft;
  });
  const changed = now === undefined ? [] : changedElsewhere(fields, now);
  return {
    draft: fields.draft,
    given: fields.given,
    isEdited: namesOf(fields.base).some((name) => !isSame(fields.draft[name], fields.base[name])),
    keyOf: (name) => fields.taken[name] ?? 0,
    edit: (change) => setState((before) => ({ ...before, draft: { ...before.draft, ...change } })),
    change: (to) => setState((before) => ({ ...before, draft: to(before.draft) })),
    elsewhere(name) {
      if (now === undefined || !changed.includes(name)) return undefined;
      return {
        other: now[name],
        take: () => setState((before) => withOther(before, now, name)),
        keep: () => setState((before) => withOwn(before, now, name)),
      };
    },
    settle(sent, latest) {
      setState((before) => afterSave(before, sent, latest));
      return !isTypedOn(drawn.current, sent, latest);
    },
    mergedWith: (latest) => (hasUnseen(fields, now, latest) ? undefined : following(fields, latest).draft),
  };
}
