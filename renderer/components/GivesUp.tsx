/** Counts down how long the call of a delivery is still waited for, and says when that time is over. */
import type { ReactElement } from 'react';
import { Ticking } from './clock.ts';
import { givesUpText } from '../format/gives-up.ts';

export interface GivesUpProps {
  readonly at: string;
  /** Another sidecar waits, behind a tap. */
  readonly isObserved: boolean;
  /** Nothing is shown before: most calls end at once. */
  readonly from?: number;
}

export function GivesUp({ at, isObserved, from = 0 }: GivesUpProps): ReactElement {
  return <Ticking text={(now) => (now < from ? '' : givesUpText(at, isObserved, now))} />;
}
