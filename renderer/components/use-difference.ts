/** Differences between two texts: short ones are compared at once, long ones in a worker. */
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { differenceOf, type Difference, type DifferenceQuestion } from '../format/diff.ts';
import { LONG_TEXT } from './use-text-facts.ts';

/** Pause in typing after which long texts are compared. */
const REST_MS = 300;
const NOTHING: Difference = { changed: 0, lines: [] };

export type Compared =
  | { readonly state: 'known'; readonly difference: Difference }
  | { readonly state: 'comparing' }
  /** The state where there is no worker, or it took too long. */
  | { readonly state: 'unknown' };

/**
 * Compares the texts.
 * @param rests long ones once typing rests
 */
export function useDifference(before: string, after: string, rests = false): Compared {
  // Keystrokes come first; the differences are computed when there is time.
  const settled = useDeferredValue(after);
  const isSame = before === settled;
  const isLong = before.length + settled.length > LONG_TEXT;
  const question = useMemo((): DifferenceQuestion => ({ before, after: settled }), [before, settled]);
  const short = useMemo(
    () => (isLong ? NOTHING : differenceOf(question.before, question.after)),
    [question, isLong],
  );
  const [long, setLong] = useState<{
    readonly of: DifferenceQuestion;
    readonly found: Difference | undefined;
  }>();
  useEffect(() => {
    if (isSame || !isLong) return undefined;
    const own = new AbortController();
    const put = (found: Difference | undefined): void => {
      if (!own.signal.aborted) setLong({ of: question, found });
    };
    const timer = setTimeout(
      () => {
        import('../client/read-difference.ts')
          .then(({ readDifference }) => readDifference(question, { signal: own.signal }))
          .then(put, () => put(undefined));
      },
      rests ? REST_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      own.abort();
    };
  }, [question, isSame, isLong, rests]);
  if (isSame || !isLong) return { state: 'known', difference: short };
  if (long?.of !== question) return { state: 'comparing' };
  return long.found === undefined ? { state: 'unknown' } : { state: 'known', difference: long.found };
}
