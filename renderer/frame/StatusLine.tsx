/** The footer: rates, deliveries in progress, size of the history. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { useIsNarrow } from '../components/use-narrow.ts';
import { fill } from '../copy/fill.ts';
import { FRAME } from '../copy/frame.ts';
import { CHIP_WORDS } from '../copy/states.ts';
import { addressPart } from '../../core/contract/address-part.ts';
import { count, rate } from '../format/quantity.ts';
import { hereText } from '../format/since-here.ts';
import { footerStates, waitingMessages } from '../format/view-amount.ts';
import { useConsole, useParam, useProfileInUse } from '../state/context.ts';
import { useSelected } from '../state/store.ts';
import { StartInfo } from './StartInfo.tsx';
import { useOneLine } from './use-one-line.ts';
import css from './StatusLine.module.css';

/** The order in which a narrow window leaves parts out, a running recording last. Rates and the number of queued deliveries stay. */
const RANKS = {
  profile: 1,
  kept: 2,
  held: 3,
  attempting: 4,
  start: 5,
  notKept: 6,
  removing: 7,
  messages: 8,
  waiting: 9,
  parked: 10,
  retrying: 11,
  recording: 12,
} as const;

function rankOf(state: string): number | undefined {
  return Object.entries(RANKS).find(([part]) => part === state)?.[1];
}

/** One line about the runtime; a click on a state filters by it. */
export function StatusLine(): ReactElement {
  const { connection } = useConsole();
  const runtime = useSelected(connection, (state) => state.runtime);
  const system = useSelected(connection, (state) => state.system);
  const isAway = useSelected(connection, ({ link }) => link.status !== 'open');
  const profile = useProfileInUse();
  const line = useOneLine();
  return (
    <footer ref={line} aria-label={FRAME.runtimeStatus} className={css.line}>
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
              <span key={state} data-rank={rankOf(state)}>
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
      <RecordingMark />
      <span data-space className={css.space} />
      {system !== undefined && (
        <span data-rank={RANKS.start}>
          <StartInfo system={system} />
        </span>
      )}
      {system?.ephemeral === true && (
        <span data-rank={RANKS.notKept} className={css.badge} title={FRAME.notKeptWhy}>
          {FRAME.notKept}
        </span>
      )}
      {system !== undefined && (
        <span data-rank={RANKS.profile} className={css.part}>
          {fill(FRAME.profile, { profile: profile ?? '' })} · {FRAME.product} {system.version}
        </span>
      )}
    </footer>
  );
}

/** Whether the strip below the list says it: an open message takes its place in a narrow window. */
function useHasStrip(): boolean {
  const isOpen = useParam('m') !== undefined;
  const isNarrow = useIsNarrow();
  return !(isOpen && isNarrow);
}

/** Says that a recording is running where the strip of the list does not, on other screens with the way to the list. */
export function RecordingMark(): ReactElement | null {
  const { navigation, ui } = useConsole();
  const since = useSelected(ui, ({ recordingSince }) => recordingSince);
  const isOnList = useSelected(navigation.store, ({ path }) => path === '/messages');
  const hasStrip = useHasStrip();
  if (since === '' || (isOnList && hasStrip)) return null;
  const text = fill(FRAME.recording, { time: hereText(since) });
  return (
    <span data-rank={RANKS.recording} className={css.part}>
      {isOnList ? (
        text
      ) : (
        <Link href={navigation.placeOf('/messages')} className={css.link}>
          {text}
        </Link>
      )}
    </span>
  );
}

/** Messages that wait and have no delivery yet, so that they are not among the deliveries. */
function WaitingMessages({ n }: { readonly n: number }): ReactElement | null {
  if (n === 0) return null;
  return (
    <span data-rank={RANKS.messages} className={css.part}>
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
      <span data-rank={RANKS.removing} className={css.part}>
        <Link href="/settings?s=storage" className={css.link}>
          {fill(FRAME.removing, { limit: count(limit) })}
        </Link>
      </span>
    );
  }
  const text = limit > 0 ? FRAME.kept : FRAME.keptUnlimited;
  return (
    <span data-rank={RANKS.kept} className={css.part}>
      {fill(text, { kept: count(kept), limit: count(limit) })}
    </span>
  );
}
