/** What is wrong with a file that was chosen for a part of a draft, until that part changes. */
import { useState } from 'react';

/**
 * State of the mistake.
 * @param part the entries or the data, as they are drawn
 * @param partNow gives the part as it is by then, because reading a file takes time
 * @returns the mistake, and a function that sets it
 */
export function useFileMistake<T>(
  part: T,
  partNow: () => T,
): readonly [string | undefined, (text: string | undefined) => void] {
  const [mistake, setMistake] = useState<{ readonly text: string | undefined; readonly of: T }>();
  return [mistake?.of === part ? mistake?.text : undefined, (text) => setMistake({ text, of: partNow() })];
}
