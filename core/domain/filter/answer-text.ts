/** Which values of the key `answer` are searched in the bodies of answers. */
import { STATUS_WORDS } from '../../contract/status-words.ts';
import type { FilterValue } from './ast.ts';
import { wholeMatch } from './glob.ts';

type TextValue = Extract<FilterValue, { kind: 'string' | 'pattern' }>;

/** A value that is searched in answers; undefined for any other. One that a status word fits means that word alone: `RETRY`, `S*`. */
export function answerText(value: FilterValue): TextValue | undefined {
  if ((value.kind !== 'string' && value.kind !== 'pattern') || value.value === '') return undefined;
  const wanted = value.value.toUpperCase();
  const fits = value.kind === 'pattern' ? wholeMatch(wanted) : (word: string) => word === wanted;
  return STATUS_WORDS.some(fits) ? undefined : value;
}
