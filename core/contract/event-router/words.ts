/** Closed lists of the event router's words: codes, states, operators, faults, acts. */
import type { DeliveryState } from '../delivery.ts';
import type { PortRefusal } from '../port-text.ts';

/** Steps of an input side until it is ready, in order. */
export const INPUT_STEPS = [
  'configured',
  'waiting-app',
  'probing-app',
  'resolving-identity',
  'listening',
  'self-probing',
  'acquiring-token',
  'reconciling',
  'ready',
] as const;
export type InputStep = (typeof INPUT_STEPS)[number];

export const TOKEN_CHECKS = ['signature', 'iss', 'aud', 'exp', 'nbf', 'tid', 'caller', 'role'] as const;
export type TokenCheck = (typeof TOKEN_CHECKS)[number];

export const INGRESS_FAULTS = ['none', '503', 'wrong-host', 'self-signed', 'expired', 'pause'] as const;
/**
 * A fault of the ingress. `pause` and `503`: the ingress answers 503 without asking the upstream, `pause` as
 * if the upstream were down.
 */
export type IngressFault = (typeof INGRESS_FAULTS)[number];

/** Faults that the next delivery tokens can have. */
export const TOKEN_FAULTS = [
  'valid',
  'none',
  'expired',
  'not-yet-valid',
  'wrong-audience',
  'wrong-issuer',
  'wrong-caller',
  'unknown-kid',
  'bad-signature',
] as const;
export type TokenFault = (typeof TOKEN_FAULTS)[number];

export const FAULT_TARGETS = ['ingress', 'topic', 'identity', 'management'] as const;
export type FaultTarget = (typeof FAULT_TARGETS)[number];

/** Outcome names of an attempt that did not succeed. */
export const ROUTER_OUTCOMES = [
  'BadRequest',
  'Unauthorized',
  'Forbidden',
  'PayloadTooLarge',
  'NotFound',
  'TimedOut',
  'Busy',
  'Aborted',
  'SocketError',
  'ResolutionError',
] as const;
export type RouterOutcome = (typeof ROUTER_OUTCOMES)[number];

/** Acts on a delivery by hand. */
export const ROUTER_ACTS = ['retry', 'hold', 'release', 'drop', 'dead-letter', 'park'] as const;
export type RouterAct = (typeof ROUTER_ACTS)[number];

/** States from which each act is possible. */
export const ROUTER_ACT_FROM: Readonly<Record<RouterAct, readonly DeliveryState[]>> = {
  retry: ['queued', 'retrying', 'held', 'parked', 'dropped', 'expired', 'dead-lettered'],
  hold: ['queued', 'retrying'],
  release: ['held'],
  drop: ['queued', 'retrying', 'held', 'parked'],
  'dead-letter': ['queued', 'retrying', 'held', 'parked', 'expired', 'dropped'],
  park: ['queued', 'retrying', 'held'],
};
/**
 * `probe`: sends OPTIONS through the ingress. `router`: puts the subscription again, so that the router asks.
 * `retry`: runs the waiting step now.
 */
export const HANDSHAKE_ACTS = ['probe', 'router', 'retry', 'validate', 'revoke'] as const;
export type HandshakeAct = (typeof HANDSHAKE_ACTS)[number];

/** Every code of the binding and the router, with its meaning. */
export const EVR_CODES = {
  'EVR-CFG-02': 'a field is given twice',
  'EVR-CFG-10': 'the direction is not valid',
  'EVR-CFG-11': 'neither side is configured',
  'EVR-CFG-20': 'the access key is missing',
  'EVR-CFG-21': 'the access key contains a control character or is too long',
  'EVR-CFG-22': 'the topic endpoint is missing',
  'EVR-CFG-23': 'the topic endpoint is not a valid absolute https URL',
  'EVR-CFG-30': 'the tenant id is missing',
  'EVR-CFG-31': 'the tenant id has characters that are not allowed',
  'EVR-CFG-32': 'the subscription id is missing',
  'EVR-CFG-33': 'the subscription id has characters that are not allowed',
  'EVR-CFG-34': 'the client id is missing',
  'EVR-CFG-35': 'the client id is not a UUID',
  'EVR-CFG-36': 'the client secret is missing',
  'EVR-CFG-40': 'the subscriber endpoint is missing',
  'EVR-CFG-41': 'the subscriber endpoint is not a valid URL',
  'EVR-CFG-42': 'the subscriber endpoint does not use https',
  'EVR-CFG-43': 'the handshake port is missing',
  'EVR-CFG-44': 'the handshake port is not a quoted string',
  'EVR-CFG-45': 'the handshake port is not a port',
  'EVR-CFG-50': 'the scope is missing',
  'EVR-CFG-51': 'the scope has none of the four shapes',
  'EVR-CFG-52': 'the scope contains an unreplaced placeholder',
  'EVR-CFG-60': 'the event subscription name has a wrong length',
  'EVR-CFG-61': 'the event subscription name has characters that are not allowed',
  'EVR-CFG-62': 'no event subscription name can be derived from the component name',
  'EVR-CFG-90': 'a field is not known',
  'EVR-CFG-91': 'the topic endpoint uses http on this machine',
  'EVR-CFG-92': 'the tenant id is not a UUID',
  'EVR-CFG-93': 'the subscription id differs from the one in the scope',
  'EVR-CFG-94': 'the client secret looks like the id of a secret',
  'EVR-CFG-95': 'a value that is no string was taken as one',
  'EVR-CFG-96': 'an external router cannot reach an endpoint on this machine',
  'EVR-ID-01': 'the identity service could not be discovered',
  'EVR-ID-02': 'the published keys could not be read, or there are none',
  'EVR-ID-03': 'the published keys could not be reached during a verification',
  'EVR-ID-04': 'a discovered address is of another origin',
  'EVR-ID-10': 'the token request was refused',
  'EVR-NET-01': 'the port is in use',
  'EVR-NET-02': 'there is no permission to listen on the port',
  'EVR-NET-10': 'the connection was refused',
  'EVR-NET-11': 'the name was not found',
  'EVR-ING-01': 'the ingress cannot listen',
  'EVR-ING-03': 'the ingress answered 503',
  'EVR-TLS-01': 'the certificate has an unknown issuer',
  'EVR-TLS-02': 'the certificate is self-signed',
  'EVR-TLS-03': 'the certificate has expired',
  'EVR-TLS-04': 'the certificate is for another host',
  'EVR-TLS-05': 'the port does not speak TLS',
  'EVR-MGT-01': 'the management request is not valid',
  'EVR-MGT-02': 'the management token was not accepted',
  'EVR-MGT-03': 'a role is missing',
  'EVR-MGT-04': 'a resource was not found',
  'EVR-MGT-05': 'the request is in conflict with the state of the resource',
  'EVR-MGT-06': 'too many management requests',
  'EVR-MGT-07': 'the management service is not available',
  'EVR-MGT-08': 'the operation failed',
  'EVR-MGT-09': 'the operation did not end in time',
  'EVR-SEC-01': 'a key file can be read by others',
} as const satisfies Readonly<Record<string, string>>;
export type EvrCode = keyof typeof EVR_CODES;

/** Codes of a port on which nothing can listen. */
export const PORT_CODES = {
  EADDRINUSE: 'EVR-NET-01',
  EACCES: 'EVR-NET-02',
} as const satisfies Readonly<Record<PortRefusal, EvrCode>>;

export const PROVISIONING_STATES = [
  'Creating',
  'Updating',
  'Deleting',
  'Succeeded',
  'Canceled',
  'Failed',
  'AwaitingManualAction',
] as const;
export type ProvisioningState = (typeof PROVISIONING_STATES)[number];

export const DELIVERY_SCHEMAS = ['EventGridSchema', 'CustomInputSchema', 'CloudEventSchemaV1_0'] as const;
export type DeliverySchema = (typeof DELIVERY_SCHEMAS)[number];

export const INPUT_SCHEMAS = ['EventGridSchema', 'CloudEventSchemaV1_0', 'CustomEventSchema'] as const;
export type InputSchema = (typeof INPUT_SCHEMAS)[number];

/**
 * Operators by what they compare with: `values` of strings, `values` of numbers, one number, ranges, one
 * boolean, or nothing.
 */
export const FILTER_OPERATORS = {
  NumberIn: 'numbers',
  NumberNotIn: 'numbers',
  NumberLessThan: 'number',
  NumberLessThanOrEquals: 'number',
  NumberGreaterThan: 'number',
  NumberGreaterThanOrEquals: 'number',
  NumberInRange: 'ranges',
  NumberNotInRange: 'ranges',
  BoolEquals: 'boolean',
  StringIn: 'strings',
  StringNotIn: 'strings',
  StringBeginsWith: 'strings',
  StringNotBeginsWith: 'strings',
  StringEndsWith: 'strings',
  StringNotEndsWith: 'strings',
  StringContains: 'strings',
  StringNotContains: 'strings',
  IsNullOrUndefined: 'none',
  IsNotNull: 'none',
} as const satisfies Readonly<
  Record<string, 'numbers' | 'number' | 'ranges' | 'boolean' | 'strings' | 'none'>
>;
export type FilterOperator = keyof typeof FILTER_OPERATORS;
