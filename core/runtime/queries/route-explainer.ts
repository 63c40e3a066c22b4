/** Explains where an event would go, subscription by subscription; with many of them, other work runs in between. */
import type { RouteExplanation } from '../../contract/console.ts';
import type { ReferenceHint } from '../../contract/reference-hint.ts';
import type { Subscription, SubscriptionRow } from '../../contract/subscription.ts';
import { readRuledEvent } from '../../domain/inbound.ts';
import { MATCH_STEPS } from '../../domain/match.ts';
import { isObject } from '../../domain/json.ts';
import { rawEvent } from '../../domain/raw-wrapper.ts';
import { hintsThatHold } from '../../domain/reference-hints.ts';
import { eventHints } from '../../domain/reference-subscriptions.ts';
import { compileRoutes, explainRoutes, explainUnreadable } from '../../domain/routing.ts';
import type { CompiledRoutes } from '../../domain/routing.ts';
import { Steps } from '../../domain/steps.ts';
import type { SharedServices } from '../common-services.ts';
import { RuleTurns } from '../delivering/rule-turns.ts';

/** An event to publish. A string is the text of a body. */
export interface RouteQuestion {
  readonly pubsubname: string;
  readonly topic: string;
  readonly event: unknown;
}

/** A subscription that would get the event. */
export interface AskedSubscription {
  readonly row: SubscriptionRow;
  readonly subscription: Subscription;
  /** Hints about the subscription, without those about the event. */
  readonly onReference: readonly ReferenceHint[];
}

/** The event as a subscription reads it; `unreadable`: why it cannot. */
type Reading =
  | {
      readonly event: unknown;
      /** Hints about the event. */
      readonly onReference: readonly ReferenceHint[];
    }
  | { readonly unreadable: string };

/** Number of steps counted for each character of a compiled rule: about 2 microseconds. */
const COMPILED_CHARACTER = 20;
/** Number of steps counted for each subscription: its row and its hints. */
const EACH = 500;

export class RouteExplainer {
  readonly #shared: SharedServices;
  readonly #turns: RuleTurns;
  readonly #compiled = new WeakMap<Subscription, CompiledRoutes>();

  constructor(shared: SharedServices) {
    this.#shared = shared;
    this.#turns = new RuleTurns(shared);
  }

  async explain(
    asked: readonly AskedSubscription[],
    question: RouteQuestion,
  ): Promise<readonly RouteExplanation[]> {
    const readingOf = this.#readings(question);
    const found: RouteExplanation[] = [];
    for (const one of asked) {
      const explain = (): RouteExplanation => this.#explain(one, readingOf(one.row));
      found.push(this.#turns.isOver ? await this.#turns.later(one, explain) : explain());
    }
    return found;
  }

  #explain(
    { row, subscription, onReference: ofSubscription }: AskedSubscription,
    reading: Reading,
  ): RouteExplanation {
    const steps = new Steps(MATCH_STEPS);
    const routes = this.#routesOf(subscription);
    const onReference = [...ofSubscription, ...('event' in reading ? reading.onReference : [])];
    const explained =
      'event' in reading
        ? explainRoutes(routes, reading.event, steps)
        : explainUnreadable(routes, reading.unreadable);
    this.#turns.spent(steps.work + EACH);
    return {
      appId: row.appId,
      pubsubname: row.pubsubname,
      topic: row.topic,
      source: row.source,
      raw: row.rawPayload === true,
      bulk: row.bulk !== undefined,
      ...(row.state === 'active' ? {} : { unused: row.reason ?? `It is ${row.state}.` }),
      ...explained,
      ...(onReference.length === 0 ? {} : { onReference }),
    };
  }

  #hintsOfEvent(event: unknown): readonly ReferenceHint[] {
    const { referenceRelease, differences } = this.#shared.profile;
    return referenceRelease === undefined ? [] : hintsThatHold(eventHints(event), differences);
  }

  #routesOf(subscription: Subscription): CompiledRoutes {
    let routes = this.#compiled.get(subscription);
    if (routes === undefined) {
      routes = compileRoutes(subscription);
      this.#compiled.set(subscription, routes);
      const characters = subscription.rules.reduce((sum, { match }) => sum + match.length, 0);
      this.#turns.spent(characters * COMPILED_CHARACTER);
    }
    return routes;
  }

  /**
   * Reads the event as each kind of subscription does, once per kind: the envelope, the wrapper of raw bytes, or in raw batches their text.
   */
  #readings({ event, topic, pubsubname }: RouteQuestion): (row: SubscriptionRow) => Reading {
    const { codec, profile, ids } = this.#shared;
    let text: string | undefined;
    const wireOf = (): string => (text ??= typeof event === 'string' ? event : JSON.stringify(event ?? null));
    let read: Reading | undefined;
    let wrapped: Reading | undefined;
    return (row) => {
      if (row.rawPayload !== true) {
        if (read === undefined) {
          const found = readRuledEvent(wireOf(), codec, isObject(event) ? event : undefined);
          read = found.ok
            ? { event: found.event, onReference: this.#hintsOfEvent(found.event) }
            : { unreadable: found.reason };
        }
        return read;
      }
      // A raw subscription takes the event as bytes, so its members make no difference.
      if (row.bulk !== undefined) return { event: wireOf(), onReference: [] };
      wrapped ??= {
        event: rawEvent(wireOf(), { id: ids.uuid(), topic, pubsubname, profile, codec }),
        onReference: [],
      };
      return wrapped;
    };
  }
}
