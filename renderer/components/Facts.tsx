/** Names with their values, one per line. */
import type { ReactElement, ReactNode } from 'react';
import css from './Facts.module.css';

export interface FactsProps {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}

/** A description list. */
export function Facts({ facts }: FactsProps): ReactElement {
  return (
    <dl className={css.facts}>
      {facts.map(([name, value], index) => (
        <div key={`${index} ${name}`}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
