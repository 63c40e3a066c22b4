/** What a person does with the embedded router is on disk before it is answered. */
import type { EventRouterService } from '../../ports/event-router.ts';

/** The same methods; each resolves after `written` was called. */
export function keptFirst(methods: EventRouterService, written: () => void): EventRouterService {
  const after =
    <P, R>(method: (params: P) => Promise<R>) =>
    async (params: P): Promise<R> => {
      const result = await method(params);
      written();
      return result;
    };
  return {
    status: after(methods.status),
    handshake: after(methods.handshake),
    emulate: after(methods.emulate),
    create: after(methods.create),
    subscriptions: after(methods.subscriptions),
    deliveries: after(methods.deliveries),
    act: after(methods.act),
    breakpoints: after(methods.breakpoints),
    topics: after(methods.topics),
    token: after(methods.token),
    certificate: after(methods.certificate),
    faults: after(methods.faults),
    simulate: after(methods.simulate),
    reveal: after(methods.reveal),
  };
}
