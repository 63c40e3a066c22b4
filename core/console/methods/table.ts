/** Every method of the contract; a missing one does not compile. */
import type { MethodTable } from '../caller.ts';
import { deliveryMethods } from './deliveries.ts';
import { eventRouterMethods } from './event-router.ts';
import { jobMethods } from './jobs.ts';
import { messageMethods } from './messages.ts';
import { mockAppMethods } from './mock-app.ts';
import type { MethodParts } from './parts.ts';
import { recordingMethods } from './recordings.ts';
import { savedMethods } from './saved.ts';
import { systemMethods } from './system.ts';
import { topologyMethods } from './topology.ts';
import { watchingMethods } from './watching.ts';

export function createMethods(parts: MethodParts): MethodTable {
  return {
    ...messageMethods(parts),
    ...jobMethods(parts),
    ...deliveryMethods(parts),
    ...mockAppMethods(parts),
    ...topologyMethods(parts),
    ...systemMethods(parts),
    ...savedMethods(parts),
    ...watchingMethods(parts),
    ...eventRouterMethods(parts),
    ...recordingMethods(parts),
  };
}
