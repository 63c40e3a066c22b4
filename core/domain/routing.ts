/** Which route of the app an event goes to, with an account of every rule that was looked at. */
import type { RouteExplanation } from '../contract/console.ts';
import type { ReadRule, Subscription } from '../contract/subscription.ts';
import { sayReading } from './match-rewrite.ts';
import { compileMatch, MATCH_STEPS } from './match.ts';
import type { MatchValue } from './match.ts';
import { Steps } from './steps.ts';

export interface CompiledRule {
  /** Place in the subscription's rules, from 0. */
  readonly index: number;
  readonly match: string;
  readonly path: string;
  readonly evaluate: (event: unknown, steps: Steps) => MatchValue;
}

export interface CompiledRoutes {
  readonly rules: readonly CompiledRule[];
  readonly defaultPath?: string;
  /** False: the path does not depend on the event, so nobody needs to parse it. */
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

/** Compiles a subscription's rules once. A rule that does not compile (the readers let none through) is an error per event. */
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
 * First rule that holds, else the default, else none. An error ends the search: it is never "no match". Behaviour 4.4.
 * All rules share one budget of MATCH_STEPS; the rule in which it is used up is an error.
 * @param event the envelope; the wrapper for a raw subscription; the raw text for a raw bulk subscription
 */
export function chooseRoute(routes: CompiledRoutes, event: unknown): RouteChoice {
  const steps = new Steps(MATCH_STEPS);
  for (const { index, match, path, evaluate } of routes.rules) {
    const result = evaluate(event, steps);
    if ('error' in result) return { kind: 'error', index, match, ...result };
    if (result.value) return { kind: 'path', path, rule: { match, index } };
  }
  return routes.defaultPath === undefined ? { kind: 'none' } : { kind: 'path', path: routes.defaultPath };
}

/** A rule with how it was read, where its expression alone does not say it. */
export function readRule({ match, path }: { readonly match: string; readonly path: string }): ReadRule {
  const reading = sayReading(match);
  return { match, path, ...(reading === undefined ? {} : { reading }) };
}

/** No rule is looked at: the message cannot be read as this subscription reads messages. */
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

/** The choice of `chooseRoute`, told rule by rule: what each gave and which were not looked at. */
export function explainRoutes(
  routes: CompiledRoutes,
  event: unknown,
): Pick<RouteExplanation, 'rules' | 'default' | 'path'> {
  const choice = chooseRoute(routes, event);
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
