/** Says beside a field that another window has changed its value meanwhile, and lets the person choose. */
import type { MouseEvent, ReactElement } from 'react';
import { flushSync } from 'react-dom';
import { nextTurn } from '../client/next-turn.ts';
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

/** The other value as text of one line. */
export function otherText(other: unknown): string {
  const text = (typeof other === 'string' ? other : JSON.stringify(other)).replaceAll(/\s*\n\s*/g, ' ');
  return text === '' ? ELSEWHERE.empty : visibleShort(text);
}

/** A sentence with two buttons; nothing without a change. */
export function ChangedElsewhere({ change, field, words }: ChangedElsewhereProps): ReactElement | null {
  if (change === undefined) return null;
  const value = words ?? otherText(change.other);
  const text = fill(field === undefined ? ELSEWHERE.changed : ELSEWHERE.fieldChanged, { value, field });
  return <ElsewhereNote text={text} take={change.take} keep={change.keep} />;
}

/** Scrolls to the first note of a form that was not saved because of it, once it is drawn: the form may be longer than the window. */
export async function showFirstNote(form: Element | null | undefined): Promise<void> {
  await nextTurn();
  form?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'nearest' });
}

export interface ElsewhereNoteProps {
  readonly text: string;
  readonly take: () => void;
  /** Text of the button that takes the other; absent: the usual one. */
  readonly takeTitle?: string;
  readonly keep: () => void;
}

/** Does it and focuses the first field beside the note, because the pressed button goes with the note. */
function chooseBy(choose: () => void): (event: MouseEvent<HTMLElement>) => void {
  return ({ currentTarget }) => {
    const around = currentTarget.closest('[role="alert"]')?.parentElement;
    // The field may be made again with the text of the other window.
    flushSync(choose);
    around?.querySelector<HTMLElement>('input:checked, input:not([type="radio"]), textarea')?.focus();
  };
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
      <Button onClick={chooseBy(take)}>{takeTitle}</Button>
      <Button onClick={chooseBy(keep)}>{ELSEWHERE.keep}</Button>
    </div>
  );
}
