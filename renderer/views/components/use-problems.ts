/** What is wrong with a component file while it is written. */
import { useEffect, useState } from 'react';
import type { Problem } from '../../../core/contract/subscription.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';

const REST_MS = 300;

/** What is wrong with the text, asked from the host once typing rests. */
export function useProblems(file: string, text: string): readonly Problem[] | undefined {
  const { call } = useConsole();
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
  }, [call, file, text]);
  return problems;
}
