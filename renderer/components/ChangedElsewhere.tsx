/** Says beside a field that another window has changed its value meanwhile, and lets the person choose. */
import type { ReactElement } from 'react';
import { Button } from './Button.tsx';
import css from './ChangedElsewhere.module.css';
import { ELSEWHERE } from '../copy/common.ts';
import { fill } from '../copy/fill.ts';
import { visibleShort } from '../format/visible-text.ts';
import type { Elsewhere } from './shared-fields.ts';

export interface ChangedElsewhereProps {
  /** The change; undefined: there is none. */
  readonly change: Elsewhere<unknown> | undefined;
  /** Name of the field, where it does not stand right above. */
  readonly field?: string | undefined;
  /** The other value in words; absent: the value as it is. */
  readonly words?: string | undefined;
}

/** The other value as text. */
export function otherText(other: unknown): string {
  const text = typeof other === 'string' ? other : JSON.stringify(other);
  return text === '' ? ELSEWHERE.empty : visibleShort(text);
}

/** A sentence with two buttons; nothing without a change. */
export function ChangedElsewhere({ change, field, words }: ChangedElsewhereProps): ReactElement | null {
  if (change === undefined) return null;
  const value = words ?? otherText(change.other);
  const text = fill(field === undefined ? ELSEWHERE.changed : ELSEWHERE.fieldChanged, { value, field });
  return <ElsewhereNote text={text} take={change.take} keep={change.keep} />;
}

export interface ElsewhereNoteProps {
  readonly text: string;
  readonly take: () => void;
  /** Text of the button that takes the other; absent: the usual one. */
  readonly takeTitle?: string;
  readonly keep: () => void;
}

/** A sentence about a change elsewhere, with the choice between both. */
export function ElsewhereNote({
  text,
  take,
  takeTitle = ELSEWHERE.take,
  keep,
}: ElsewhereNoteProps): ReactElement {
  return (
    <div role="alert" className={css.changed}>
      <span>{text}</span>
      <Button onClick={take}>{takeTitle}</Button>
      <Button onClick={keep}>{ELSEWHERE.keep}</Button>
    </div>
  );
}
