/** Hints about subscriptions that would fail or differ on the reference sidecar, and the log lines about them. */
import type { ReferenceHint } from '../../contract/reference-hint.ts';
import type { Subscription } from '../../contract/subscription.ts';
import { isTopicPattern, topicMatches } from '../../contract/topic-pattern.ts';
import { hintText, hintsThatHold } from '../../domain/reference-hints.ts';
import { newHintRoom, ruleHints } from '../../domain/reference-rules.ts';
import type { HintRoom } from '../../domain/reference-rules.ts';
import { lossHints, subscriptionHints } from '../../domain/reference-subscriptions.ts';
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
    const deadLetters = new DeadLetterTopics(
      this.#deps.apps().flatMap(({ rows }) => rows.map(({ subscription }) => subscription)),
    );
    return (subscription) => this.#hints(subscription, deadLetters);
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

/** Dead-letter topics of all subscriptions, indexed by name because each of thousands looks one up. */
class DeadLetterTopics {
  /** Topics whose dead letters are published to a topic, by component and that topic. */
  readonly #from = new Map<string, Map<string, Set<string>>>();

  constructor(subscriptions: readonly Subscription[]) {
    for (const { pubsubname, topic, deadLetterTopic } of subscriptions) {
      if (deadLetterTopic === undefined) continue;
      const ofComponent = this.#from.get(pubsubname) ?? new Map<string, Set<string>>();
      this.#from.set(pubsubname, ofComponent);
      ofComponent.set(deadLetterTopic, (ofComponent.get(deadLetterTopic) ?? new Set()).add(topic));
    }
  }

  /** Topics whose dead letters this subscription receives. */
  takenBy({ pubsubname, topic }: Subscription): readonly string[] {
    const ofComponent = this.#from.get(pubsubname);
    if (ofComponent === undefined) return [];
    if (!isTopicPattern(topic)) return [...(ofComponent.get(topic) ?? [])];
    const taken = new Set<string>();
    for (const [deadLetterTopic, topics] of ofComponent)
      if (topicMatches(topic, deadLetterTopic)) for (const one of topics) taken.add(one);
    return [...taken];
  }
}
