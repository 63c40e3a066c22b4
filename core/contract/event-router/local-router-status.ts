/** Shapes of the embedded event router's own parts: listeners, ingress, certificates, directory, faults. */
import { answerDelayMs, answerStatus } from '../bounds.ts';
import { DELIVERY_STATES } from '../delivery.ts';
import { evrCode } from './wire.ts';
import { FAULT_TARGETS, INGRESS_FAULTS, TOKEN_FAULTS } from './words.ts';
import {
  Bool,
  dictionary,
  Integer,
  list,
  Literal,
  members,
  Num,
  oneOf,
  Optional,
  someOf,
  Text,
  Union,
} from '../schema.ts';
import type { Static } from '../schema.ts';

export type { IngressFault, TokenFault, FaultTarget } from './words.ts';

export const ingressRule = members({
  host: Text(),
  path: Text(),
  upstream: Text(),
  rewrite: Optional(Text()),
  /** State of the upstream, as the last request through this rule found it. */
  upstreamState: oneOf(['unknown', 'up', 'down']),
});
export type IngressRule = Static<typeof ingressRule>;

export const certInfo = members({
  subject: Text(),
  issuer: Text(),
  names: list(Text()),
  notBefore: Text(),
  notAfter: Text(),
  daysLeft: Num(),
  /** SHA-256, hex with colons. */
  fingerprint: Text(),
  verdict: Union([Literal('ok'), evrCode]),
});
export type CertInfo = Static<typeof certInfo>;

export const ingressStatus = members({
  listening: Bool(),
  url: Optional(Text()),
  fault: oneOf(INGRESS_FAULTS),
  rules: list(ingressRule),
  certificate: Optional(certInfo),
  error: Optional(
    members({
      code: evrCode,
      message: Text(),
    }),
  ),
});
export type IngressStatus = Static<typeof ingressStatus>;

export const trustHint = members({
  runtime: Text(),
  text: Text(),
});

export const certificateStatus = members({
  ca: certInfo,
  caFile: Optional(Text()),
  leaf: certInfo,
  hints: list(trustHint),
});
export type CertificateStatus = Static<typeof certificateStatus>;

export const directoryClient = members({
  tenantId: Text(),
  clientId: Text(),
  displayName: Text(),
  /** Last characters of each secret. */
  secrets: list(
    members({
      hint: Text(),
      expiresAt: Optional(Text()),
    }),
  ),
  grants: list(
    members({
      role: Text(),
      scope: Text(),
    }),
  ),
});
export type DirectoryClient = Static<typeof directoryClient>;

export const identityStatus = members({
  authority: Text(),
  tenants: list(Text()),
  clients: list(directoryClient),
  keys: list(
    members({
      kid: Text(),
      since: Text(),
      current: Bool(),
    }),
  ),
  clockSkewMs: Num(),
  nextTokens: members({
    kind: oneOf(TOKEN_FAULTS),
    times: Num(),
  }),
  /** Newest first, at most 20. */
  requests: list(
    members({
      at: Text(),
      tenantId: Text(),
      clientId: Text(),
      audience: Optional(Text()),
      status: Num(),
      error: Optional(Text()),
      code: Optional(Num()),
    }),
  ),
});
export type IdentityStatus = Static<typeof identityStatus>;

export const faultParams = Union([
  members({
    target: oneOf(FAULT_TARGETS),
    /** Number of requests to which the fault applies. */
    times: Integer({ minimum: 1, maximum: 100_000 }),
    status: Optional(answerStatus),
    delayMs: Optional(answerDelayMs),
    drop: Optional(Bool()),
    slowBodyMs: Optional(answerDelayMs),
  }),
  members({
    target: Literal('identity'),
    /** About a week at most. */
    clockSkewMinutes: Integer({ minimum: -10_000, maximum: 10_000 }),
  }),
]);
export type FaultParams = Static<typeof faultParams>;

export const routerFault = members({
  faultId: Text(),
  params: faultParams,
  left: Num(),
});
export type RouterFault = Static<typeof routerFault>;

/** A request that a listener of the router refused. Its query, headers and body are not kept. */
export const routerRefusal = members({
  time: Text(),
  at: oneOf(FAULT_TARGETS),
  /** Absent: the request could not be read. */
  method: Optional(Text()),
  path: Optional(Text()),
  /** Status of the answer; absent: the connection was closed without one. */
  status: Optional(Num()),
  code: Text(),
  reason: Text(),
});
export type RouterRefusal = Static<typeof routerRefusal>;

export const routerAddresses = members({
  /** Base address (https) of identity, management and topics. */
  router: Text(),
  ingress: Text(),
  topicPorts: dictionary(Text()),
});
export type RouterAddresses = Static<typeof routerAddresses>;

export const localRouterStatus = members({
  running: Bool(),
  addresses: routerAddresses,
  namespace: Text(),
  timeScale: Num(),
  counts: someOf(DELIVERY_STATES, Num()),
  topics: Num(),
  subscriptions: Num(),
  ingress: ingressStatus,
  remote: Bool(),
  /** Newest first, at most 50. */
  refusals: list(routerRefusal),
  /** Automatic acts of the router, and warnings for a person; newest last, at most 100. */
  notes: list(
    members({
      at: Text(),
      text: Text(),
      code: Optional(evrCode),
    }),
  ),
});
export type LocalRouterStatus = Static<typeof localRouterStatus>;
