/**
 * Shapes of the embedded event router's work: topics, subscriptions, deliveries with their attempts,
 * handshakes, dead letters.
 */
import { id, limit, name } from '../bounds.ts';
import { CAUSES, DELIVERY_STATES } from '../delivery.ts';
import { evrCode, subscriptionFilter, subscriptionRecord } from './wire.ts';
import type { AdvancedFilter } from './wire.ts';
import { INPUT_SCHEMAS, ROUTER_OUTCOMES } from './words.ts';
import {
  Bool,
  dictionary,
  extend,
  list,
  members,
  Num,
  oneOf,
  Optional,
  orNull,
  someOf,
  Text,
  Union,
} from '../schema.ts';
import type { Static } from '../schema.ts';

export type { RouterOutcome, RouterAct } from './words.ts';

export const deadLetterReason = oneOf([
  'MaxDeliveryAttemptsExceeded',
  'TimeToLiveExceeded',
  'UndeliverableByResponse',
  'MovedByHand',
]);
export type DeadLetterReason = Static<typeof deadLetterReason>;

export const routerTransition = members({
  from: orNull(oneOf(DELIVERY_STATES)),
  to: oneOf(DELIVERY_STATES),
  at: Text(),
  cause: oneOf(CAUSES),
  rule: Text(),
  note: Optional(Text()),
});
export type RouterTransition = Static<typeof routerTransition>;

/** A delivery in a list. Times are ISO 8601. */
export const routerDeliveryRow = members({
  deliveryId: Text(),
  /** `id` of the event as published. */
  eventId: Text(),
  eventType: Text(),
  subject: Optional(Text()),
  topic: Text(),
  /** Id of the event subscription's record, and its name. */
  subscriptionId: Text(),
  subscriptionName: Text(),
  state: oneOf(DELIVERY_STATES),
  attempts: Num(),
  maxAttempts: Num(),
  publishedAt: Text(),
  expiresAt: Text(),
  nextAttemptAt: Optional(Text()),
  lastOutcome: Optional(oneOf(ROUTER_OUTCOMES)),
  lastStatus: Optional(Num()),
  /** Code of the error that ended the last attempt. */
  lastCode: Optional(evrCode),
  /** Rule of the last transition. */
  rule: Text(),
  sizeBytes: Num(),
  deadLetter: Optional(
    members({
      reason: deadLetterReason,
      file: Optional(Text()),
      topic: Optional(Text()),
    }),
  ),
});
export type RouterDeliveryRow = Static<typeof routerDeliveryRow>;

/** Claims of a request's token, never the token. */
export const shownToken = members({
  kid: Optional(Text()),
  iss: Optional(Text()),
  aud: Optional(Union([Text(), list(Text())])),
  caller: Optional(Text()),
  expiresAt: Optional(Text()),
  roles: Optional(list(Text())),
});
export type ShownToken = Static<typeof shownToken>;

export const routerAttempt = members({
  attemptId: Text(),
  number: Num(),
  startedAt: Text(),
  endedAt: Optional(Text()),
  durationMs: Optional(Num()),
  /** Events in the request. */
  batchSize: Num(),
  request: members({
    method: Text(),
    url: Text(),
    headers: dictionary(Text()),
    body: Text(),
    bodyTruncated: Optional(Bool()),
  }),
  response: Optional(
    members({
      status: Num(),
      headers: dictionary(Text()),
      body: Text(),
      bodyTruncated: Optional(Bool()),
    }),
  ),
  error: Optional(
    members({
      code: Text(),
      message: Text(),
      evr: Optional(evrCode),
    }),
  ),
  outcome: Optional(oneOf(ROUTER_OUTCOMES)),
  rule: Optional(Text()),
  token: Optional(shownToken),
});
export type RouterAttempt = Static<typeof routerAttempt>;

/** A delivery with its whole history and its planned attempts. */
export const routerDelivery = extend(routerDeliveryRow, {
  transitions: list(routerTransition),
  history: list(routerAttempt),
  /** Attempts that follow if every one fails, up to the limits of attempts and time to live. */
  planned: list(
    members({
      number: Num(),
      at: Text(),
    }),
  ),
  /** The event as published, and as it is sent. */
  event: Text(),
  sent: Text(),
});
export type RouterDelivery = Static<typeof routerDelivery>;

export const routerDeliveryMembers = {
  states: Optional(list(oneOf(DELIVERY_STATES), { maxItems: DELIVERY_STATES.length })),
  subscriptionId: Optional(name),
  topic: Optional(name),
  text: Optional(name),
  cursor: Optional(Text()),
  /** Default 100. */
  limit: Optional(limit),
};
export const routerDeliveryQuery = members(routerDeliveryMembers);
export type RouterDeliveryQuery = Static<typeof routerDeliveryQuery>;

export const routerTopic = members({
  name: Text(),
  resourceId: Text(),
  endpoints: list(Text()),
  inputSchema: oneOf(INPUT_SCHEMAS),
  disabled: Bool(),
  disableLocalAuth: Bool(),
  /** Last four characters of each key. */
  keyHints: members({
    key1: Text(),
    key2: Text(),
  }),
  accepted: Num(),
  rejected: Num(),
  /** Newest first, at most 20. */
  rejections: list(
    members({
      at: Text(),
      status: Num(),
      reason: Text(),
      index: Optional(Num()),
    }),
  ),
});
export type RouterTopic = Static<typeof routerTopic>;

export const routerHandshake = members({
  at: Text(),
  kind: oneOf(['options', 'event', 'callback']),
  subscriptionId: Text(),
  url: Text(),
  origin: Text(),
  requestedRate: Optional(Text()),
  token: oneOf(['sent', 'omitted']),
  attempt: Num(),
  status: Optional(Num()),
  headers: Optional(dictionary(Text())),
  consent: oneOf(['yes', 'no', 'pending']),
  /** End of the time in which the callback may be called. */
  callbackUntil: Optional(Text()),
  error: Optional(Text()),
  evr: Optional(evrCode),
});
export type RouterHandshake = Static<typeof routerHandshake>;

export const routerSubscription = members({
  record: subscriptionRecord,
  scopeKind: Text(),
  /** Topics whose events the subscription receives. */
  topics: list(Text()),
  counts: someOf(DELIVERY_STATES, Num()),
  /** Requests per minute that the endpoint allowed in its handshake. */
  allowedRate: Optional(Num()),
  /** End of the probation; nothing is sent before. */
  pausedUntil: Optional(Text()),
  error: Optional(
    members({
      code: Text(),
      message: Text(),
    }),
  ),
  awaitsCallbackUntil: Optional(Text()),
});
export type RouterSubscription = Static<typeof routerSubscription>;

export const deadLetterFile = members({
  /** Path below the dead-letter folder. */
  file: Text(),
  at: Text(),
  deliveryId: Text(),
  eventId: Text(),
  subscriptionName: Text(),
  reason: deadLetterReason,
  lastOutcome: Optional(oneOf(ROUTER_OUTCOMES)),
  attempts: Num(),
  sizeBytes: Num(),
});
export type DeadLetterFile = Static<typeof deadLetterFile>;

/** A breakpoint. Events that match it are held in the queue before their first attempt. */
export const routerBreakpoint = members({
  breakpointId: Text(),
  filter: subscriptionFilter,
});
export type RouterBreakpoint = Static<typeof routerBreakpoint>;

export const breakpointsParams = members({
  add: Optional(subscriptionFilter),
  /** Id of the breakpoint to remove. Deliveries that it holds stay held. */
  remove: Optional(id),
});
export type BreakpointsParams = Static<typeof breakpointsParams>;

/** Says that something changed. A client that shows it asks again. */
export interface RouterChange {
  readonly kind:
    | 'topic'
    | 'subscription'
    | 'delivery'
    | 'handshake'
    | 'ingress'
    | 'certificate'
    | 'identity'
    | 'fault'
    | 'dead-letter'
    | 'note';
  readonly id?: string;
}

/** Verdict of a subscription's filter on an event that was not sent. */
export interface FilterVerdict {
  readonly matches: boolean;
  /** The first condition that did not match. */
  readonly because?: 'type' | 'subject' | AdvancedFilter;
}
