/** The condition of a routing rule (`event.type == "order"`): compiled once, asked per event. Behaviour 4.4. */
import { RE2JS } from '@bufbuild/re2';
import { Environment, EvaluationError, ParseError, TypeError as CheckError } from '@marcbachmann/cel-js';
import { errorText } from '../contract/error-text.ts';
import { spendOnNewPattern, spendOnPattern } from './match-cost.ts';
import { MatchMeter } from './match-meter.ts';
import { readText, rewriteMatch, typeText } from './match-rewrite.ts';
import { no, ok } from './result.ts';
import type { Result } from './result.ts';
import { OutOfSteps, Steps } from './steps.ts';

export interface MatchComplaint {
  readonly message: string;
  /** Offset in the text, from 0. */
  readonly position?: number;
}

/** `position`: where in the expression, from 0, as far as it is known. */
export type MatchValue = { readonly value: boolean } | { readonly error: string; readonly position?: number };

export interface CompiledMatch {
  readonly text: string;
  /** Holds for every event: the text is empty or blank. */
  readonly always: boolean;
  /**
   * Never throws; an error is its own answer, not "false".
   * @param steps what this evaluation may take, shared where several rules are tried for one event; absent: MATCH_STEPS
   */
  evaluate(event: unknown, steps?: Steps): MatchValue;
}

/** Steps that the rules of one subscription may take for one event: about 20 ms of work. */
export const MATCH_STEPS = 200_000;

/** Longest text of an error: it may quote what the event holds. */
const LONGEST_ERROR = 500;
const MAX_TEXT = 10_000;
const MAX_PATTERNS = 256;

/**
 * Compiles a match text.
 * Complaints: syntax and type errors. A name nobody knows, and a result that is not boolean, show at evaluation, as in the reference.
 */
export function compileMatch(given: string): Result<CompiledMatch, MatchComplaint> {
  const text = readText(given);
  if (text.trim() === '') return ok({ text, always: true, evaluate: () => ({ value: true }) });
  if (text.length > MAX_TEXT)
    return no({ message: `longer than ${MAX_TEXT.toLocaleString('en-US')} characters` });
  try {
    const { checking, running, meter } = environments();
    const compared = typeText(text);
    const source = compared === undefined ? text : `event.type == ${JSON.stringify(compared)}`;
    const parsed = checking.parse(source);
    const checked = parsed.check();
    if (!checked.valid) return no(complaintOf(checked.error));
    const rewritten = rewriteMatch(source, parsed.ast, (changed) => checking.parse(changed).ast);
    if (rewritten === undefined) return no({ message: 'matches() could not be read here' });
    const run = running.parse(rewritten);
    const isAsWritten = rewritten === text;
    return ok({
      text,
      always: false,
      evaluate: (event, steps = new Steps(MATCH_STEPS)) =>
        evaluate((context) => meter.within(steps, run.ast, () => run(context)), text, event, isAsWritten),
    });
  } catch (error) {
    if (error instanceof ParseError || error instanceof CheckError || error instanceof RangeError)
      return no(complaintOf(error));
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
    // Whatever evaluation throws is this rule's error; the caller shows it with the message.
    if (error instanceof OutOfSteps) return { error: `the rule needed ${error.message}` };
    if (error instanceof EvaluationError) {
      // In a text that was rewritten the position would differ from the one that a person sees.
      const position = isAsWritten ? error.range?.start : undefined;
      return { error: shortened(error.summary), ...(position === undefined ? {} : { position }) };
    }
    return { error: shortened(errorText(error)) };
  }
}

function shortened(text: string): string {
  return text.length > LONGEST_ERROR ? `${text.slice(0, LONGEST_ERROR)}…` : text;
}

function complaintOf(error: Error | undefined): MatchComplaint {
  // The library checks by calling itself, and gives what stopped it as a mistake of the text.
  if (error instanceof RangeError) return { message: 'nested too deeply' };
  if (!(error instanceof ParseError || error instanceof CheckError))
    return { message: error?.message ?? 'not a valid expression' };
  const position = error.range?.start;
  return { message: error.summary, ...(position === undefined ? {} : { position }) };
}

interface Environments {
  readonly checking: Environment;
  readonly running: Environment;
  readonly meter: MatchMeter;
}

let built: Environments | undefined;

/** `checking` lets unknown names pass, `running` does not and is counted by `meter`. Built on first use, never changed after. */
function environments(): Environments {
  built ??= buildEnvironments();
  return built;
}

function buildEnvironments(): Environments {
  const running = buildEnvironment(false, (text, pattern) => {
    const compiled = compilePattern(pattern, meter.steps);
    spendOnPattern(text, compiled.re2().prog.numInst(), meter.steps);
    return compiled.test(text);
  });
  const meter = new MatchMeter(running);
  return { checking: buildEnvironment(true, () => false), running, meter };
}

function buildEnvironment(
  unlistedVariablesAreDyn: boolean,
  test: (text: string, pattern: string) => boolean,
): Environment {
  return new Environment({ unlistedVariablesAreDyn, homogeneousAggregateLiterals: false })
    .registerVariable('event', 'dyn')
    .registerFunction('string.re2matches(string): bool', test)
    .registerFunction('matches(string, string): bool', test);
}

const patterns = new Map<string, RE2JS>();

/** Linear-time pattern; the least recently compiled of 256 gives way. */
function compilePattern(pattern: string, steps: Steps): RE2JS {
  const known = patterns.get(pattern);
  if (known !== undefined) return known;
  spendOnNewPattern(pattern, steps);
  const compiled = RE2JS.compile(pattern);
  if (patterns.size >= MAX_PATTERNS) {
    const oldest = patterns.keys().next();
    if (oldest.done !== true) patterns.delete(oldest.value);
  }
  patterns.set(pattern, compiled);
  return compiled;
}
