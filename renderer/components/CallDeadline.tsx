/** Counts down the remaining time of a delivery's call, and says when it is over. */
import type { ReactElement } from 'react';
import { Ticking } from './clock.ts';
import { deadlineSentence, givesUpText } from '../format/call-deadline.ts';

export interface GivesUpProps {
  readonly at: string;
  /** True if another sidecar waits, behind a tap. */
  readonly isObserved: boolean;
  /** Time of the first display, because most calls end at once. */
  readonly from?: number;
  /** True: other sentences follow. */
  readonly isSentence?: boolean;
}

export function CallDeadline({ at, isObserved, from = 0, isSentence = false }: GivesUpProps): ReactElement {
  const words = isSentence ? deadlineSentence : givesUpText;
  return <Ticking text={(now) => (now < from ? '' : words(at, isObserved, now))} />;
}
