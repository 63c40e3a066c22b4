/** `messages.replayMany`, `messages.delete`, `undo`, `jobs.*`. */
import type { ActingMethods } from '../../contract/jobs.ts';
import type { JobMethods } from '../../contract/recording.ts';
import type { MethodTable } from '../caller.ts';
import type { MethodDependencies } from './dependencies.ts';

type Named = keyof ActingMethods | keyof JobMethods;

export function jobMethods({ runtime, jobs }: MethodDependencies): Pick<MethodTable, Named> {
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
