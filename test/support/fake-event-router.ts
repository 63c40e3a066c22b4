/** An event router without any component: what a console needs to be built. */
import { Refusal } from '../../core/domain/refusal.ts';
import type { EventRouterService } from '../../core/ports/event-router.ts';

/** Answers `status` with nothing loaded; everything else is refused with NOT_FOUND. */
export function fakeEventRouter(): EventRouterService {
  const nothing = async (): Promise<never> => {
    throw new Refusal('NOT_FOUND', { reason: 'No event-router component is loaded.' });
  };
  return {
    status: async () => ({ mode: 'off', components: [] }),
    handshake: nothing,
    emulate: nothing,
    create: nothing,
    subscriptions: nothing,
    deliveries: nothing,
    act: nothing,
    breakpoints: nothing,
    topics: nothing,
    token: nothing,
    certificate: nothing,
    faults: nothing,
    simulate: nothing,
    reveal: nothing,
  };
}
