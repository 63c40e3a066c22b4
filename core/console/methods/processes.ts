/** `processes.*`: the processes of a run of several apps. */
import type { PROCESSES } from '../../contract/methods/processes.ts';
import type { MethodsOf } from '../caller.ts';
import { whole } from './dependencies.ts';
import type { MethodDependencies } from './dependencies.ts';

export function processMethods({ processes }: MethodDependencies): MethodsOf<typeof PROCESSES> {
  return {
    'processes.list': () => whole(processes.list()),
    'processes.restart': ({ appId }, { by }) => processes.restart(appId, by),
    'processes.stop': ({ appId }, { by }) => processes.stop(appId, by),
    'processes.start': ({ appId }) => processes.start(appId),
    'processes.logs': (query) => processes.logs(query),
  };
}
