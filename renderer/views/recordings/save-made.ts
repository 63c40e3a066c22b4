/** Files of a test that was made, given to the person; and the sentence that says so. */
import type { ToTestResult } from '../../../core/contract/recording.ts';
import { fill } from '../../copy/fill.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { saveFile } from '../../format/save-file.ts';

/** What was saved, and how many messages stayed out; the first reason is told. */
export function saveMade({ files, skipped }: ToTestResult): string {
  for (const { name, text } of files) saveFile(name, [text]);
  const reason = skipped[0]?.reason ?? '';
  const [file] = files;
  if (file === undefined) return fill(RECORDINGS.scenarioNone, { reason });
  const { name } = file;
  if (skipped.length === 0) return fill(RECORDINGS.scenarioSaved, { name });
  return fill(RECORDINGS.scenarioPart, { name, n: skipped.length, reason });
}
