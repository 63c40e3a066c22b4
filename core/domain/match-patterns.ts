/** Compiled patterns of match rules. They run in linear time, and are kept as long as they take little memory. */
import { RE2JS } from '@bufbuild/re2';
import { spendOnNewPattern, spendOnPattern } from './match-cost.ts';
import { Steps } from './steps.ts';

const MAX_PATTERNS = 256;
/**
 * Steps after which all patterns are compiled anew. A pattern keeps its instructions, and for each character that it has not met in the
 * same place before, a way from one state to the next: 50 to 300 bytes for each step that was spent on it.
 */
const MAX_STEPS = 500_000;

/** Most steps for compiling a pattern that is written in its rule. */
const WRITTEN_STEPS = 200_000;
/** Most steps for the patterns that one event finds not compiled, of all rules of its subscription: about 100 ms. */
const COMPILED_STEPS = 1_000_000;
const NONE: ReadonlySet<string> = new Set();

export class MatchPatterns {
  readonly #kept = new Map<string, RE2JS>();
  /** Steps that were spent on the kept patterns. */
  #spent = 0;
  #written = NONE;
  /** Steps that each event has left for compiling what rules write. */
  readonly #compiling = new WeakMap<Steps, Steps>();

  /** Number of patterns that are kept. */
  get size(): number {
    return this.#kept.size;
  }

  /**
   * Evaluates a rule.
   * @param written texts of the rule. No event pays for compiling these: which one meets a pattern that is not kept is chance, and would
   * decide whether the rule is an error.
   */
  within<T>(written: ReadonlySet<string>, evaluate: () => T): T {
    this.#written = written;
    try {
      return evaluate();
    } finally {
      this.#written = NONE;
    }
  }

  /** Whether a text contains the pattern. Throws OutOfSteps, and the error of a pattern that cannot be read. */
  test(text: string, pattern: string, steps: Steps): boolean {
    if (this.#spent > MAX_STEPS) this.#forget();
    const compiled = this.#kept.get(pattern) ?? this.#compile(pattern, steps);
    const before = steps.used;
    spendOnPattern(text, compiled.re2().prog.numInst(), steps);
    this.#spent += steps.used - before;
    return compiled.test(text);
  }

  #compile(pattern: string, steps: Steps): RE2JS {
    const payer = this.#written.has(pattern) ? new Steps(WRITTEN_STEPS) : steps;
    const before = payer.used;
    spendOnNewPattern(pattern, payer);
    const cost = payer.used - before;
    if (payer !== steps) this.#compilingFor(steps).spend(cost);
    const compiled = RE2JS.compile(pattern);
    // The event does not pay, but the turn of the event loop has this work all the same.
    if (payer !== steps) steps.noteBeside(cost);
    if (this.#kept.size >= MAX_PATTERNS) this.#forget();
    this.#kept.set(pattern, compiled);
    this.#spent += cost;
    return compiled;
  }

  #compilingFor(event: Steps): Steps {
    let left = this.#compiling.get(event);
    if (left === undefined) this.#compiling.set(event, (left = new Steps(COMPILED_STEPS)));
    return left;
  }

  #forget(): void {
    this.#kept.clear();
    this.#spent = 0;
  }
}
