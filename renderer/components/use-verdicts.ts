/** Asks the host to what answers would lead, while they are being typed. Nothing is sent to the app. */
import { useEffect, useState } from 'react';
import type { Params, Result } from '../../core/contract/console.ts';
import { useConsole, useOpenings } from '../state/context.ts';

export type VerdictQuestion = Params<'verdict.explain'>;
export type Verdict = Result<'verdict.explain'>;

const REST_MS = 200;

/** One verdict for each question, in order; undefined: not known yet, or no connection. */
export function useVerdicts(questions: readonly VerdictQuestion[]): readonly Verdict[] | undefined {
  const { call } = useConsole();
  const openings = useOpenings();
  const key = JSON.stringify(questions);
  const [told, setTold] = useState<{ readonly key: string; readonly verdicts: readonly Verdict[] }>();
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      const asked: readonly VerdictQuestion[] = JSON.parse(key);
      Promise.all(asked.map((question) => call('verdict.explain', question))).then(
        (verdicts) => isCurrent && setTold({ key, verdicts }),
        // No verdict comes without a connection; the save button reports that.
        () => isCurrent && setTold(undefined),
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [call, key, openings]);
  return told?.key === key ? told.verdicts : undefined;
}
