/** Lines of a body that a person changed, beside those that it had. A file of its own, as few messages need the library behind it. */
import type { ReactElement } from 'react';
import { diffLines } from '../../format/diff.ts';
import { DiffLines } from '../DiffLines.tsx';

export interface ChangedLinesProps {
  readonly before: string;
  readonly after: string;
}

export function ChangedLines({ before, after }: ChangedLinesProps): ReactElement {
  return <DiffLines lines={diffLines(before, after)} />;
}
