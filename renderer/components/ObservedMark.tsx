/** Mark that distinguishes what a tap observed from Sidelight's own messages. */
import { theApp } from '../../core/contract/app-text.ts';
import { Eye } from 'lucide-react';
import type { ReactElement } from 'react';
import { fill } from '../copy/fill.ts';
import { TAPS } from '../copy/taps.ts';
import css from './ObservedMark.module.css';

export interface ObservedMarkProps {
  /** Id of the tapped app. */
  readonly tap: string;
  /** True: only the icon, for a row. */
  readonly small?: boolean;
}

export function ObservedMark({ tap, small }: ObservedMarkProps): ReactElement {
  const meaning = fill(TAPS.markOf, { app: theApp(tap) });
  if (small === true)
    return (
      <span role="img" aria-label={meaning} title={meaning}>
        <Eye aria-hidden size={11} />
      </span>
    );
  return (
    <span className={css.mark} title={meaning}>
      <Eye aria-hidden size={12} />
      {TAPS.mark}
    </span>
  );
}
