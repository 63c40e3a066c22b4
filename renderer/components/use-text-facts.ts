/** Facts about a text: at once for a short one; a long one is read in a worker, which can be cancelled. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { readText, type TextFacts, type TextQuestion } from '../format/text-facts.ts';

/** Length from which reading would delay typing. */
export const LONG_TEXT = 128 * 1024;
/** Pause in typing after which a text is read. */
const REST_MS = 200;

export type TextReading =
  | { readonly state: 'none' }
  | { readonly state: 'known'; readonly facts: TextFacts }
  /** Reading is in progress; `share` from 0 to 1. */
  | { readonly state: 'reading'; readonly share: number; readonly stop: () => void }
  /** Reading was cancelled, or there is no worker. */
  | { readonly state: 'unknown'; readonly again: () => void };

type Long = { readonly of: object } & (
  | { readonly facts: TextFacts }
  | { readonly share: number }
  | { readonly gaveUp: true }
);

/**
 * Reads the text. `question` must be the same object for the same question.
 * @param rests waits for a pause in typing
 */
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
            // Reading was cancelled, or the reader could not be loaded: there are no facts about the text.
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
