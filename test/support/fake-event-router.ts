/** An event router without any component: what a console needs to be built. */
import { Refusal } from '../../core/domain/refusal.ts';
import type { EventRouterMethods } from '../../core/ports/event-router.ts';

/** Answers `eventRouter.status` with nothing loaded; everything else is refused with NOT_FOUND. */
export function fakeEventRouter(): EventRouterMethods {
  const nothing = async (): Promise<never> => {
    throw new Refusal('NOT_FOUND', { reason: 'No event-router component is loaded.' });
  };
  return {
    'eventRouter.status': async () => ({ mode: 'off', components: [] }),
    'eventRouter.handshake': nothing,
    'eventRouter.emulate': nothing,
    'eventRouter.create': nothing,
    'eventRouter.subscriptions': nothing,
    'eventRouter.deliveries': nothing,
    'eventRouter.act': nothing,
    'eventRouter.breakpoints': nothing,
    'eventRouter.topics': nothing,
    'eventRouter.token': nothing,
    'eventRouter.certificate': nothing,
    'eventRouter.faults': nothing,
    'eventRouter.simulate': nothing,
    'eventRouter.reveal': nothing,
  };
}
