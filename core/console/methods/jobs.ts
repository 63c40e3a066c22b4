/** `messages.replayMany`, `messages.delete`, `undo`, `jobs.*`. */
import type { JOBS } from '../../contract/methods/jobs.ts';
import type { MethodsOf } from '../caller.ts';
import type { MethodDependencies } from './dependencies.ts';

export function jobMethods({ runtime, jobs }: MethodDependencies): MethodsOf<typeof JOBS> {
  return {
    'messages.replayMany': (params) => runtime.jobs.start(params),
    'messages.delete': (params) => runtime.bin.remove(params),
    undo: ({ token }) => runtime.bin.undo(token),
    'jobs.get': ({ jobId }) => (runtime.jobs.has(jobId) ? runtime.jobs.get(jobId) : jobs.get(jobId).report()),
    'jobs.list': () => ({ items: [...runtime.jobs.list(), ...jobs.list()] }),
    'jobs.cancel': ({ jobId }) => {
      if (runtime.jobs.has(jobId)) return runtime.jobs.cancel(jobId);
      const job = jobs.get(jobId);
      job.cancel();
      return job.report();
    },
  };
}
