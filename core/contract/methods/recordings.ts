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
    does: 'starts an export of all messages, of those that match a filter, or of named ones; `recordings.read` gives its parts. It is refused (`NOT_FOUND`) if there is no message to export',
    params: exportParams,
    result: exportStarted,
  }),
  'recordings.read': query({
    does: 'gives part 1, 2, … of an export; the last part can be read once more, in case its answer was lost',
    params: members({ jobId: id, part: Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }) }),
    result: exportPart,
  }),
  'recordings.import': actAtOnce({
    does: 'opens a recording beside the live history; send it whole or in pieces. The result names lines that cannot be read, and `endsEarly` says that the last line of the recording is missing',
    params: importParams,
    result: recording,
  }),
  'recordings.list': query({
    does: 'lists the recordings that are open',
    params: none,
    result: members({
      items: list(recording),
    }),
  }),
  'recordings.close': actAtOnce({
    does: 'closes a recording; the file it came from stays as it is',
    params: members({ recordingId: id }),
    result: Null(),
  }),
  'recordings.replay': act({
    does: 'starts a job that publishes the messages of a recording again, as new ones',
    params: recordingReplayParams,
    result: members({
      jobId: Text(),
      count: Num(),
    }),
  }),
  'recordings.compare': query({
    does: 'says which messages of two recordings, or of a recording and the live history, are the same, differ, or are in only one of them; at most 5,000 of each',
    params: compareParams,
    result: compareResult,
  }),
  'recordings.toTest': query({
    does: 'makes a scenario file that publishes the messages again and checks what becomes of them; for `vitest` also a test that runs it',
    params: toTestParams,
    result: toTestResult,
  }),
};
