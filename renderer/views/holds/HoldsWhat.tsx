/** The line of the hold's form that says what it will hold; as a warning where that is everything. */
import { Info, TriangleAlert } from 'lucide-react';
import { useEffect, useState, type ReactElement } from 'react';
import type { HoldPoint } from '../../../core/contract/hold.ts';
import { cx } from '../../components/class-names.ts';
import { HOLD_EDITOR } from '../../copy/holds.ts';
import { fill } from '../../copy/fill.ts';
import { distinct } from '../../state/act-question.ts';
import { useConsole, useOpenings } from '../../state/context.ts';
import css from './Holds.module.css';
import { holdsWhat, lastMinute, type LastMinute } from './holds-what.ts';

/** Time without typing after which a filter is counted. */
const REST_MS = 200;
/** Time after which it is counted again, because the last minute moves on while the form is open. */
const AGAIN_MS = 5_000;

/** The messages of the last minute; undefined: not counted by now, or the filter cannot be read. */
function useLastMinute(filter: string): LastMinute | undefined {
  const { call } = useConsole();
  const openings = useOpenings();
  const [counted, setCounted] = useState<{ readonly filter: string } & LastMinute>();
  useEffect(() => {
    let isCurrent = true;
    const total = async (of: string): Promise<number> =>
      (await call('messages.list', { filter: lastMinute(of), limit: 1 })).total;
    const countIt = (): void => {
      Promise.all([total(''), total(filter)])
        .then(
          ([all, matching]) => isCurrent && setCounted({ filter, all, matching }),
          // The field explains a filter that cannot be read, and the connection bar a lost connection.
          () => isCurrent && setCounted(undefined),
        )
        .finally(() => {
          if (isCurrent) timer = setTimeout(countIt, AGAIN_MS);
        });
    };
    let timer = setTimeout(countIt, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [call, filter, openings]);
  return counted?.filter === filter ? counted : undefined;
}

/** Terms of the filter that can match nothing at this point; the host knows them. */
function useNever(filter: string, at: HoldPoint): readonly string[] {
  const { call } = useConsole();
  const openings = useOpenings();
  const [found, setFound] = useState<{ filter: string; at: HoldPoint; never: readonly string[] }>();
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      call('filter.check', { filter, at }).then(
        ({ never = [] }) => isCurrent && setFound({ filter, at, never }),
        // The connection bar tells of a lost connection.
        () => undefined,
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [call, filter, at, openings]);
  return found?.filter === filter && found.at === at ? found.never : [];
}

export interface HoldsWhatProps {
  readonly at: HoldPoint;
  readonly filter: string;
  readonly times: string;
}

export function HoldsWhat(props: HoldsWhatProps): ReactElement {
  const counted = useLastMinute(props.filter);
  const never = useNever(props.filter, props.at);
  const isAll = props.filter.trim() === '';
  const Icon = isAll ? TriangleAlert : Info;
  return (
    <div>
      <p className={css.holdsWhat} data-all={isAll || undefined}>
        <Icon aria-hidden size={14} />
        <span>
          {holdsWhat(props, counted)} {HOLD_EDITOR.replaysPass}
        </span>
      </p>
      {/* The region is there before its text, so that the text is read out. */}
      <div aria-live="polite">
        {never.length > 0 && (
          <p className={cx(css.holdsWhat, css.never)} data-all>
            <TriangleAlert aria-hidden size={14} />
            <span>{fill(HOLD_EDITOR.neverMatches, { terms: distinct(never), n: never.length })}</span>
          </p>
        )}
      </div>
    </div>
  );
}
