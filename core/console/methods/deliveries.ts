/** `deliveries.*` and `holds.*`: acting by hand. */
import type { DELIVERIES } from '../../contract/methods/deliveries.ts';
import type { DeliveryTarget, RerouteTarget } from '../../contract/targets.ts';
import { Refusal } from '../../domain/refusal.ts';
import { checkUpTo } from '../../domain/up-to.ts';
import type { MethodsOf } from '../caller.ts';
import { readFilter } from '../views/filter.ts';
import { whole } from './dependencies.ts';
import type { MethodDependencies } from './dependencies.ts';

export function deliveryMethods({ runtime }: MethodDependencies): MethodsOf<typeof DELIVERIES> {
  return {
    'deliveries.retry': (params) => runtime.deliveryActions.retry(targetOf(params)),
    'deliveries.reroute': (params) => runtime.deliveryActions.reroute(oneOrProblem(params)),
    'deliveries.drop': (params) => runtime.deliveryActions.drop(targetOf(params)),
    'deliveries.undoDrop': (params) => runtime.deliveryActions.undoDrop(targetOf(params)),
    'deliveries.hold': (params) => runtime.deliveryActions.hold(targetOf(params)),
    'deliveries.release': (params) =>
      runtime.deliveryActions.release(targetOf(params), params.changes, params.answer),
    'deliveries.deadLetter': (params) => runtime.deliveryActions.deadLetter(targetOf(params), params.topic),
    'deliveries.cancelAttempt': ({ deliveryId }) => runtime.runningCalls.cancel(deliveryId),
    'deliveries.answer': ({ deliveryId, answer }) => runtime.runningCalls.answer(deliveryId, answer),
    'holds.list': () => whole(runtime.holds.list()),
    'holds.queue': ({ limit = 200, holdId }) => {
      const { items, total } = runtime.messages.held(limit, holdId);
      return { ...whole(items), total };
    },
    'holds.add': (hold) => {
      readFilter(hold.filter);
      return runtime.holds.add(hold);
    },
    'holds.update': ({ holdId, ...change }) => {
      if (change.filter !== undefined) readFilter(change.filter);
      return runtime.holds.update(holdId, change);
    },
    'holds.remove': ({ holdId, release = false }) => runtime.deliveryActions.removeHold(holdId, release),
    'holds.restore': ({ holdId }) => runtime.holds.restore(holdId),
  };
}

/** Throws Refusal INVALID_PARAMS unless there is exactly one member. */
function oneOrProblem(target: RerouteTarget): RerouteTarget {
  const { deliveryId, problem } = target;
  if ((deliveryId === undefined) !== (problem === undefined)) return target;
  const expected = 'exactly one of deliveryId, problem';
  const found = deliveryId === undefined ? 'none' : 'deliveryId, problem';
  const field = deliveryId === undefined ? 'deliveryId' : 'problem';
  throw new Refusal('INVALID_PARAMS', { reason: `Expected ${expected}, got ${found}` }, { field, expected });
}

/** Exactly one way to name deliveries. Throws Refusal INVALID_PARAMS, and FILTER_SYNTAX for a filter that cannot be read. */
function targetOf({ deliveryId, deliveryIds, filter, messageId, upTo }: DeliveryTarget): DeliveryTarget {
  const targets: DeliveryTarget[] = [];
  if (deliveryId !== undefined) targets.push({ deliveryId });
  if (deliveryIds !== undefined) targets.push({ deliveryIds });
  if (filter !== undefined) targets.push({ filter });
  if (messageId !== undefined) targets.push({ messageId });
  const [target, second] = targets;
  const expected = 'exactly one of deliveryId, deliveryIds, filter, messageId';
  if (target === undefined || second !== undefined) {
    const found = targets.flatMap((given) => Object.keys(given)).join(', ');
    const reason = `Expected ${expected}, got ${found === '' ? 'none' : found}`;
    const field = found === '' ? 'deliveryId' : Object.keys(second ?? {}).join('');
    throw new Refusal('INVALID_PARAMS', { reason }, { field, expected });
  }
  checkUpTo({ filter, upTo });
  if (target.filter !== undefined) readFilter(target.filter);
  return upTo === undefined ? target : { ...target, upTo };
}
