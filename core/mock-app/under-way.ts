/** Calls that a rule was chosen for and that have not ended. */
import type { ResponseRule } from '../contract/mock-app.ts';
import type { AddFacts } from './request-log.ts';

export class UnderWay {
  readonly #changed: () => void;
  readonly #calls = new Map<string, number>();

  /** @param changed called when a call has ended */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Counts a call as under way until the log gets its duration. */
  until(ruleId: string, add: AddFacts): AddFacts {
    this.#calls.set(ruleId, (this.#calls.get(ruleId) ?? 0) + 1);
    return (facts) => {
      add(facts);
      if (facts.durationMs === undefined) return;
      const left = (this.#calls.get(ruleId) ?? 1) - 1;
      if (left > 0) this.#calls.set(ruleId, left);
      else this.#calls.delete(ruleId);
      this.#changed();
    };
  }

  /** Number of these calls of each rule that has any. */
  calls(): readonly { readonly ruleId: string; readonly calls: number }[] {
    return [...this.#calls].map(([ruleId, calls]) => ({ ruleId, calls }));
  }

  /** The rules without these calls in their hits: the attempts of those are found by their rule only once they have ended. */
  without(rules: readonly ResponseRule[]): readonly ResponseRule[] {
    return rules.map((rule) => {
      const calls = this.#calls.get(rule.ruleId ?? '') ?? 0;
      return { ...rule, hits: Math.max(0, (rule.hits ?? 0) - calls) };
    });
  }
}
