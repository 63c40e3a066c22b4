/** A line above a list that is filtered by the id of an answer, with the name of that answer: nobody reads ids. */
import type { ReactElement } from 'react';
import { fill } from '../../copy/fill.ts';
import { LIST } from '../../copy/messages.ts';
import { answerIdIn, nameOfAnswer } from '../../format/answered-by.ts';
import { useConsole, useParam, useResource } from '../../state/context.ts';
import css from './MessageList.module.css';

/** The line; nothing where the filter is off, or names no answer by its id. */
export function AnsweredBy(): ReactElement | null {
  const id = answerIdIn(useParam('f') ?? '');
  const isOff = useParam('off') !== undefined;
  return id === undefined || isOff ? null : <NameOf id={id} />;
}

function NameOf({ id }: { readonly id: string }): ReactElement | null {
  const { mockApps } = useConsole();
  const name = nameOfAnswer(id, useResource(mockApps.app).value?.rules ?? []);
  return name === undefined ? null : <p className={css.meant}>{fill(LIST.answeredBy, { name })}</p>;
}
