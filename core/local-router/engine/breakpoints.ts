/** Breakpoints in the router's queue: events that match one wait for a person before their first attempt. */
import type { SubscriptionFilter } from '../../contract/event-router/wire.ts';
import type { RouterBreakpoint } from '../../contract/event-router/local-router.ts';
import { readFilter } from '../rules/filter-body.ts';
import { evaluateFilter } from '../rules/event-filter.ts';
import { isObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { IdSource } from '../../ports/ids.ts';
import type { RouterStore } from '../store/store.ts';

const KIND = 'breakpoint';
const MAX = 20;

/** The breakpoints. They survive a restart of the router, as the deliveries that they hold do. */
export class Breakpoints {
  readonly #store: RouterStore;
  readonly #ids: IdSource;
  readonly #all = new Map<string, RouterBreakpoint>();

  constructor(store: RouterStore, ids: IdSource) {
    this.#store = store;
    this.#ids = ids;
    for (const { key, value } of store.kept(KIND)) {
      const filter = readFilter(isObject(value) ? value['filter'] : undefined);
      if (filter.ok) this.#all.set(key, { breakpointId: key, filter: filter.value });
    }
  }

  list(): readonly RouterBreakpoint[] {
    return [...this.#all.values()];
  }

  /** Adds a breakpoint. Throws Refusal INVALID_PARAMS for an invalid filter, or if there are too many. */
  add(given: SubscriptionFilter): RouterBreakpoint {
    const filter = readFilter(given);
    if (!filter.ok) throw new Refusal('INVALID_PARAMS', { reason: filter.complaint }, { field: 'add' });
    if (this.#all.size >= MAX) {
      const reason = `There are ${MAX} breakpoints already.`;
      throw new Refusal('INVALID_PARAMS', { reason }, { field: 'add' });
    }
    const made = { breakpointId: this.#ids.uuid(), filter: filter.value };
    this.#all.set(made.breakpointId, made);
    this.#store.keep(KIND, made.breakpointId, { filter: made.filter });
    return made;
  }

  /** Removes a breakpoint. Deliveries that it holds stay held until a person releases them. Throws Refusal NOT_FOUND. */
  remove(breakpointId: string): void {
    if (!this.#all.delete(breakpointId))
      throw new Refusal('NOT_FOUND', { reason: `There is no breakpoint ${breakpointId}.` });
    this.#store.keep(KIND, breakpointId, undefined);
  }

  /**
   * Whether an event is held.
   * @param envelope its members for filters
   */
  holds(envelope: Readonly<Record<string, unknown>>): boolean {
    for (const { filter } of this.#all.values()) if (evaluateFilter(filter, envelope).matches) return true;
    return false;
  }
}
