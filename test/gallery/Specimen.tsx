/** One part of the gallery with its states side by side. */
import type { ReactElement, ReactNode } from 'react';

export interface SpecimenProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** One part with its states side by side. */
export function Specimen({ title, children }: SpecimenProps): ReactElement {
  return (
    <div className="specimen">
      <h3>{title}</h3>
      <div className="states">{children}</div>
    </div>
  );
}
