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
  return (
    <ElsewhereNote
      text={text}
      take={change.take}
      keep={change.keep}
      fieldOf={(form) => fieldBeside(form, field)}
    />
  );
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
  /** What takes the focus from the pressed button, which goes with the note, in the element around the note. */
  readonly fieldOf: (around: Element) => HTMLElement | null | undefined;
}

/** The field with this name in the form of a note, else the first one of the form. */
function fieldBeside(form: Element, name: string | undefined): HTMLElement | null | undefined {
  const labels = [...form.querySelectorAll('label')];
  const named = labels.find(({ textContent }) => textContent?.trim() === name)?.control;
  return named ?? form.querySelector<HTMLElement>('input:checked, input:not([type="radio"]), textarea');
}

/** Moves the focus to a field. One that is folded away cannot have it. */
function focusOn(field: HTMLElement | null | undefined): void {
  for (let fold = field?.closest('details'); fold; fold = fold.parentElement?.closest('details'))
    fold.open = true;
  field?.focus();
}

/** Does it and moves the focus. */
function chooseBy(
  choose: () => void,
  fieldOf: ElsewhereNoteProps['fieldOf'],
): (event: MouseEvent<HTMLElement>) => void {
  return ({ currentTarget }) => {
    const around = currentTarget.closest('[role="alert"]')?.parentElement;
    // The field may be made again with the text of the other window.
    flushSync(choose);
    if (around) focusOn(fieldOf(around));
  };
}

/** A sentence about a change elsewhere, with the choice between both. */
export function ElsewhereNote({
  text,
  take,
  takeTitle = ELSEWHERE.take,
  keep,
  fieldOf,
}: ElsewhereNoteProps): ReactElement {
  return (
    <div role="alert" className={css.changed}>
      <span>{text}</span>
      <Button onClick={chooseBy(take, fieldOf)}>{takeTitle}</Button>
      <Button onClick={chooseBy(keep, fieldOf)}>{ELSEWHERE.keep}</Button>
    </div>
  );
}
