/** What an answer would lead to, without sending anything. */
import type { DeliveryState, RuleId } from '../contract/delivery.ts';
import { readAnswer, readBulkAnswer } from './answer.ts';
import { step } from './machine.ts';
import { INTERFACE_RULES, judgeBulk, judgeSingle } from './verdict.ts';
import type { VerdictRules } from './verdict.ts';

/**
 * @param request `entryId` names the entry of a bulk answer; without it the entry is called "1"
 * @param rules those of the running profile
 */
export function explainVerdict(
  request: {
    readonly kind: 'single' | 'bulk';
    readonly status: number;
    readonly body?: string;
    readonly entryId?: string;
  },
  rules: VerdictRules = INTERFACE_RULES,
): { readonly state: DeliveryState; readonly rule: RuleId; readonly word?: string } {
  const body = request.body ?? '';
  const entryId = request.entryId ?? '1';
  const verdict =
    request.kind === 'single'
      ? judgeSingle(readAnswer(request.status, body), rules)
      : judgeBulk(readBulkAnswer(request.status, body), [entryId]).verdicts.get(entryId);
  if (verdict === undefined) throw new Error('a verdict was asked for and none was given');
  const next = step('attempting', { type: 'verdict', verdict });
  if (!next.ok) throw new Error('no verdict may leave an attempt without a next state');
  const { word } = verdict;
  return { state: next.to, rule: next.rule, ...(word === undefined ? {} : { word }) };
}
