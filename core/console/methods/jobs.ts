/** `messages.replayMany`, `messages.delete`, `undo`, `jobs.*`. */
import type { JOBS } from '../../contract/methods/jobs.ts';
import type { MethodsOf } from '../caller.ts';
import type { MethodDependencies } from './dependencies.ts';

export function jobMethods({ runtime, jobs }: MethodDependencies): MethodsOf<typeof JOBS> {
  return {
    'messages.replayMany': (params) => runtime.replayJobs.start(params),
    'messages.delete': (params) => runtime.removals.remove(params),
    undo: ({ token }) => runtime.removals.undo(token),
    'jobs.get': ({ jobId }) =>
      runtime.replayJobs.has(jobId) ? runtime.replayJobs.get(jobId) : jobs.get(jobId).report(),
    'jobs.list': () => ({ items: [...runtime.replayJobs.list(), ...jobs.list()] }),
    'jobs.cancel': ({ jobId }) => {
      if (runtime.replayJobs.has(jobId)) return runtime.replayJobs.cancel(jobId);
      const job = jobs.get(jobId);
      job.cancel();
      return job.report();
    },
  };
}
