/** Progress of a piece of work in words and as a bar, with a button that stops it. */
import type { ReactElement } from 'react';
import { fill } from '../copy/fill.ts';
import { PROGRESS } from '../copy/common.ts';
import { Button } from './Button.tsx';
import css from './Progress.module.css';
import { useIsSlow } from './States.tsx';

export interface ProgressProps {
  /** Name of the work: "Reading orders.csv". */
  readonly text: string;
  /** Share from 0 to 1; undefined while it is unknown. */
  readonly share: number | undefined;
  readonly onStop: () => void;
}

/** Shows the progress after a short delay, because quick work needs no bar. */
export function Progress({ text, share, onStop }: ProgressProps): ReactElement | null {
  const isSlow = useIsSlow();
  if (!isSlow) return null;
  const percent = share === undefined ? undefined : Math.floor(share * 100);
  const said = percent === undefined ? text : fill(PROGRESS.percent, { text, percent });
  return (
    <span className={css.progress}>
      <span
        role="progressbar"
        aria-label={text}
        aria-valuetext={said}
        {...(percent === undefined
          ? {}
          : { 'aria-valuemin': 0, 'aria-valuemax': 100, 'aria-valuenow': percent })}
      >
        {said}
      </span>
      <progress
        aria-hidden
        className={css.bar}
        {...(percent === undefined ? {} : { max: 100, value: percent })}
      />
      <Button onClick={onStop}>{PROGRESS.cancel}</Button>
    </span>
  );
}
