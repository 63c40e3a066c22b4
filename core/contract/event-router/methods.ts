/** Parameters and results of the methods `eventRouter.*`. */
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
  /** Handshakes that the binding recorded. */
  handshakes: list(handshakeReport),
  /** Handshakes that the embedded router recorded. */
  routerHandshakes: list(routerHandshake),
  /** Address that a person opens to consent; present while the router waits for consent. */
  validationUrl: Optional(Text()),
});
export type HandshakeResult = Static<typeof handshakeResult>;

export const emulateParams = members({
  component: name,
  send: oneOf(['handshake', 'events']),
  /** Default `valid`. */
  token: Optional(oneOf(TOKEN_FAULTS)),
  /** Events to send: one alone as a single event, several as a batch. Default: one sample. */
  events: Optional(list(dictionary(Unknown()), { minItems: 1, maxItems: 1000 })),
  /** Send even one event as an array. */
  batch: Optional(Bool()),
});
export type EmulateParams = Static<typeof emulateParams>;

/** Answer of the webhook, through the ingress. */
export const emulateResult = members({
  url: Text(),
  token: oneOf(TOKEN_FAULTS),
  status: Optional(Num()),
  headers: dictionary(Text()),
  body: Text(),
  durationMs: Num(),
  code: Optional(evrCode),
  error: Optional(Text()),
  /** How the status of a handshake is read: 200 healthy, 503 malfunctioning ingress. */
  health: Optional(oneOf(['healthy', 'malfunctioning-ingress', 'not-healthy'])),
});
export type EmulateResult = Static<typeof emulateResult>;

/**
 * Without `component`: adds a working example component as a file and loads it. With `component`: calls the
 * operation `create` of its output side. `data` alone is wrapped as a CloudEvent with `type`, `subject` and
 * `source`; with `raw` it is sent unchanged. With `remove`: removes an example that is not in a folder.
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
  /** Why a restart forgets the example; absent: the example is kept. */
  notKept: Optional(Text()),
  eventId: Optional(Text()),
  /** Status that the sidecar's route would have answered: 204, or 500 with `message`. */
  status: Optional(Num()),
  message: Optional(Text()),
});
export type CreateResult = Static<typeof createResult>;

/** A subscription as its router has it, and the record that the component asks for. */
export const subscriptionReport = members({
  component: Optional(Text()),
  scope: Text(),
  name: Text(),
  record: Optional(subscriptionRecord),
  state: Optional(oneOf(PROVISIONING_STATES)),
  schema: Optional(oneOf(DELIVERY_SCHEMAS)),
  /** Members that differ; [] = no change is needed. */
  differences: list(
    members({
      field: Text(),
      stored: Text(),
      wanted: Text(),
    }),
  ),
  /** State that the embedded router keeps beside the record. */
  router: Optional(routerSubscription),
  /**
   * Role of the subscription. `previous`: made for an earlier configuration of the component and still
   * active.
   */
  role: oneOf(['current', 'previous', 'other']),
  code: Optional(evrCode),
  error: Optional(Text()),
});
export type SubscriptionReport = Static<typeof subscriptionReport>;

export const subscriptionsParams = members({
  component: Optional(name),
  /** Default `list`. */
  act: Optional(oneOf(['list', 'put', 'change', 'delete', 'test'])),
  /** Scope for `delete` and `test`; default: the component's own. */
  scope: Optional(name),
  name: Optional(name),
  /** Properties for `change`: filter, retry policy, labels, dead-letter destination. */
  properties: Optional(
    pick(subscriptionProperties, [
      'filter',
      'retryPolicy',
      'labels',
      'deadLetterDestination',
      'expirationTimeUtc',
    ]),
  ),
  /** Event for `test`, which runs it through the filter and sends nothing. */
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
  /** Id of a delivery to return in full, in `delivery`. */
  deliveryId: Optional(id),
  /** Kind of the list; `dead-letters`: files instead of deliveries. */
  of: Optional(oneOf(['deliveries', 'dead-letters'])),
  /** Name of a dead-letter file to return, in `deadLetter`. */
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

/**
 * Targets of an act: exactly one of `deliveryId`, `deliveryIds`, `matching`, `component` (all deliveries of
 * it that allow the act) and `deadLetterFile`.
 */
export const routerActParams = members({
  act: oneOf([...ROUTER_ACTS, 'replay', 'delete']),
  deliveryId: Optional(id),
  deliveryIds: Optional(list(id, { minItems: 1, maxItems: 500 })),
  component: Optional(name),
  /** All deliveries that the query lists and whose state allows the act. */
  matching: Optional(pick(routerDeliveryQuery, ['states', 'text'])),
  deadLetterFile: Optional(name),
  /** Event for `replay` to send instead, with a new id. */
  event: Optional(Text()),
  /** Id of another event subscription's record, for `replay`. */
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
  /**
   * `fault` spoils the next delivery tokens of the embedded router. `grant`, `revoke`, `setup-identity` and `add-app` change its directory.
   */
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
  /** Verdicts on tokens, also on requests without a token; the newest request first, at most 20. */
  verdicts: list(tokenVerdict),
});
export type TokenReport = Static<typeof tokenReport>;

export const tokenResult = members({
  items: list(tokenReport),
  /** The embedded router's identity service. */
  identity: Optional(identityStatus),
  /** The new secret after `rotate-secret`. Only this result shows it. */
  clientSecret: Optional(Text()),
});
export type TokenResult = Static<typeof tokenResult>;

export const certificateParams = members({
  act: Optional(oneOf(['show', 'renew-leaf', 'rotate-ca'])),
});
export type CertificateParams = Static<typeof certificateParams>;

export const certificateResult = extend(partial(certificateStatus), {
  ingress: Optional(ingressStatus),
  /** Certificate of the local authority, which other programs have to trust. */
  pem: Optional(Text()),
  /** Certificates by which subscribers and routers are checked. */
  trust: members({
    systemRoots: Bool(),
    extraCaFiles: list(Text()),
  }),
});
export type CertificateResult = Static<typeof certificateResult>;

export const faultsParams = members({
  /**
   * Fault of the ingress, which lasts until it is set to `none`. The events that waited are then sent at
   * once.
   */
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

/**
 * Which key to show. `sas`: a signature token made with the topic's key and valid for an hour, instead of the
 * key.
 */
export const revealParams = members({
  sas: Optional(Bool()),
  component: Optional(name),
  field: Optional(name),
  topic: Optional(name),
  keyName,
});
export type RevealParams = Static<typeof revealParams>;
