/**
 * Limits how many match rules are compiled for one app. Compiling takes about 9 µs for a rule and at most 1.5
 * µs for each of its characters.
 */

/** Maximum number of rules of one discovery answer, or of all declarative documents of one app. */
export const MAX_RULES = 10_000;
/** Maximum number of characters of these rules together. */
export const MAX_RULE_CHARACTERS = 250_000;

export class RuleAllowance {
  #rules = 0;
  #characters = 0;

  /**
   * Counts one rule. The result is the reason why it may not be compiled; undefined: it may. A refused rule
   * is not counted.
   */
  take(match: string): string | undefined {
    if (this.#rules >= MAX_RULES) return `an app has at most ${countText(MAX_RULES)} rules`;
    if (this.#characters + match.length > MAX_RULE_CHARACTERS)
      return `the rules of an app have at most ${countText(MAX_RULE_CHARACTERS)} characters together`;
    this.#rules += 1;
    this.#characters += match.length;
    return undefined;
  }
}

function countText(count: number): string {
  return count.toLocaleString('en-US');
}
