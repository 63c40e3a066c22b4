/** `eventRouter.*`: handed to the desk that the host made. */
import type { EVENT_ROUTER } from '../../contract/event-router/console.ts';
import type { MethodsOf } from '../caller.ts';
import type { MethodDependencies } from './dependencies.ts';

export function eventRouterMethods({ eventRouter }: MethodDependencies): MethodsOf<typeof EVENT_ROUTER> {
  return {
    'eventRouter.status': (params) => eventRouter.status(params),
    'eventRouter.handshake': (params) => eventRouter.handshake(params),
    'eventRouter.emulate': (params) => eventRouter.emulate(params),
    'eventRouter.create': (params) => eventRouter.create(params),
    'eventRouter.subscriptions': (params) => eventRouter.subscriptions(params),
    'eventRouter.deliveries': (params) => eventRouter.deliveries(params),
    'eventRouter.act': (params) => eventRouter.act(params),
    'eventRouter.breakpoints': (params) => eventRouter.breakpoints(params),
    'eventRouter.topics': (params) => eventRouter.topics(params),
    'eventRouter.token': (params) => eventRouter.token(params),
    'eventRouter.certificate': (params) => eventRouter.certificate(params),
    'eventRouter.faults': (params) => eventRouter.faults(params),
    'eventRouter.simulate': (params) => eventRouter.simulate(params),
    'eventRouter.reveal': (params) => eventRouter.reveal(params),
  };
}
