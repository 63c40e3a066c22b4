/** Writes a person's changes of the embedded router to disk before they are answered. */
import type { EventRouterMethods } from '../../ports/event-router.ts';

/** Wraps the methods so that each calls `written` before it resolves. */
export function writtenBeforeAnswer(methods: EventRouterMethods, written: () => void): EventRouterMethods {
  const after =
    <P, R>(method: (params: P) => Promise<R>) =>
    async (params: P): Promise<R> => {
      const result = await method(params);
      written();
      return result;
    };
  return {
    'eventRouter.status': after(methods['eventRouter.status']),
    'eventRouter.handshake': after(methods['eventRouter.handshake']),
    'eventRouter.emulate': after(methods['eventRouter.emulate']),
    'eventRouter.create': after(methods['eventRouter.create']),
    'eventRouter.subscriptions': after(methods['eventRouter.subscriptions']),
    'eventRouter.deliveries': after(methods['eventRouter.deliveries']),
    'eventRouter.act': after(methods['eventRouter.act']),
    'eventRouter.breakpoints': after(methods['eventRouter.breakpoints']),
    'eventRouter.topics': after(methods['eventRouter.topics']),
    'eventRouter.token': after(methods['eventRouter.token']),
    'eventRouter.certificate': after(methods['eventRouter.certificate']),
    'eventRouter.faults': after(methods['eventRouter.faults']),
    'eventRouter.simulate': after(methods['eventRouter.simulate']),
    'eventRouter.reveal': after(methods['eventRouter.reveal']),
  };
}
