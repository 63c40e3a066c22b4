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
    does: 'gives the event-router components with their fields, the steps of their input side, handshakes and calls, and the router they talk to',
    params: members({ component: Optional(name) }),
    result: eventRouterStatus,
  }),
  'eventRouter.handshake': actAtOnce({
    does: 'runs handshakes: `probe` sends OPTIONS through the ingress, `router` has the router ask again, `retry` runs the step that waits, `validate` and `revoke` give and withdraw consent',
    params: handshakeParams,
    result: handshakeResult,
  }),
  'eventRouter.emulate': act({
    does: 'sends a handshake or events to the webhook as the router would, with a good, a wrong or no token',
    params: emulateParams,
    result: emulateResult,
  }),
  'eventRouter.create': act({
    does: 'without `component`: adds a working example (`notKept` says why it ends with the run). With `component`: calls the operation `create` of its output side. `remove` removes an example',
    params: createParams,
    result: createResult,
  }),
  'eventRouter.subscriptions': actAtOnce({
    does: 'lists event subscriptions as stored, and how they differ from what the component wants; puts one again, changes or deletes one, tries an event on its filter',
    params: subscriptionsParams,
    result: subscriptionsResult,
  }),
  'eventRouter.deliveries': query({
    does: "lists the embedded router's deliveries, gives one of them in full, or lists its dead-letter files",
    params: deliveriesParams,
    result: deliveriesResult,
  }),
  'eventRouter.act': act({
    does: "acts on the embedded router's deliveries: retries, holds, releases, drops, dead-letters or parks one, several or all that match; replays one, changed or to another subscription; replays or deletes a dead-letter file",
    params: routerActParams,
    result: changed,
  }),
  'eventRouter.breakpoints': act({
    does: "lists, adds and removes filters; events that match are held in the router's queue before their first attempt",
    params: breakpointsParams,
    result: members({
      items: list(routerBreakpoint),
    }),
  }),
  'eventRouter.topics': actAtOnce({
    does: "lists the router's topics; makes a new key; disables or enables a topic",
    params: topicsParams,
    result: members({
      items: list(routerTopic),
    }),
  }),
  'eventRouter.token': actAtOnce({
    does: 'gives tokens, published keys and the verdicts on received tokens; refreshes or rotates them, makes the next tokens faulty, changes the directory',
    params: tokenParams,
    result: tokenResult,
  }),
  'eventRouter.certificate': actAtOnce({
    does: 'gives the local authority, its certificate and the ways to trust it; renews or rotates them',
    params: certificateParams,
    result: certificateResult,
  }),
  'eventRouter.faults': act({
    does: 'gives and sets which faults the embedded router makes on purpose, and the scale of its waits',
    params: faultsParams,
    result: faultsResult,
  }),
  'eventRouter.simulate': query({
    does: 'plays a delivery through the schedule with given answers; nothing is sent',
    params: simulateParams,
    result: simulateResult,
  }),
  'eventRouter.reveal': query({
    does: "shows one secret in plain text, or with `sas` a signature token made with a topic's key; the log says so",
    params: revealParams,
    result: members({
      value: Text(),
    }),
  }),
};

export type EventRouterMethod = keyof typeof EVENT_ROUTER;
