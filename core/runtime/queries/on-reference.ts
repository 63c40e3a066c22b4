/** Hints about subscriptions that would fail or differ on the reference sidecar, and the log lines about them. */
import type { ReferenceHint } from '../../contract/reference-hint.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { isTopicPattern, prefixOf, topicMatches } from '../../contract/topic-pattern.ts';
import { firstAtLeast } from '../../domain/sorted-names.ts';
import { hintText, hintsThatHold } from '../../domain/reference-hints.ts';
import { newHintRoom, ruleHints } from '../../domain/reference-rules.ts';
import type { HintRoom } from '../../domain/reference-rules.ts';
import { lossHints, MAX_NAMED, subscriptionHints } from '../../domain/reference-subscriptions.ts';
import type { SharedServices } from '../common-services.ts';
import type { Components } from '../components/components.ts';
import type { App } from '../state/app.ts';
import type { Policies } from '../state/policies.ts';

export interface OnReferenceDependencies {
  readonly apps: () => readonly App[];
  readonly components: Components;
  readonly policies: Policies;
}

export class OnReference {
  readonly #shared: Pick<SharedServices, 'profile' | 'log'>;
  readonly #deps: OnReferenceDependencies;
  readonly #deadLetters = new DeadLetterTopics();
  /** Hints by rules, because rules are parsed once and not with every list. */
  readonly #ofRules = new WeakMap<Subscription['rules'], readonly ReferenceHint[]>();
  /** Remaining budget to read rules for hints, by app id. */
  readonly #rooms = new Map<string, HintRoom>();
  /** Lines logged for an app since its last discovery. */
  readonly #logged = new WeakMap<App, Set<string>>();

  constructor(shared: Pick<SharedServices, 'profile' | 'log'>, deps: OnReferenceDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /** Returns a function that gives the present hints of a subscription; none in a profile without a reference. */
  now(): (subscription: Subscription) => readonly ReferenceHint[] {
    if (this.#shared.profile.referenceRelease === undefined) return () => [];
    this.#deadLetters.follow(this.#deps.apps());
    return (subscription) => this.#hints(subscription, this.#deadLetters);
  }

  /** Logs every hint of the app's subscriptions, after each discovery. */
  log(app: App): void {
    this.#logged.delete(app);
    this.logNew(app);
  }

  /** Logs hints that were not logged since the last discovery, after files or components have changed. */
  logNew(app: App): void {
    const { profile, log } = this.#shared;
    const release = profile.referenceRelease;
    if (release === undefined) return;
    this.#rooms.set(app.appId, newHintRoom());
    const hintsOf = this.now();
    const told = this.#logged.get(app) ?? new Set();
    this.#logged.set(app, told);
    for (const { subscription } of app.rows) {
      const { pubsubname, topic } = subscription;
      for (const hint of hintsOf(subscription)) {
        const about = hint.component === undefined ? `${pubsubname}/${topic}` : `component ${hint.component}`;
        const line = `${app.appId}: ${about} ${hintText(hint, release)}`;
        if (told.has(line)) continue;
        told.add(line);
        log.write('warn', 'reference', line);
      }
    }
  }

  #hints(subscription: Subscription, deadLetters: DeadLetterTopics): readonly ReferenceHint[] {
    const { components, policies } = this.#deps;
    const { appId, pubsubname, topic, rules } = subscription;
    const facts = {
      subscription,
      component: components.settingsOf(appId, pubsubname),
      attempts: policies.retryFor(appId, pubsubname, topic).maxAttempts,
      hasPolicy: policies.declaresRetry(appId, pubsubname),
      takesDeadLettersOf: deadLetters.takenBy(subscription),
    };
    const more = [...subscriptionHints(facts), ...lossHints(facts)];
    return hintsThatHold([...this.#hintsOfRules(appId, rules), ...more], this.#shared.profile.differences);
  }

  #hintsOfRules(appId: string, rules: Subscription['rules']): readonly ReferenceHint[] {
    let hints = this.#ofRules.get(rules);
    if (hints === undefined) {
      hints = ruleHints(rules, this.#rooms.get(appId));
      this.#ofRules.set(rules, hints);
    }
    return hints;
  }
}

/** Number of subscriptions by topic whose dead letters go to one topic. */
type Sources = Map<string, number>;

/** The dead-letter topics of a component in their order, each with the first topics whose dead letters go there. */
interface SortedTopics {
  readonly topics: readonly string[];
  readonly from: readonly (readonly string[])[];
}

/** Number of topics that are found for a hint, which says that there are more than it names. */
const MAX_FOUND = MAX_NAMED + 1;

/**
 * Dead-letter topics of all subscriptions, indexed by name because each of thousands looks one up. Only apps whose subscriptions have changed
 * are read again: with hundreds of apps each discovery asks.
 */
class DeadLetterTopics {
  /** Topics whose dead letters are published to a topic, by component and that topic. */
  readonly #from = new Map<string, Map<string, Sources>>();
  /** Rows of each app that are in the index. */
  readonly #known = new Map<App, App['rows']>();
  /**
   * Topics of the index in their order, because each of thousands of patterns would look at thousands of topics. A component is sorted when a pattern
   * asks after a change.
   */
  readonly #sorted = new Map<string, SortedTopics>();

  /** Brings the index in line with the current subscriptions. */
  follow(apps: readonly App[]): void {
    const gone = new Set(this.#known.keys());
    for (const app of apps) {
      gone.delete(app);
      if (this.#known.get(app) === app.rows) continue;
      this.#forget(app);
      this.#known.set(app, app.rows);
      for (const { subscription } of app.rows) this.#add(subscription);
    }
    for (const app of gone) this.#forget(app);
  }

  /**
   * Topics whose dead letters this subscription receives, `MAX_FOUND` at most: sorted, as their hint must not change with the order in which
   * apps are asked.
   */
  takenBy({ pubsubname, topic }: Subscription): readonly string[] {
    const { topics, from } = this.#sortedOf(pubsubname);
    const prefix = isTopicPattern(topic) ? prefixOf(topic) : topic;
    const taken = new Set<string>();
    for (let at = firstAtLeast(topics, prefix); taken.size < MAX_FOUND; at += 1) {
      const deadLetterTopic = topics[at];
      if (deadLetterTopic === undefined || !deadLetterTopic.startsWith(prefix)) break;
      if (topicMatches(topic, deadLetterTopic)) for (const one of from[at] ?? []) taken.add(one);
      // Topics that begin with the name of a topic follow it, and are no others of it.
      if (!isTopicPattern(topic)) break;
    }
    return [...taken].toSorted().slice(0, MAX_FOUND);
  }

  #sortedOf(pubsubname: string): SortedTopics {
    let sorted = this.#sorted.get(pubsubname);
    if (sorted === undefined) {
      const all = [...(this.#from.get(pubsubname) ?? [])].toSorted(([a], [b]) => (a < b ? -1 : 1));
      sorted = {
        topics: all.map(([topic]) => topic),
        from: all.map(([, sources]) => [...sources.keys()].toSorted().slice(0, MAX_FOUND)),
      };
      this.#sorted.set(pubsubname, sorted);
    }
    return sorted;
  }

  #add({ pubsubname, topic, deadLetterTopic }: Subscription): void {
    if (deadLetterTopic === undefined) return;
    const ofComponent = this.#from.get(pubsubname) ?? new Map<string, Sources>();
    this.#from.set(pubsubname, ofComponent);
    this.#sorted.delete(pubsubname);
    const topics = ofComponent.get(deadLetterTopic) ?? new Map<string, number>();
    ofComponent.set(deadLetterTopic, topics);
    topics.set(topic, (topics.get(topic) ?? 0) + 1);
  }

  #forget(app: App): void {
    for (const { subscription } of this.#known.get(app) ?? []) this.#remove(subscription);
    this.#known.delete(app);
  }

  #remove({ pubsubname, topic, deadLetterTopic }: Subscription): void {
    const ofComponent = this.#from.get(pubsubname);
    const topics = deadLetterTopic === undefined ? undefined : ofComponent?.get(deadLetterTopic);
    if (ofComponent === undefined || topics === undefined || deadLetterTopic === undefined) return;
    this.#sorted.delete(pubsubname);
    const left = (topics.get(topic) ?? 0) - 1;
    if (left > 0) topics.set(topic, left);
    else topics.delete(topic);
    if (topics.size === 0) ofComponent.delete(deadLetterTopic);
    if (ofComponent.size === 0) this.#from.delete(pubsubname);
  }
}
