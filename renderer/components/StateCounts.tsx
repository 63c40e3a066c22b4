/** Chips with the number of deliveries in each state; states without deliveries are left out. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { ATTENTION_ORDER, REPLAYED_SINCE } from '../../core/contract/attention.ts';
import type { StateCounts as Counts } from '../../core/contract/subscription.ts';
import { Chip } from './Chip.tsx';
import { fill } from '../copy/fill.ts';
import { LIST, NO_SUBSCRIPTION } from '../copy/messages.ts';
import { CHIP_WORDS, type ChipKind } from '../copy/states.ts';
import { addressPart } from '../../core/contract/address-part.ts';
import { count } from '../format/quantity.ts';
import css from './StateCounts.module.css';

const ORDER: readonly Exclude<ChipKind, 'waiting' | 'refused' | 'asked' | 'unseen'>[] = [
  ...ATTENTION_ORDER.toReversed(),
  'none',
];

export interface StateCountsProps {
  readonly counts: Counts;
  /** Messages without a subscription that were replayed since. */
  readonly replayed?: number | undefined;
  /** Filter that restricts the links, for example `topic:orders`. */
  readonly within: string;
}

/** A cell of a table; '' without deliveries, so that a narrow table leaves out its head too. */
export function countsCell(props: StateCountsProps): ReactElement | '' {
  const { counts, replayed = 0 } = props;
  const isEmpty = replayed === 0 && ORDER.every((state) => (counts[state] ?? 0) === 0);
  return isEmpty ? '' : <StateCounts key="states" {...props} />;
}

/** What a number counts. The list behind its link has messages, of which one may have several of these deliveries. */
function whatIsCounted(state: (typeof ORDER)[number], n: number): string {
  if (state === 'none') return fill(LIST.countsNone, { n: count(n) });
  return fill(LIST.countsDeliveries, { what: fill(LIST.deliveries, { n: count(n) }) });
}

/** Finds what is counted: a message that was replayed since is not left over any more. */
function filterOf(state: (typeof ORDER)[number]): string {
  return state === 'none' ? NO_SUBSCRIPTION : `state:${state}`;
}

/** One link per state. */
export function StateCounts({ counts, replayed = 0, within }: StateCountsProps): ReactElement {
  const listOf = (filter: string): string => `/messages?f=${addressPart(`${within} ${filter}`.trim())}`;
  return (
    <span className={css.counts}>
      {ORDER.map((state) => {
        const n = counts[state] ?? 0;
        if (n === 0) return null;
        return (
          <Link
            key={state}
            href={listOf(filterOf(state))}
            aria-label={`${CHIP_WORDS[state]} ${count(n)}`}
            className={css.link}
          >
            <Chip kind={state} amount={count(n)} meaning={whatIsCounted(state, n)} />
          </Link>
        );
      })}
      {replayed > 0 && (
        <Link href={listOf(REPLAYED_SINCE)} className={css.link}>
          <Chip
            kind="none"
            word={LIST.replayedSince}
            amount={count(replayed)}
            meaning={fill(LIST.countsReplayed, { n: count(replayed) })}
          />
        </Link>
      )}
    </span>
  );
}
