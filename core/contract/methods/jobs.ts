/** Work over many messages, and removing them. */
import { filter, id, messageIds, upTo } from '../bounds.ts';
import { replayManyParams } from '../jobs.ts';
import { act, actAtOnce, query } from '../method.ts';
import { jobReport } from '../recording.ts';
import { list, members, none, Num, Optional, Text } from '../schema.ts';

export const JOBS = {
  'messages.replayMany': act({
    does: 'starts a job that replays several messages: give exactly one of `messageIds` and `filter`. A dry run only counts',
    params: replayManyParams,
    result: members({
      jobId: Text(),
      count: Num(),
    }),
  }),
  'messages.delete': act({
    does: 'removes messages from the history: give exactly one of `messageIds` and `filter`; with `upTo` the filter finds no message with a higher number. For 10 s, or until Sidelight ends in order, `undo` can restore them; until then their deliveries continue',
    params: members({ messageIds: Optional(messageIds), filter: Optional(filter), upTo: Optional(upTo) }),
    result: members({
      removed: Num(),
      undoToken: Text(),
    }),
  }),
  undo: act({
    does: 'restores removed messages',
    params: members({ token: id }),
    result: members({
      restored: Num(),
    }),
  }),
  'jobs.get': query({
    does: 'says how far a job has come: how many messages it has, how many are done, which failed and why, and whether it still runs',
    params: members({ jobId: id }),
    result: jobReport,
  }),
  'jobs.list': query({
    does: 'lists the running jobs and the last ones that ended: 20 replays, and so many other jobs that they are 100 together with the running ones',
    params: none,
    result: members({
      items: list(jobReport),
    }),
  }),
  'jobs.cancel': actAtOnce({
    does: 'ends a job after its current message',
    params: members({ jobId: id }),
    result: jobReport,
  }),
};
