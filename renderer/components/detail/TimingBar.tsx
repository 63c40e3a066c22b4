/** Times for connecting, sending, waiting and reading, as a bar and in words. */
import type { ReactElement } from 'react';
import type { Attempt } from '../../../core/contract/message.ts';
import { ATTEMPTS } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { duration } from '../../format/quantity.ts';
import css from './TimingBar.module.css';

type Timing = NonNullable<Attempt['timing']>;

const PARTS = [
  { kind: 'connect', member: 'connectMs' },
  { kind: 'send', member: 'sendMs' },
  { kind: 'wait', member: 'waitMs' },
  { kind: 'read', member: 'readMs' },
] as const;

/** Shows the bar with the words below, which say everything. */
export function TimingBar({ timing }: { readonly timing: Timing }): ReactElement {
  const total = PARTS.reduce((sum, { member }) => sum + timing[member], 0);
  return (
    <div className={css.timing}>
      <div className={css.bar} aria-hidden>
        {PARTS.map(({ kind, member }) => (
          <span
            key={kind}
            className={css.part}
            data-kind={kind}
            style={{ flexGrow: total === 0 ? 1 : timing[member] / total }}
          />
        ))}
      </div>
      <p className={css.words}>
        {PARTS.map(({ kind, member }) => (
          <span key={kind}>
            <span className={css.swatch} data-kind={kind} aria-hidden />
            {fill(ATTEMPTS.timing[kind], { t: duration(timing[member]) })}
          </span>
        ))}
      </p>
    </div>
  );
}
