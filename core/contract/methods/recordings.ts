/** Methods for exports, imported recordings, and tests made from them. */
import { id } from '../bounds.ts';
import { act, actAtOnce, query } from '../method.ts';
import {
  compareParams,
  compareResult,
  exportParams,
  exportPart,
  exportStarted,
  importParams,
  recording,
  recordingReplayParams,
  toTestParams,
  toTestResult,
} from '../recording.ts';
import { Integer, list, members, none, Null, Num, Text } from '../schema.ts';

export const RECORDINGS = {
  'recordings.export': actAtOnce({
    does: 'begins an export of all, a filter or named messages; read it part by part',
    params: exportParams,
    result: exportStarted,
  }),
  'recordings.read': query({
    does: 'part 1, 2, … of an export; the last part again when an answer was lost',
    params: members({ jobId: id, part: Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    result: exportPart,
  }),
  'recordings.import': actAtOnce({
    does: 'opens a recording beside the live history, whole or in pieces; bad lines are named',
    params: importParams,
    result: recording,
  }),
  'recordings.list': query({
    does: 'recordings that are open',
    params: none,
    result: members({
      items: list(recording),
    }),
  }),
  'recordings.close': actAtOnce({
    does: 'closes one; the file it came from is not touched',
    params: members({ recordingId: id }),
    result: Null(),
  }),
  'recordings.replay': act({
    does: 'publishes messages of a recording here as new ones; a job',
    params: recordingReplayParams,
    result: members({
      jobId: Text(),
      count: Num(),
    }),
  }),
  'recordings.compare': query({
    does: 'which messages of two recordings, or of a recording and the live history, are the same, differ, or are in one of them only; at most 5,000 of each',
    params: compareParams,
    result: compareResult,
  }),
  'recordings.toTest': query({
    does: 'a scenario file that publishes the messages again and looks at what becomes of them; for `vitest` also a test that runs it',
    params: toTestParams,
    result: toTestResult,
  }),
};
