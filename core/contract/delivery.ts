/** States, causes and rule ids of a delivery: the vocabulary that every room and every screen shares. */

/** Every state a delivery can be in, in the order of a message's life. */
export const DELIVERY_STATES = [
  'queued',
  'held',
  'attempting',
  'retrying',
  'processed',
  'dropped',
  'expired',
  'dead-lettered',
  'parked',
] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Final states: no timer or app changes such a delivery, and it waits for no person. A message with only such deliveries may be pruned. */
export const ENDED_STATES = [
  'processed',
  'dropped',
  'expired',
  'dead-lettered',
] as const satisfies readonly DeliveryState[];

/** States that change by themselves or by a release; a parked delivery waits for a person. */
export const UNFINISHED_STATES = [
  'queued',
  'held',
  'attempting',
  'retrying',
] as const satisfies readonly DeliveryState[];

const ENDED: ReadonlySet<string | null> = new Set(ENDED_STATES);

/** Whether a state is final. */
export function isEndedState(state: string | null): boolean {
  return ENDED.has(state);
}

const UNFINISHED: ReadonlySet<string> = new Set(UNFINISHED_STATES);

/** Whether a state changes by itself or by a release. */
export function isUnfinishedState(state: string): boolean {
  return UNFINISHED.has(state);
}

/** Who or what caused a transition. */
export const CAUSES = ['app', 'user', 'policy', 'ttl', 'restart'] as const;
export type Cause = (typeof CAUSES)[number];

/**
 * Ids of the rows that explain a transition. `single.*` and `bulk.*` are rows of the interface's two outcome tables, `grpc.*` those of a
 * gRPC app.
 */
export const RULE_IDS = [
  'single.2xx.empty',
  'single.2xx.success',
  'single.2xx.retry',
  'single.2xx.drop',
  'single.2xx.other',
  'single.2xx.invalid',
  'single.404',
  'single.404.drop',
  'single.other',
  'bulk.2xx.success',
  'bulk.2xx.retry',
  'bulk.2xx.drop',
  'bulk.2xx.missing',
  'bulk.2xx.other',
  'bulk.404',
  'bulk.other',
  'grpc.success',
  'grpc.retry',
  'grpc.drop',
  'grpc.unknown-status',
  'grpc.unimplemented',
  'grpc.error',
  'grpc.bulk.success',
  'grpc.bulk.retry',
  'grpc.bulk.drop',
  'grpc.bulk.unknown-status',
  'grpc.bulk.missing',
  'grpc.bulk.unimplemented',
  'grpc.bulk.error',
  'stream.closed',
  'stream.joined',
  'binding.2xx',
  'binding.refused',
  'policy.accepted',
  'policy.attempt',
  'policy.retry',
  'policy.no-answer',
  'policy.exhausted',
  'policy.dead-letter',
  'policy.no-route',
  'policy.route-error',
  'policy.unreadable',
  'policy.no-subscription',
  'ttl.expired',
  'hold.matched',
  'hold.released',
  'restart.requeued',
  'tap.again',
  'tap.lost',
  'tap.dead-letter',
  'tap.silent',
  'user.release',
  'user.hold',
  'user.retry',
  'user.drop',
  'user.undo-drop',
  'user.dead-letter',
  'user.cancel',
] as const;
export type RuleId = (typeof RULE_IDS)[number] | `router.${string}`;

/** Rules of answers by which an app says that it serves no such route. What becomes of the delivery is in the verdict tables. */
export const NO_ROUTE_AT_APP = [
  'single.404',
  'single.404.drop',
  'bulk.404',
  'grpc.unimplemented',
  'grpc.bulk.unimplemented',
] as const satisfies readonly RuleId[];
