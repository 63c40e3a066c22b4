/** Causes of a delivery's transitions for the console. */
import type { RuleId } from '../../core/contract/delivery.ts';
import { OUTCOME_TABLES } from '../copy/rules.ts';

export * from '../../core/contract/cause.ts';

/** Whether the rule is a row of the interface's outcome tables. */
export function isInterfaceRule(rule: RuleId): boolean {
  return OUTCOME_TABLES.some((table) => table.rows.some((row) => row.rules.includes(rule)));
}
