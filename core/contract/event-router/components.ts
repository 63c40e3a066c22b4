/**
 * Shapes of event-router components for the console and scripts: fields, steps, handshakes, tokens, calls.
 */
import { localRouterStatus } from './local-router-status.ts';
import { evrCode, scopeKind } from './wire.ts';
import { INPUT_STEPS, TOKEN_CHECKS } from './words.ts';
import { Bool, dictionary, list, Literal, members, Num, oneOf, Optional, Text, Union } from '../schema.ts';
import type { Static } from '../schema.ts';
import { problem } from '../subscription.ts';

export type { InputStep, TokenCheck } from './words.ts';

/**
 * State of an input side. `failed`: it does not try again by itself. `not-subscribed`: the app does not take
 * its events. `off`: the component has no input side.
 */
export const inputState = Union([
  oneOf(INPUT_STEPS),
  Literal('failed'),
  Literal('not-subscribed'),
  Literal('off'),
  Literal('stopped'),
]);
export type InputState = Static<typeof inputState>;

export const stepReport = members({
  step: oneOf(INPUT_STEPS),
  result: oneOf(['pending', 'running', 'done', 'skipped', 'retrying', 'failed']),
  /** Number of tries since the component started. */
  attempts: Num(),
  startedAt: Optional(Text()),
  endedAt: Optional(Text()),
  durationMs: Optional(Num()),
  code: Optional(evrCode),
  /** Result of the step, or why it failed, in one line. */
  message: Optional(Text()),
  nextAttemptAt: Optional(Text()),
});
export type StepReport = Static<typeof stepReport>;

/** One setting of a component: `value` is `***` for a secret. */
export const fieldReport = members({
  field: Text(),
  value: Optional(Text()),
  secret: Bool(),
  /** True when a side that is on needs the field. */
  required: Bool(),
  side: oneOf(['input', 'output', 'both']),
  problems: list(problem),
});
export type FieldReport = Static<typeof fieldReport>;

/**
 * A handshake: a request to the webhook that asked for consent, or the binding's own probe through the
 * ingress.
 */
export const handshakeReport = members({
  at: Text(),
  /** `self-probe`: sent by the binding through the real ingress. */
  by: oneOf(['self-probe', 'router']),
  origin: Optional(Text()),
  callback: Optional(Text()),
  requestedRate: Optional(Text()),
  token: oneOf(['verified', 'absent', 'refused']),
  /** Why the token was refused. */
  reason: Optional(Text()),
  /** Status of the answer; absent: no answer. */
  status: Optional(Num()),
  headers: dictionary(Text()),
  consent: oneOf(['yes', 'no', 'pending']),
  code: Optional(evrCode),
  message: Optional(Text()),
});
export type HandshakeReport = Static<typeof handshakeReport>;

/** Verdict on the token of a webhook request. It has only claims that may be shown, never the token. */
export const tokenVerdict = members({
  at: Text(),
  accepted: Bool(),
  /** A reason of the interface's table, for example "token expired". */
  reason: Text(),
  /** Error code of the check, for example ERR_JWT_EXPIRED. */
  errorCode: Optional(Text()),
  warnings: list(Text()),
  checks: list(
    members({
      check: oneOf(TOKEN_CHECKS),
      result: oneOf(['ok', 'failed', 'not-checked']),
    }),
  ),
  claims: members({
    kid: Optional(Text()),
    alg: Optional(Text()),
    iss: Optional(Text()),
    aud: Optional(Union([Text(), list(Text())])),
    caller: Optional(Text()),
    tid: Optional(Text()),
    expiresAt: Optional(Text()),
    notBefore: Optional(Text()),
    roles: Optional(list(Text())),
  }),
});
export type TokenVerdict = Static<typeof tokenVerdict>;

/** One request to the webhook that had the right path. */
export const webhookRow = members({
  at: Text(),
  method: Text(),
  status: Num(),
  messageId: Optional(Text()),
  eventIds: list(Text()),
  events: Num(),
  /** Attempts that the router made before, from the header `aeg-delivery-count`. */
  deliveryCount: Optional(Num()),
  sizeBytes: Num(),
  durationMs: Num(),
  /** Why the status was not 200, in one line. */
  reason: Optional(Text()),
});
export type WebhookRow = Static<typeof webhookRow>;

/** One call of the operation `create` on the output side. */
export const outputCall = members({
  at: Text(),
  status: Optional(Num()),
  durationMs: Num(),
  eventId: Optional(Text()),
  error: Optional(Text()),
});
export type OutputCall = Static<typeof outputCall>;

export const managementToken = members({
  audience: Text(),
  obtainedAt: Optional(Text()),
  expiresAt: Optional(Text()),
  code: Optional(evrCode),
  error: Optional(Text()),
});
export type ManagementToken = Static<typeof managementToken>;

export const keysReport = members({
  url: Optional(Text()),
  fetchedAt: Optional(Text()),
  kids: list(Text()),
  error: Optional(Text()),
});
export type KeysReport = Static<typeof keysReport>;

export const inputReport = members({
  state: inputState,
  steps: list(stepReport),
  explicit: Bool(),
  /** Path of the app that receives the events. */
  route: Text(),
  appId: Optional(Text()),
  webhook: Optional(
    members({
      address: Text(),
      path: Text(),
      listening: Bool(),
    }),
  ),
  subscriberEndpoint: Optional(Text()),
  scope: Optional(Text()),
  scopeKind: Optional(scopeKind),
  subscriptionName: Optional(Text()),
  /** Newest first, at most 20. */
  handshakes: list(handshakeReport),
  /** Newest first, at most 50. */
  received: list(webhookRow),
  counts: members({
    accepted: Num(),
    refused: Num(),
    unauthorized: Num(),
  }),
  /** A subscription that was made for an earlier scope or name and still receives events. */
  previous: Optional(
    members({
      scope: Text(),
      name: Text(),
    }),
  ),
});
export type InputReport = Static<typeof inputReport>;

export const outputReport = members({
  topicEndpoint: Text(),
  operations: list(Text()),
  /** Newest first, at most 50. */
  calls: list(outputCall),
});
export type OutputReport = Static<typeof outputReport>;

/** One event-router component, valid or not. */
export const eventRouterComponent = members({
  name: Text(),
  type: Text(),
  file: Optional(Text()),
  line: Optional(Num()),
  /** Set for a component that was added here and can be removed. `notKept` says why a restart forgets it. */
  added: Optional(
    members({
      notKept: Optional(Text()),
    }),
  ),
  state: oneOf(['ready', 'initialising', 'failed']),
  reason: Optional(Text()),
  direction: oneOf(['input', 'output', 'input, output', 'none']),
  fields: list(fieldReport),
  problems: list(problem),
  /** Changes that were made to the fields: default names, added paths. */
  notes: list(Text()),
  input: Optional(inputReport),
  output: Optional(outputReport),
});
export type EventRouterComponent = Static<typeof eventRouterComponent>;

export const eventRouterStatus = members({
  mode: oneOf(['embedded', 'external', 'off']),
  /** Name of an external router: `public`, `government`, `china`, or the host of its management address. */
  externalName: Optional(Text()),
  endpoints: Optional(
    members({
      authority: Text(),
      management: Text(),
      managementAudience: Text(),
      apiVersion: Text(),
    }),
  ),
  /** Status of the embedded router; present only in embedded mode, once it runs. */
  router: Optional(localRouterStatus),
  /** Why the embedded router does not run although it was asked for. */
  routerError: Optional(
    members({
      code: Optional(evrCode),
      message: Text(),
    }),
  ),
  components: list(eventRouterComponent),
});
export type EventRouterStatus = Static<typeof eventRouterStatus>;
