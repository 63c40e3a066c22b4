/** Every method of the contract; a missing one does not compile. */
import type { MethodTable } from '../caller.ts';
import { deliveryMethods } from './deliveries.ts';
import { jobMethods } from './jobs.ts';
import { messageMethods } from './messages.ts';
import { mockAppMethods } from './mock-app.ts';
import type { MethodDependencies } from './dependencies.ts';
import { recordingMethods } from './recordings.ts';
import { processMethods } from './processes.ts';
import { savedMethods } from './saved.ts';
import { systemMethods } from './system.ts';
import { tapMethods } from './taps.ts';
import { topologyMethods } from './topology.ts';
import { monitoringMethods } from './monitoring.ts';

export function createMethods(deps: MethodDependencies): MethodTable {
  return {
    ...messageMethods(deps),
    ...jobMethods(deps),
    ...deliveryMethods(deps),
    ...mockAppMethods(deps),
    ...topologyMethods(deps),
    ...tapMethods(deps),
    ...processMethods(deps),
    ...systemMethods(deps),
    ...savedMethods(deps),
    ...monitoringMethods(deps),
    ...deps.eventRouter,
    ...recordingMethods(deps),
  };
}
