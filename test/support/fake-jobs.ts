/** Jobs and removals that do nothing but note what they were asked. */
import type { ReplayJob } from '../../core/contract/jobs.ts';
import type { RuntimeApi } from '../../core/runtime/runtime.ts';

type Note = (method: string, args: readonly unknown[]) => void;

export function fakeJobs(note: Note): RuntimeApi['replayJobs'] {
  return {
    has: (jobId) => jobId.startsWith('job_replay'),
    async start(params) {
      note('jobs.start', [params]);
      return { jobId: 'job_replay1', count: 2 };
    },
    get(jobId) {
      note('jobs.get', [jobId]);
      return jobOf(jobId);
    },
    list: () => [jobOf('job_replay1')],
    cancel(jobId) {
      note('jobs.cancel', [jobId]);
      return jobOf(jobId);
    },
  };
}

export function fakeRemovals(note: Note): RuntimeApi['removals'] {
  return {
    async remove(what) {
      note('removals.remove', [what]);
      return { removed: 1, undoToken: 'undo_1' };
    },
    async undo(token) {
      note('removals.undo', [token]);
      return { restored: 1 };
    },
  };
}

function jobOf(jobId: string): ReplayJob {
  const startedAt = '2026-01-02T03:04:05.000Z';
  const kind = 'messages.replayMany';
  return { jobId, kind, startedAt, count: 2, done: 1, failed: [], failures: 0, running: true };
}
