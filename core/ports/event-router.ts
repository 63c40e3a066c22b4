/** The methods `eventRouter.*` of the console, which core/event-router implements. */
import type { Params, Result } from '../contract/console.ts';
import type { EventRouterMethod } from '../contract/event-router/console.ts';

/**
 * One function for each declared method. Each throws Refusal NOT_FOUND for a component, topic or delivery
 * that does not exist, and INVALID_PARAMS for what is not possible with it.
 */
export type EventRouterMethods = {
  readonly [M in EventRouterMethod]: (params: Params<M>) => Promise<Result<M>>;
};
