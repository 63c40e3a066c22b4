/** Chips with the number of deliveries in each state; states without deliveries are left out. */
import type { ReactElement } from 'react';
import { Link } from 'wouter';
import { ATTENTION_ORDER } from '../../core/contract/attention.ts';
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
  /** Filter that restricts the links, for example `topic:orders`. */
  readonly within: string;
}

/** A cell of a table; '' without deliveries, so that a narrow table leaves out its head too. */
export function countsCell(props: StateCountsProps): ReactElement | '' {
  const isEmpty = ORDER.every((state) => (props.counts[state] ?? 0) === 0);
  return isEmpty ? '' : <StateCounts key="states" {...props} />;
}

/** The list behind a link has messages, of which one may have several of these deliveries. */
function whatIsCounted(n: number): string {
  return fill(LIST.countsDeliveries, { what: fill(LIST.deliveries, { n: count(n) }) });
}

/** Finds what is counted: a message that was replayed since is not left over any more. */
function filterOf(state: (typeof ORDER)[number]): string {
  return state === 'none' ? NO_SUBSCRIPTION : `state:${state}`;
}

/** One link per state. */
export function StateCounts({ counts, within }: StateCountsProps): ReactElement {
  return (
    <span className={css.counts}>
      {ORDER.map((state) => {
        const n = counts[state] ?? 0;
        if (n === 0) return null;
        return (
          <Link
            key={state}
            href={`/messages?f=${addressPart(`${within} ${filterOf(state)}`.trim())}`}
            aria-label={`${CHIP_WORDS[state]} ${count(n)}`}
            title={state === 'none' ? undefined : whatIsCounted(n)}
            className={css.link}
          >
            <Chip kind={state} amount={count(n)} />
          </Link>
        );
      })}
    </span>
  );
}
