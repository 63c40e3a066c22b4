/** A form whose refusal by the host stands below its fields, until one of them is edited. */
import type { ReactElement, ReactNode } from 'react';
import { Edited } from './edited-context.ts';
import css from './Fields.module.css';
import type { Refused } from './use-refused.ts';

export interface RefusedFormProps {
  readonly refused: Pick<Refused, 'problem' | 'clear'>;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

/** The fields, and below them a refusal that belongs to none of them. */
export function RefusedForm({ refused, className, children }: RefusedFormProps): ReactElement {
  return (
    <>
      <Edited value={refused.clear}>
        <div className={className} onInput={refused.clear}>
          {children}
        </div>
      </Edited>
      <Problem text={refused.problem} />
    </>
  );
}

export interface ProblemProps {
  /** For the field that it describes. */
  readonly id?: string;
  readonly text: string | undefined;
}

/** What is wrong, read out at once. */
export function Problem({ id, text }: ProblemProps): ReactElement | null {
  if (text === undefined) return null;
  return (
    <p id={id} role="alert" className={css.error}>
      {text}
    </p>
  );
}
