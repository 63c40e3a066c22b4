/** The footer: rates, deliveries in progress, size of the history. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import type { RuntimeChanged } from '../../core/contract/console.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { cx } from '../components/class-names.ts';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { addressPart } from '../../core/contract/address-part.ts';
import { count, rate } from '../format/quantity.ts';
import { useConsole, useProfileInUse } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import { StartInfo } from './StartInfo.tsx';
import css from './StatusLine.module.css';

type FooterState = DeliveryState | 'waiting';

const SHOWN: readonly FooterState[] = ['queued', 'waiting', 'attempting', 'retrying', 'parked', 'held'];
/** States that a narrow window leaves out: short-lived ones, and those that the navigation shows too. */
const WIDE: ReadonlySet<FooterState> = new Set(['attempting', 'held']);

/**
 * The states with their numbers. A delivery that waits for its app is queued too, and counts under the name that its chip has, as does a
 * message that has no delivery yet for that reason.
 */
export function footerStates({
  counts,
  queuedForApp = 0,
  forApp = 0,
}: Pick<RuntimeChanged, 'counts' | 'queuedForApp' | 'forApp'>): readonly {
  readonly state: FooterState;
  readonly n: number;
  /** Finds what the number counts. */
  readonly filter: string;
}[] {
  const numbers = { ...counts, queued: Math.max(0, counts.queued - queuedForApp), waiting: forApp };
  return SHOWN.map((state) => ({
    state,
    n: numbers[state],
    filter: state === 'queued' && queuedForApp > 0 ? 'state:queued -state:waiting' : `state:${state}`,
  })).filter(({ state, n }) => n > 0 || state === 'queued');
}

/** One line about the runtime; a click on a state filters by it. */
export function StatusLine(): ReactElement {
  const { connection } = useConsole();
  const runtime = useSelected(connection, (state) => state.runtime);
  const system = useSelected(connection, (state) => state.system);
  const profile = useProfileInUse();
  return (
    <footer aria-label={FRAME.runtimeStatus} className={css.line}>
      {runtime !== undefined && (
        <>
          <span className={css.part}>
            {fill(FRAME.ratesIn, { in: rate(runtime.rates.in) })} ·{' '}
            {fill(FRAME.ratesOut, { out: rate(runtime.rates.out) })}
          </span>
          <span className={css.part}>
            {/* The lists that the figures open count messages. */}
            <span className={css.wide}>{FRAME.footerDeliveries} </span>
            {footerStates(runtime).map(({ state, n, filter }, index) => (
              <span key={state} className={WIDE.has(state) ? css.wide : undefined}>
                {index > 0 && ' · '}
                <Link href={`/messages?f=${addressPart(filter)}`} className={css.link}>
                  {fill(FRAME.footerState, { word: CHIP_WORDS[state].toLowerCase(), n: count(n) })}
                </Link>
              </span>
            ))}
          </span>
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
