/** Chooses the app's route for an event, and reports every rule that was evaluated. */
import type { RouteExplanation } from '../contract/console.ts';
import type { ReadRule, Subscription } from '../contract/subscription.ts';
import { describeReading } from './match-rewrite.ts';
import { compileMatch, MATCH_STEPS } from './match.ts';
import type { MatchValue } from './match.ts';
import { Steps } from './steps.ts';

export interface CompiledRule {
  /** Index in the subscription's rules, from 0. */
  readonly index: number;
  readonly match: string;
  readonly path: string;
  readonly evaluate: (event: unknown, steps: Steps) => MatchValue;
}

export interface CompiledRoutes {
  readonly rules: readonly CompiledRule[];
  readonly defaultPath?: string;
  /** False: the path does not depend on the event, so the event need not be parsed. */
  readonly needsEvent: boolean;
}

export type RouteChoice =
  | {
      readonly kind: 'path';
      readonly path: string;
      readonly rule?: { readonly match: string; readonly index: number };
    }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'error';
      readonly index: number;
      readonly match: string;
      readonly error: string;
      readonly position?: number;
    };

/**
 * Compiles a subscription's rules once. A rule that does not compile (the readers refuse such rules) is an
 * error for each event.
 */
export function compileRoutes(subscription: Pick<Subscription, 'rules' | 'defaultPath'>): CompiledRoutes {
  let needsEvent = false;
  const rules = subscription.rules.map(({ match, path }, index): CompiledRule => {
    const compiled = compileMatch(match);
    if (!compiled.ok) {
      const error = compiled.complaint.message;
      return { index, match, path, evaluate: () => ({ error }) };
    }
    if (!compiled.value.always) needsEvent = true;
    return { index, match, path, evaluate: (event, steps) => compiled.value.evaluate(event, steps) };
  });
  const { defaultPath } = subscription;
  return { rules, needsEvent, ...(defaultPath === undefined ? {} : { defaultPath }) };
}

/**
 * Chooses the first rule that holds, else the default, else none. An error ends the search: it is never "no match". Behaviour 4.4. All
 * rules share one budget of MATCH_STEPS; the rule that exceeds it is an error.
 * @param event the envelope; the wrapper for a raw subscription; the raw text for a raw bulk subscription
 * @param steps budget of this event, for a caller that asks how much of it was used
 */
export function chooseRoute(
  routes: CompiledRoutes,
  event: unknown,
  steps = new Steps(MATCH_STEPS),
): RouteChoice {
  for (const { index, match, path, evaluate } of routes.rules) {
    const result = evaluate(event, steps);
    if ('error' in result) return { kind: 'error', index, match, ...result };
    if (result.value) return { kind: 'path', path, rule: { match, index } };
  }
  return routes.defaultPath === undefined ? { kind: 'none' } : { kind: 'path', path: routes.defaultPath };
}

/** A rule, with how it was read if that differs from its expression. */
export function readRule({ match, path }: { readonly match: string; readonly path: string }): ReadRule {
  const reading = describeReading(match);
  return { match, path, ...(reading === undefined ? {} : { reading }) };
}

/** Report for a message that the subscription cannot read, so that no rule is evaluated. */
export function explainUnreadable(
  routes: CompiledRoutes,
  unreadable: string,
): Pick<RouteExplanation, 'rules' | 'default' | 'unreadable'> {
  return {
    rules: routes.rules.map((rule) => ({
      index: rule.index,
      ...readRule(rule),
      value: 'not looked at',
      chosen: false,
    })),
    ...(routes.defaultPath === undefined ? {} : { default: { path: routes.defaultPath, chosen: false } }),
    unreadable,
  };
}

/**
 * Report of the choice of `chooseRoute`, rule by rule: the result of each, and those that were not evaluated.
 */
export function explainRoutes(
  routes: CompiledRoutes,
  event: unknown,
  steps = new Steps(MATCH_STEPS),
): Pick<RouteExplanation, 'rules' | 'default' | 'path'> {
  const choice = chooseRoute(routes, event, steps);
  const last =
    choice.kind === 'error' ? choice.index : choice.kind === 'path' ? choice.rule?.index : undefined;
  const rules = routes.rules.map((rule): RouteExplanation['rules'][number] => {
    const { index } = rule;
    const read = readRule(rule);
    const chosen = choice.kind === 'path' && choice.rule?.index === index;
    if (last !== undefined && index > last) return { index, ...read, value: 'not looked at', chosen };
    if (choice.kind === 'error' && index === last) {
      const { error, position } = choice;
      const column = position === undefined ? {} : { column: position + 1 };
      return { index, ...read, value: 'error', error, ...column, chosen };
    }
    return { index, ...read, value: chosen ? 'true' : 'false', chosen };
  });
  const byDefault = choice.kind === 'path' && choice.rule === undefined;
  return {
    rules,
    ...(routes.defaultPath === undefined ? {} : { default: { path: routes.defaultPath, chosen: byDefault } }),
    ...(choice.kind === 'path' ? { path: choice.path } : {}),
  };
}
