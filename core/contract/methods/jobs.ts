/** Work over many messages, and removing them. */
import { filter, id, messageIds } from '../bounds.ts';
import { replayManyParams } from '../jobs.ts';
import { act, actAtOnce, query } from '../method.ts';
import { jobReport } from '../recording.ts';
import { list, members, none, Num, Optional, Text } from '../schema.ts';

export const JOBS = {
  'messages.replayMany': act({
    does: 'starts a job for the messages that are named or that match; exactly one of `messageIds` and `filter`. A dry run only counts',
    params: replayManyParams,
    result: members({
      jobId: Text(),
      count: Num(),
    }),
  }),
  'messages.delete': act({
    does: 'takes messages out of the history; exactly one of `messageIds` and `filter`. They are really removed after 10 s, or at an orderly end; until then their deliveries go on',
    params: members({ messageIds: Optional(messageIds), filter: Optional(filter) }),
    result: members({
      removed: Num(),
      undoToken: Text(),
    }),
  }),
  undo: act({
    does: 'brings removed messages back',
    params: members({ token: id }),
    result: members({
      restored: Num(),
    }),
  }),
  'jobs.get': query({
    does: 'how far a job is: count, done, failed with reasons, running',
    params: members({ jobId: id }),
    result: jobReport,
  }),
  'jobs.list': query({
    does: 'running jobs and the last 20 that ended',
    params: none,
    result: members({
      items: list(jobReport),
    }),
  }),
  'jobs.cancel': actAtOnce({
    does: 'ends a job after the message it is at',
    params: members({ jobId: id }),
    result: jobReport,
  }),
};
