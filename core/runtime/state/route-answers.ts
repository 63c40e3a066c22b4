/** What an app answers at its routes: whether it serves them, or says each time that it has no such route. */
import { NO_ROUTE_AT_APP } from '../../contract/delivery.ts';
import type { RuleId } from '../../contract/delivery.ts';
import type { Mutable } from '../../contract/mutable.ts';
import type { MissingRoute, Subscription } from '../../contract/subscription.ts';
import { pathsOf } from '../../contract/route-paths.ts';
import type { LiveDelivery } from './live.ts';

const MISSING: ReadonlySet<RuleId> = new Set(NO_ROUTE_AT_APP);

/** A route that the app does not serve, with its subscription. */
export interface MissingRouteOf extends MissingRoute {
  readonly pubsubname: string;
  /** Topic of the subscription, which may be a pattern. */
  readonly topic: string;
  /** Rule of the last answer. */
  readonly rule: RuleId;
}

/** A delivery as far as its route is concerned. */
type Routed = Pick<LiveDelivery, 'counted' | 'route' | 'subscription'>;

/**
 * What has changed with an answer. `again`: one more delivery of a route that is missing already; `still`: the first one since the app may
 * have been started anew; `served`: it is missing no longer; `serves`: first answer of a route that was not missing; undefined: nothing.
 */
type RouteNews = 'missing' | 'again' | 'still' | 'served' | 'serves' | undefined;

export class RouteAnswers {
  /**
   * Routes that answered otherwise, by lane. An app that serves a route may answer 404 to a message that it does not know, which is no
   * mistake in the setup.
   */
  readonly #served = new Map<string, Set<string>>();
  readonly #missing = new Map<string, Map<string, Mutable<MissingRouteOf>>>();
  /** Paths of them that have answered so since the app may have been started anew, by lane. */
  readonly #missingNow = new Map<string, Set<string>>();
  #times = 0;

  /** How often the app may have been started anew: a call that began before that says nothing about the routes of now. */
  get times(): number {
    return this.#times;
  }

  /** Notes an answer of the app. Each message passes here, so that a route which is known to be served costs two lookups. */
  note(
    { counted: { lane }, route: { path }, subscription }: Routed,
    rule: RuleId,
    answer: string,
  ): RouteNews {
    if (this.#served.get(lane)?.has(path) === true) return undefined;
    const known = this.#missing.get(lane)?.get(path);
    if (!MISSING.has(rule)) {
      addTo(this.#served, lane).add(path);
      this.#missingNow.get(lane)?.delete(path);
      if (known === undefined) return 'serves';
      this.#missing.get(lane)?.delete(path);
      return 'served';
    }
    const isFirst = !this.isMissingNow(lane, path);
    addTo(this.#missingNow, lane).add(path);
    if (known !== undefined) {
      known.times += 1;
      known.rule = rule;
      known.answer = answer;
      return isFirst ? 'still' : 'again';
    }
    const { pubsubname, topic } = subscription;
    const ofLane = this.#missing.get(lane) ?? new Map<string, Mutable<MissingRouteOf>>();
    ofLane.set(path, { pubsubname, topic, path, answer, rule, times: 1 });
    this.#missing.set(lane, ofLane);
    return 'missing';
  }

  /** Missing routes of one lane, or of all. */
  missing(lane?: string): readonly MissingRouteOf[] {
    if (lane !== undefined) return [...(this.#missing.get(lane)?.values() ?? [])];
    return [...this.#missing.values()].flatMap((ofLane) => [...ofLane.values()]);
  }

  /** Whether a route has answered that it is missing since the app may have been started anew. */
  isMissingNow(lane: string, path: string): boolean {
    return this.#missingNow.get(lane)?.has(path) === true;
  }

  /**
   * Notes that the app may have been started anew: its port was closed, or it is asked for its subscriptions again. A route that it served may
   * be missing now, and one that was missing may be served. As a problem it stays until it answers otherwise, or no subscription has it.
   */
  mayBeAnew(): void {
    this.#times += 1;
    this.#served.clear();
    this.#missingNow.clear();
  }

  /** Forgets all: another program answers from now on. */
  clear(): void {
    this.#times += 1;
    this.#served.clear();
    this.#missing.clear();
    this.#missingNow.clear();
  }

  /** Forgets missing routes that none of the subscriptions has any more. */
  keepOnly(subscriptions: readonly Subscription[]): void {
    if (this.#missing.size === 0) return;
    for (const [lane, ofLane] of this.#missing)
      for (const [path, { pubsubname, topic }] of ofLane) {
        const isThere = subscriptions.some(
          (one) => one.pubsubname === pubsubname && one.topic === topic && pathsOf(one).includes(path),
        );
        if (isThere) continue;
        ofLane.delete(path);
        this.#missingNow.get(lane)?.delete(path);
      }
  }
}

function addTo(sets: Map<string, Set<string>>, name: string): Set<string> {
  const set = sets.get(name) ?? new Set<string>();
  sets.set(name, set);
  return set;
}
