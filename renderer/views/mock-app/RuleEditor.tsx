/** Stand-in. */
import type { ReactElement } from 'react';
export function RuleEditor(_: {
  readonly index: number | undefined;
  readonly topic: string | undefined;
  readonly route: string | undefined;
  readonly eventType: string | undefined;
}): ReactElement {
  return <div />;
}
