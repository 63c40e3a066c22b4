/** What a person has to know of the file of a recording that was not read whole. */
import type { Recording } from '../../core/contract/recording.ts';
import { fill } from '../copy/fill.ts';
import { RECORDINGS } from '../copy/recordings.ts';
import { count } from './quantity.ts';

/** Sentences about lines that could not be read, and about a file that ends early; none: the file was read whole. */
export function recordingProblems({
  problems: [first],
  problemCount,
  endsEarly,
}: Pick<Recording, 'problems' | 'problemCount' | 'endsEarly'>): readonly string[] {
  return [
    ...(first === undefined
      ? []
      : [fill(RECORDINGS.problems, { n: count(problemCount), line: first.line, message: first.message })]),
    ...(endsEarly ? [RECORDINGS.endsEarly] : []),
  ];
}
