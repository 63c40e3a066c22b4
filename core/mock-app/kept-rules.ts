/**
 * Restores rules and subscriptions of an earlier start. Those that this version refuses are left out, and the
 * log says which and why.
 */
import { errorText } from '../contract/error-text.ts';
import type { ResponseRule } from '../contract/mock-app.ts';
import type { WireSubscription } from '../contract/subscription.ts';
import { isObject } from '../domain/json.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Log } from '../ports/log.ts';
import type { MockApp } from '../ports/mock-app.ts';

/**
 * Restores the rules.
 * @param kept saved rules; a value that is no list restores nothing
 */
export function restoreRules(app: Pick<MockApp, 'appId' | 'setRules'>, kept: unknown, log: Log): void {
  if (!Array.isArray(kept)) return;
  const rules = kept as readonly ResponseRule[];
  let reason = whyRefused(() => app.setRules(rules));
  if (reason === undefined) return;
  const fine: ResponseRule[] = [];
  for (const rule of rules) {
    reason = whyRefused(() => app.setRules([...fine, rule]));
    if (reason === undefined) {
      fine.push(rule);
      continue;
    }
    const name = isObject(rule) && typeof rule.name === 'string' ? rule.name : '';
    log.write(
      'warn',
      'mock-app',
      `Sidelight left out the saved rule ${JSON.stringify(name)} of ${app.appId}: ${reason}`,
    );
  }
  app.setRules(fine);
}

/** Restores the subscriptions of a mock app; where there is no room for them, the log says so. */
export function restoreSubscriptions(
  app: Pick<MockApp, 'appId' | 'setSubscriptions'>,
  kept: readonly WireSubscription[],
  log: Log,
): void {
  const reason = whyRefused(() => app.setSubscriptions(kept));
  if (reason === undefined) return;
  log.write('warn', 'mock-app', `Sidelight left out the saved subscriptions of ${app.appId}: ${reason}`);
}

/** Why `set` refuses. Undefined: it does not. */
function whyRefused(set: () => void): string | undefined {
  try {
    set();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return errorText(error);
    throw error;
  }
}
