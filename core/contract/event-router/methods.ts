/** `eventRouter.*`: what goes in and what comes out. */
import { id, name } from '../bounds.ts';
import { handshakeReport, inputState, keysReport, managementToken, tokenVerdict } from './components.ts';
import {
  certificateStatus,
  faultParams,
  identityStatus,
  ingressStatus,
  routerFault,
} from './local-router-status.ts';
import {
  deadLetterFile,
  routerDelivery,
  routerDeliveryMembers,
  routerDeliveryQuery,
  routerDeliveryRow,
  routerHandshake,
  routerSubscription,
} from './local-router.ts';
import { evrCode, subscriptionProperties, subscriptionRecord } from './wire.ts';
import {
  DELIVERY_SCHEMAS,
  HANDSHAKE_ACTS,
  INGRESS_FAULTS,
  PROVISIONING_STATES,
  ROUTER_ACTS,
  TOKEN_FAULTS,
} from './words.ts';
import {
  Bool,
  dictionary,
  extend,
  Integer,
  list,
  members,
  Num,
  oneOf,
  Optional,
  orNull,
  partial,
  pick,
  Text,
  Unknown,
} from '../schema.ts';
import type { Static } from '../schema.ts';

export type { HandshakeAct } from './words.ts';

export const handshakeParams = members({ component: name, act: Optional(oneOf(HANDSHAKE_ACTS)) });

export const handshakeResult = members({
  component: Text(),
  state: inputState,
  /** Handshakes as the binding saw them. */
  handshakes: list(handshakeReport),
  /** Handshakes as the embedded router saw them. */
  routerHandshakes: list(routerHandshake),
  /** Address that a person opens to consent, while the router waits for it. */
  validationUrl: Optional(Text()),
});
export type HandshakeResult = Static<typeof handshakeResult>;

export const emulateParams = members({
  component: name,
  send: oneOf(['handshake', 'events']),
  /** Default `valid`. */
  token: Optional(oneOf(TOKEN_FAULTS)),
  /** One is sent as a single event, several as a batch; default: one sample. */
  events: Optional(list(dictionary(Unknown()), { minItems: 1, maxItems: 1000 })),
  /** Send even one event as an array. */
  batch: Optional(Bool()),
});
export type EmulateParams = Static<typeof emulateParams>;

/** What the webhook answered, through the ingress. */
export const emulateResult = members({
  url: Text(),
  token: oneOf(TOKEN_FAULTS),
  status: Optional(Num()),
  headers: dictionary(Text()),
  body: Text(),
  durationMs: Num(),
  code: Optional(evrCode),
  error: Optional(Text()),
  /** Meaning of the status of a handshake: 200 healthy, 503 malfunctioning ingress. */
  health: Optional(oneOf(['healthy', 'malfunctioning-ingress', 'not-healthy'])),
});
export type EmulateResult = Static<typeof emulateResult>;

/**
 * Without `component`: adds a working example component as a file and loads it.
 * With `component`: the operation `create` of its output side. `data` alone is wrapped as a CloudEvent with `type`, `subject` and `source`;
 * with `raw` it is sent as it is. With `remove`: removes an example that was added where there is no folder.
 */
export const createParams = members({
  component: Optional(name),
  data: Optional(Unknown()),
  type: Optional(name),
  subject: Optional(name),
  source: Optional(name),
  raw: Optional(Bool()),
  remove: Optional(Bool()),
});
export type CreateParams = Static<typeof createParams>;

export const createResult = members({
  component: Text(),
  /** File of the example. */
  file: Optional(Text()),
  /** Why the example lives as long as this run; absent: it is kept. */
  notKept: Optional(Text()),
  eventId: Optional(Text()),
  /** What the sidecar's route would have answered: 204, or 500 with `message`. */
  status: Optional(Num()),
  message: Optional(Text()),
});
export type CreateResult = Static<typeof createResult>;

/** A subscription as its router has it, beside what the component wants. */
export const subscriptionReport = members({
  component: Optional(Text()),
  scope: Text(),
  name: Text(),
  record: Optional(subscriptionRecord),
  state: Optional(oneOf(PROVISIONING_STATES)),
  schema: Optional(oneOf(DELIVERY_SCHEMAS)),
  /** Members that differ; [] = nothing to do. */
  differences: list(
    members({
      field: Text(),
      stored: Text(),
      wanted: Text(),
    }),
  ),
  /** What the embedded router knows beyond the record. */
  router: Optional(routerSubscription),
  /** `previous`: made for an earlier configuration of the component and still active. */
  role: oneOf(['current', 'previous', 'other']),
  code: Optional(evrCode),
  error: Optional(Text()),
});
export type SubscriptionReport = Static<typeof subscriptionReport>;

export const subscriptionsParams = members({
  component: Optional(name),
  /** Default `list`. */
  act: Optional(oneOf(['list', 'put', 'change', 'delete', 'test'])),
  /** For `delete` and `test`; default: the component's own. */
  scope: Optional(name),
  name: Optional(name),
  /** For `change`: filter, retry policy, labels, dead-letter destination. */
  properties: Optional(
    pick(subscriptionProperties, [
      'filter',
      'retryPolicy',
      'labels',
      'deadLetterDestination',
      'expirationTimeUtc',
    ]),
  ),
  /** For `test`: the event to run through the filter; nothing is sent. */
  event: Optional(Unknown()),
});
export type SubscriptionsParams = Static<typeof subscriptionsParams>;

export const subscriptionsResult = members({
  items: list(subscriptionReport),
  /** Result of `test`: whether the event passes the filter. */
  matches: Optional(Bool()),
  because: Optional(Text()),
});
export type SubscriptionsResult = Static<typeof subscriptionsResult>;

export const deliveriesParams = members({
  component: Optional(name),
  /** One in full, in `delivery`. */
  deliveryId: Optional(id),
  /** `dead-letters`: the files instead. */
  of: Optional(oneOf(['deliveries', 'dead-letters'])),
  /** One of those files, its content in `deadLetter`. */
  deadLetterFile: Optional(name),
  ...routerDeliveryMembers,
});
export type DeliveriesParams = Static<typeof deliveriesParams>;

export const deliveriesResult = members({
  items: list(routerDeliveryRow),
  nextCursor: orNull(Text()),
  total: Num(),
  timeScale: Num(),
  delivery: Optional(routerDelivery),
  deadLetters: Optional(list(deadLetterFile)),
  deadLetter: Optional(Text()),
});
export type DeliveriesResult = Static<typeof deliveriesResult>;

/** Exactly one of `deliveryId`, `deliveryIds`, `matching`, `component` (all of it that may), `deadLetterFile`. */
export const routerActParams = members({
  act: oneOf([...ROUTER_ACTS, 'replay', 'delete']),
  deliveryId: Optional(id),
  deliveryIds: Optional(list(id, { minItems: 1, maxItems: 500 })),
  component: Optional(name),
  /** Every delivery that the same query lists, from a state in which the act is possible. */
  matching: Optional(pick(routerDeliveryQuery, ['states', 'text'])),
  deadLetterFile: Optional(name),
  /** For `replay`: the event to send instead, with a new id. */
  event: Optional(Text()),
  /** For `replay`: another event subscription's record. */
  subscriptionId: Optional(name),
});
export type RouterActParams = Static<typeof routerActParams>;

const keyName = Optional(oneOf(['key1', 'key2']));

export const topicsParams = members({
  component: Optional(name),
  topic: Optional(name),
  act: Optional(oneOf(['list', 'regenerate-key', 'disable', 'enable'])),
  keyName,
});
export type TopicsParams = Static<typeof topicsParams>;

export const tokenParams = members({
  component: Optional(name),
  /** `fault`: what the next delivery tokens of the embedded router shall be; `grant`, `add-client`, `provider`: its directory. */
  act: Optional(
    oneOf([
      'refresh',
      'rotate-key',
      'rotate-secret',
      'fault',
      'grant',
      'revoke',
      'setup-identity',
      'add-app',
    ]),
  ),
  fault: Optional(oneOf(TOKEN_FAULTS)),
  times: Optional(Integer({ minimum: 0, maximum: 100_000 })),
  role: Optional(name),
  scope: Optional(name),
  tenantId: Optional(name),
  clientId: Optional(name),
  clientSecret: Optional(name),
});
export type TokenParams = Static<typeof tokenParams>;

export const tokenReport = members({
  component: Text(),
  issuer: Optional(Text()),
  management: managementToken,
  keys: keysReport,
  /** Verdicts on tokens, the newest request first, at most 20; also on requests without a token. */
  verdicts: list(tokenVerdict),
});
export type TokenReport = Static<typeof tokenReport>;

export const tokenResult = members({
  items: list(tokenReport),
  /** The embedded router's identity service. */
  identity: Optional(identityStatus),
  /** The new secret after `rotate-secret`: shown once. */
  clientSecret: Optional(Text()),
});
export type TokenResult = Static<typeof tokenResult>;

export const certificateParams = members({
  act: Optional(oneOf(['show', 'renew-leaf', 'rotate-ca'])),
});
export type CertificateParams = Static<typeof certificateParams>;

export const certificateResult = extend(partial(certificateStatus), {
  ingress: Optional(ingressStatus),
  /** Certificate of the local authority, to be trusted by other programs. */
  pem: Optional(Text()),
  /** What subscribers and routers are judged by here. */
  trust: members({
    systemRoots: Bool(),
    extraCaFiles: list(Text()),
  }),
});
export type CertificateResult = Static<typeof certificateResult>;

export const faultsParams = members({
  /** The ingress misbehaves until it is `none` again; mending it makes what waited go out at once. */
  ingress: Optional(oneOf(INGRESS_FAULTS)),
  add: Optional(faultParams),
  remove: Optional(id),
  timeScale: Optional(Num({ minimum: 0, maximum: 1000 })),
});
export type FaultsParams = Static<typeof faultsParams>;

export const faultsResult = members({
  ingress: oneOf(INGRESS_FAULTS),
  faults: list(routerFault),
  timeScale: Num(),
});
export type FaultsResult = Static<typeof faultsResult>;

/** `sas`: not the topic's key but a signature token made with it, valid for an hour. */
export const revealParams = members({
  sas: Optional(Bool()),
  component: Optional(name),
  field: Optional(name),
  topic: Optional(name),
  keyName,
});
export type RevealParams = Static<typeof revealParams>;
