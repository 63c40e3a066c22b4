/** One line of a card: a name and its value. */
import type { ReactElement, ReactNode } from 'react';
import css from './Apps.module.css';

export interface FactProps {
  readonly name: string;
  readonly children: ReactNode;
}

export function Fact({ name, children }: FactProps): ReactElement {
  return (
    <div className={css.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
