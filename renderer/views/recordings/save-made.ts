/** Saves the files of a test, and makes the sentence about it. */
import type { ToTestResult } from '../../../core/contract/recording.ts';
import { fill } from '../../copy/fill.ts';
import { RECORDINGS } from '../../copy/recordings.ts';
import { saveFile } from '../../format/save-file.ts';

/** Sentence on what was saved, and on how many messages were left out, with the first reason. */
export function saveMade({ files, skipped }: ToTestResult): string {
  for (const { name, text } of files) saveFile(name, [text]);
  const reason = skipped[0]?.reason ?? '';
  const [file] = files;
  if (file === undefined) return fill(RECORDINGS.scenarioNone, { reason });
  const { name } = file;
  if (skipped.length === 0) return fill(RECORDINGS.scenarioSaved, { name });
  return fill(RECORDINGS.scenarioPart, { name, n: skipped.length, reason });
}
