/** `eventRouter.*`: the methods of the event router. */
import { name } from '../bounds.ts';
import { eventRouterStatus } from './components.ts';
import { breakpointsParams, routerBreakpoint, routerTopic } from './local-router.ts';
import {
  certificateParams,
  certificateResult,
  createParams,
  createResult,
  deliveriesParams,
  deliveriesResult,
  emulateParams,
  emulateResult,
  faultsParams,
  faultsResult,
  handshakeParams,
  handshakeResult,
  revealParams,
  routerActParams,
  subscriptionsParams,
  subscriptionsResult,
  tokenParams,
  tokenResult,
  topicsParams,
} from './methods.ts';
import { simulateParams, simulateResult } from './simulate.ts';
import { act, actAtOnce, query } from '../method.ts';
import { list, members, Optional, Text } from '../schema.ts';
import { changed } from '../targets.ts';

export const EVENT_ROUTER = {
  'eventRouter.status': query({
    does: 'event-router components with their fields, the steps of their input side, handshakes and calls; the router they talk to',
    params: members({ component: Optional(name) }),
    result: eventRouterStatus,
  }),
  'eventRouter.handshake': actAtOnce({
    does: 'handshakes; `probe` sends OPTIONS through the ingress, `router` has the router ask again, `retry` runs the step that waits, `validate` and `revoke` give and withdraw consent',
    params: handshakeParams,
    result: handshakeResult,
  }),
  'eventRouter.emulate': act({
    does: 'sends a handshake or events to the webhook as the router would, with a good, a wrong or no token',
    params: emulateParams,
    result: emulateResult,
  }),
  'eventRouter.create': act({
    does: 'without `component`: adds a working example (`notKept` says why it ends with the run); with it: the operation `create` of its output side; `remove` removes an example',
    params: createParams,
    result: createResult,
  }),
  'eventRouter.subscriptions': actAtOnce({
    does: 'event subscriptions as stored and how they differ; put again, change, delete, try an event on the filter',
    params: subscriptionsParams,
    result: subscriptionsResult,
  }),
  'eventRouter.deliveries': query({
    does: "the embedded router's deliveries, one of them in full, or its dead-letter files",
    params: deliveriesParams,
    result: deliveriesResult,
  }),
  'eventRouter.act': act({
    does: 'retry, hold, release, drop, dead-letter, park its deliveries, one, several or all that match; replay one, changed or to another subscription; replay or delete a dead-letter file',
    params: routerActParams,
    result: changed,
  }),
  'eventRouter.breakpoints': act({
    does: "filters whose events are held in the router's queue before their first attempt",
    params: breakpointsParams,
    result: members({
      items: list(routerBreakpoint),
    }),
  }),
  'eventRouter.topics': actAtOnce({
    does: 'its topics; a new key, disable, enable',
    params: topicsParams,
    result: members({
      items: list(routerTopic),
    }),
  }),
  'eventRouter.token': actAtOnce({
    does: 'tokens, published keys and the verdicts on received ones; refresh, rotate, make the next ones faulty; the directory',
    params: tokenParams,
    result: tokenResult,
  }),
  'eventRouter.certificate': actAtOnce({
    does: 'local authority and certificate with the ways to trust it; renew, rotate',
    params: certificateParams,
    result: certificateResult,
  }),
  'eventRouter.faults': act({
    does: 'what the embedded router does wrong on purpose, and the scale of its waits',
    params: faultsParams,
    result: faultsResult,
  }),
  'eventRouter.simulate': query({
    does: 'a delivery played through the schedule with given answers; nothing is sent',
    params: simulateParams,
    result: simulateResult,
  }),
  'eventRouter.reveal': query({
    does: "one secret in plain text, or with `sas` a signature token made with a topic's key; written to the log",
    params: revealParams,
    result: members({
      value: Text(),
    }),
  }),
};

export type EventRouterMethod = keyof typeof EVENT_ROUTER;
