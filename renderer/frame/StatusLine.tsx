/** The footer: rates, deliveries in progress, size of the history. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { cx } from '../components/class-names.ts';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { addressPart } from '../../core/contract/address-part.ts';
import { count, rate } from '../format/quantity.ts';
import { footerStates, waitingMessages } from '../format/view-amount.ts';
import { useConsole, useProfileInUse } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import { StartInfo } from './StartInfo.tsx';
import css from './StatusLine.module.css';

/** States that a narrow window leaves out: short-lived ones, and those that the navigation shows too. */
const WIDE: ReadonlySet<string> = new Set(['attempting', 'held']);

/** One line about the runtime; a click on a state filters by it. */
export function StatusLine(): ReactElement {
  const { connection } = useConsole();
  const runtime = useSelected(connection, (state) => state.runtime);
  const system = useSelected(connection, (state) => state.system);
  const isAway = useSelected(connection, ({ link }) => link.status !== 'open');
  const profile = useProfileInUse();
  return (
    <footer aria-label={FRAME.runtimeStatus} className={css.line}>
      {/* The last known numbers say nothing about now. */}
      {isAway && runtime !== undefined && <span className={css.part}>{FRAME.numbersNotKnown}</span>}
      {!isAway && runtime !== undefined && (
        <>
          <span className={css.part}>
            {fill(FRAME.ratesIn, { in: rate(runtime.rates.in) })} ·{' '}
            {fill(FRAME.ratesOut, { out: rate(runtime.rates.out) })}
          </span>
          <span className={css.part}>
            {/* The lists that the figures open count messages. */}
            {FRAME.footerDeliveries}{' '}
            {footerStates(runtime).map(({ state, n, filter }, index) => (
              <span key={state} className={WIDE.has(state) ? css.wide : undefined}>
                {index > 0 && ' · '}
                <Link href={`/messages?f=${addressPart(filter)}`} className={css.link}>
                  {fill(state === 'waiting' ? FRAME.footerOfThese : FRAME.footerState, {
                    word: CHIP_WORDS[state].toLowerCase(),
                    n: count(n),
                  })}
                </Link>
              </span>
            ))}
          </span>
          <WaitingMessages n={waitingMessages(runtime)} />
          <Kept kept={runtime.kept} limit={runtime.limit} />
        </>
      )}
      <span className={css.space} />
      {system !== undefined && <StartInfo system={system} />}
      {system?.ephemeral === true && (
        <span className={css.badge} title={FRAME.notKeptWhy}>
          {FRAME.notKept}
        </span>
      )}
      {system !== undefined && (
        <span className={cx(css.part, css.wide)}>
          {fill(FRAME.profile, { profile: profile ?? '' })} · {FRAME.product} {system.version}
        </span>
      )}
    </footer>
  );
}

/** Messages that wait and have no delivery yet, so that they are not among the deliveries. */
function WaitingMessages({ n }: { readonly n: number }): ReactElement | null {
  if (n === 0) return null;
  return (
    <span className={css.part}>
      {FRAME.footerMessages}{' '}
      <Link href={`/messages?f=${addressPart('state:waiting')}`} className={css.link}>
        {fill(FRAME.footerState, { word: CHIP_WORDS.waiting.toLowerCase(), n: count(n) })}
      </Link>
    </span>
  );
}

function Kept({ kept, limit }: { readonly kept: number; readonly limit: number }): ReactElement {
  if (limit > 0 && kept >= limit) {
    return (
      <Link href="/settings?s=storage" className={css.link}>
        {fill(FRAME.removing, { limit: count(limit) })}
      </Link>
    );
  }
  const text = limit > 0 ? FRAME.kept : FRAME.keptUnlimited;
  return (
    <span className={cx(css.part, css.kept)}>{fill(text, { kept: count(kept), limit: count(limit) })}</span>
  );
}
