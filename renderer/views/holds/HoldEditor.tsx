/** Stand-in. */
import type { ReactElement } from 'react';
export function HoldEditor(_: {
  readonly holdId: string | undefined;
  readonly filter: string | undefined;
}): ReactElement {
  return <div />;
}
