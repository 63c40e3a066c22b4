/** What there is to know of a text: at once of a short one; a long one is read in a worker, which can be given up. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { readText, type TextFacts, type TextQuestion } from '../format/text-facts.ts';

/** Longer ones would be felt under the fingers. */
export const LONG_TEXT = 256 * 1024;
/** While someone types, nothing is read. */
const REST_MS = 200;

export type TextReading =
  | { readonly state: 'none' }
  | { readonly state: 'known'; readonly facts: TextFacts }
  /** `share` from 0 to 1. */
  | { readonly state: 'reading'; readonly share: number; readonly stop: () => void }
  /** Given up, or no worker could be had. */
  | { readonly state: 'unknown'; readonly again: () => void };

type Long = { readonly of: object } & (
  | { readonly facts: TextFacts }
  | { readonly share: number }
  | { readonly gaveUp: true }
);

/** Reads the text; `question` must be the same object as long as it asks the same. @param rests waits until typing rests */
export function useTextFacts(question: TextQuestion | undefined, rests = false): TextReading {
  const isLong = question !== undefined && question.text.length > LONG_TEXT;
  const short = useMemo(
    () => (question === undefined || isLong ? undefined : readText(question)),
    [question, isLong],
  );
  const [long, setLong] = useState<Long>();
  const [turn, setTurn] = useState(0);
  const running = useRef<AbortController>(undefined);
  const stop = useCallback(() => running.current?.abort(), []);
  const again = useCallback(() => {
    setLong(undefined);
    setTurn((last) => last + 1);
  }, []);

  useEffect(() => {
    if (!isLong) return undefined;
    const now = new AbortController();
    let isCurrent = true;
    running.current = now;
    const put = (next: Long): void => {
      if (isCurrent) setLong(next);
    };
    const timer = setTimeout(
      () => {
        import('../client/read-text.ts')
          .then(({ readLongText }) =>
            readLongText(question, { signal: now.signal, onShare: (share) => put({ of: question, share }) }),
          )
          .then(
            (facts) => put({ of: question, facts }),
            // Given up, or the reader could not be fetched: nothing is said about the text.
            () => put({ of: question, gaveUp: true }),
          );
      },
      rests ? REST_MS : 0,
    );
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      now.abort();
    };
  }, [question, isLong, rests, turn]);

  if (question === undefined) return { state: 'none' };
  if (short !== undefined) return { state: 'known', facts: short };
  const own = long?.of === question ? long : undefined;
  if (own === undefined) return { state: 'reading', share: 0, stop };
  if ('facts' in own) return { state: 'known', facts: own.facts };
  return 'share' in own ? { state: 'reading', share: own.share, stop } : { state: 'unknown', again };
}
