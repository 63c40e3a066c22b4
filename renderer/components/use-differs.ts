/** Whether a form differs from how it opened: only then is something lost with it, however it was entered. */
import { useState } from 'react';
import { isSame } from './shared-fields.ts';

/**
 * Remembers the fields that a form opened with.
 * @param fields what the form shows
 * @returns whether one of them is another by now
 */
export function useDiffers<F extends object>(fields: F): boolean {
  const [opened] = useState(fields);
  return opened !== fields && namesOf(fields).some((name) => !isSame(opened[name], fields[name]));
}

function namesOf<F extends object>(fields: F): readonly (keyof F)[] {
  return Object.keys(fields) as (keyof F)[];
}
