/**
 * The condition of a routing rule (`event.type == "order"`): compiled once, evaluated per event. Behaviour
 * 4.4.
 */
import { Environment, EvaluationError, ParseError, TypeError as CheckError } from '@marcbachmann/cel-js';
import { shortened } from '../contract/cut-place.ts';
import { errorText } from '../contract/error-text.ts';
import { addStandard, withMomentSums } from './match-functions.ts';
import { readLiterals } from './match-literals.ts';
import type { ReadLiterals } from './match-literals.ts';
import { messageComplaint } from './match-messages.ts';
import { MatchMeter } from './match-meter.ts';
import { MatchPatterns } from './match-patterns.ts';
import { readText, rewriteMatch, textsIn, typeText } from './match-rewrite.ts';
import { no, ok } from './result.ts';
import type { Result } from './result.ts';
import { OutOfSteps, Steps } from './steps.ts';

export interface MatchComplaint {
  readonly message: string;
  /** Offset of the mistake in the text, from 0. */
  readonly position?: number;
}

/** Result of an evaluation. `position`: offset of the error in the expression, from 0, if it is known. */
export type MatchValue = { readonly value: boolean } | { readonly error: string; readonly position?: number };

export interface CompiledMatch {
  readonly text: string;
  /** True if the text is empty or blank, which holds for every event. */
  readonly always: boolean;
  /**
   * Evaluates the condition; never throws. An error is a result of its own, not "false".
   * @param steps limit for this evaluation, shared by the rules that are tried for one event; absent: MATCH_STEPS
   */
  evaluate(event: unknown, steps?: Steps): MatchValue;
}

/** Steps that the rules of one subscription may take for one event: about 20 ms of work. */
export const MATCH_STEPS = 200_000;

/** Longest text of an error, which may quote parts of the event. */
const MAX_ERROR_LENGTH = 500;
const MAX_TEXT = 10_000;

/**
 * Compiles the text of a condition. Complaints: syntax and type errors. Unknown names and results that are
 * not boolean show at evaluation, as in the reference.
 */
export function compileMatch(given: string): Result<CompiledMatch, MatchComplaint> {
  const text = readText(given);
  if (text.trim() === '') return ok({ text, always: true, evaluate: () => ({ value: true }) });
  if (text.length > MAX_TEXT)
    return no({ message: `longer than ${MAX_TEXT.toLocaleString('en-US')} characters` });
  const literals = readLiterals(text);
  try {
    const { checking, running, meter, patterns } = environments();
    const compared = typeText(text);
    const source = compared === undefined ? literals.text : `event.type == ${JSON.stringify(compared)}`;
    const parsed = checking.parse(source);
    withMomentSums(parsed.ast);
    const checked = parsed.check();
    if (!checked.valid) return no(complaintOf(checked.error, literals));
    const rewritten = rewriteMatch(source, parsed.ast, (changed) => checking.parse(changed).ast);
    if (rewritten === undefined) return no({ message: 'matches() could not be read here' });
    const run = running.parse(rewritten);
    withMomentSums(run.ast);
    const isAsWritten = rewritten === text;
    const written = new Set(textsIn(run.ast));
    const within = (steps: Steps, context: { event: unknown }): unknown =>
      patterns.within(written, () => meter.within(steps, run.ast, () => run(context)));
    return ok({
      text,
      always: false,
      evaluate: (event, steps = new Steps(MATCH_STEPS)) =>
        evaluate((context) => within(steps, context), text, event, isAsWritten),
    });
  } catch (error) {
    if (error instanceof ParseError || error instanceof CheckError || error instanceof RangeError)
      return no(messageComplaint(text) ?? complaintOf(error, literals));
    throw error;
  }
}

function evaluate(
  run: (context: { event: unknown }) => unknown,
  text: string,
  event: unknown,
  isAsWritten: boolean,
): MatchValue {
  try {
    const value = run({ event });
    if (typeof value === 'boolean') return { value };
    return { error: `the result of match expression ${text} was not a boolean` };
  } catch (error) {
    // Every error of the evaluation is an error of this rule; the caller shows it with the message.
    if (error instanceof OutOfSteps) return { error: `the rule needed ${error.message}` };
    if (error instanceof EvaluationError) {
      // In a rewritten text the position would differ from the one that a person sees.
      const position = isAsWritten ? error.range?.start : undefined;
      return {
        error: shortened(error.summary, MAX_ERROR_LENGTH),
        ...(position === undefined ? {} : { position }),
      };
    }
    return { error: shortened(errorText(error), MAX_ERROR_LENGTH) };
  }
}

function complaintOf(error: Error | undefined, literals: ReadLiterals): MatchComplaint {
  // The library checks recursively, and reports an exhausted stack as a mistake of the text.
  if (error instanceof RangeError) return { message: 'nested too deeply' };
  if (!(error instanceof ParseError || error instanceof CheckError))
    return { message: error?.message ?? 'not a valid expression' };
  const start = error.range?.start;
  return { message: error.summary, ...(start === undefined ? {} : { position: literals.originalAt(start) }) };
}

interface Environments {
  readonly checking: Environment;
  readonly running: Environment;
  readonly meter: MatchMeter;
  readonly patterns: MatchPatterns;
}

let built: Environments | undefined;

/**
 * Two environments: `checking` accepts unknown names; `running` does not, and `meter` counts its work. They
 * are built on first use and never changed.
 */
function environments(): Environments {
  built ??= buildEnvironments();
  return built;
}

function buildEnvironments(): Environments {
  const patterns = new MatchPatterns();
  const running = buildEnvironment(false, (text, pattern) => patterns.test(text, pattern, meter.steps));
  const meter = new MatchMeter(running);
  return { checking: buildEnvironment(true, () => false), running, meter, patterns };
}

function buildEnvironment(
  unlistedVariablesAreDyn: boolean,
  test: (text: string, pattern: string) => boolean,
): Environment {
  const environment = new Environment({ unlistedVariablesAreDyn, homogeneousAggregateLiterals: false });
  return addStandard(environment)
    .registerVariable('event', 'dyn')
    .registerFunction('string.re2matches(string): bool', test)
    .registerFunction('matches(string, string): bool', test);
}
