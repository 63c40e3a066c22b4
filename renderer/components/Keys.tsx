/** Keys of a command, drawn as key caps. */
import type { ReactElement } from 'react';
import { SHORTCUTS } from '../copy/frame.ts';
import { drawnKeys } from '../keys/bindings.ts';
import { keyCaps } from '../keys/chord.ts';
import css from './Keys.module.css';

export interface KeysProps {
  /** Default keys of the command. */
  readonly keys: readonly string[];
  /** True: shows exactly these keys, even if a person changed those of the command. */
  readonly exact?: boolean;
}

/** The first binding of a command; a chord such as `g m` is drawn as two caps. */
export function Keys({ keys, exact }: KeysProps): ReactElement | null {
  const [first] = exact === true ? keys : drawnKeys(keys);
  if (first === undefined) return null;
  const steps = keyCaps(first);
  return (
    <span className={css.keys}>
      {steps.map((step, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the steps of one chord never move
        <span key={index} className={css.step}>
          {index > 0 && <span className={css.then}>{SHORTCUTS.then}</span>}
          <kbd className={css.cap}>{step}</kbd>
        </span>
      ))}
    </span>
  );
}
