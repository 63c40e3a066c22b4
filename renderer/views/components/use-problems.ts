/** Problems of a component file while it is edited. */
import { useEffect, useState } from 'react';
import type { Problem } from '../../../core/contract/subscription.ts';
import { useConsole, useOpenings } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';

const REST_MS = 300;

/** Problems of the text, from the host, after a pause in typing, and again once the connection is back. */
export function useProblems(file: string, text: string): readonly Problem[] | undefined {
  const { call } = useConsole();
  const openings = useOpenings();
  const [problems, setProblems] = useState<readonly Problem[] | undefined>();
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(() => {
      call('components.validate', { file, text }).then(
        (answer) => isCurrent && setProblems(answer.problems),
        (reason: unknown) => isCurrent && setProblems([{ message: asFailure(reason).message }]),
      );
    }, REST_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [call, file, text, openings]);
  return problems;
}
