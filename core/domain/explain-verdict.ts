/** Explains what an answer would lead to, without sending anything. */
import type { DeliveryState, RuleId } from '../contract/delivery.ts';
import type { Protocol } from '../contract/grpc.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { readAnswer, readBulkAnswer, readGrpcAnswer, readGrpcBulkAnswer } from './answer.ts';
import { step } from './machine.ts';
import { Refusal } from './refusal.ts';
import { INTERFACE_RULES, judgeBulk, judgeGrpc, judgeGrpcBulk, judgeSingle } from './verdict.ts';
import type { Verdict, VerdictRules } from './verdict.ts';

interface VerdictRequest {
  readonly kind: 'single' | 'bulk';
  /** Protocol of the answer; absent: http. */
  readonly protocol?: Protocol;
  /** HTTP status, or gRPC code. */
  readonly status: number;
  readonly body?: string;
  /** Entry of a bulk answer; absent: the entry is called "1". */
  readonly entryId?: string;
}

/** Smallest status of HTTP. */
const FIRST_STATUS = 100;

/**
 * Explains the verdict on an answer. Throws Refusal INVALID_PARAMS for a number that is no HTTP status.
 * @param rules those of the running profile
 */
export function explainVerdict(
  request: VerdictRequest,
  rules: VerdictRules = INTERFACE_RULES,
): { readonly state: DeliveryState; readonly rule: RuleId; readonly word?: string } {
  const verdict = request.protocol === 'grpc' ? grpcVerdict(request) : httpVerdict(request, rules);
  if (verdict === undefined) throw new Error('a verdict was asked for and none was given');
  const next = step('attempting', { type: 'verdict', verdict });
  if (!next.ok) throw new Error('no verdict may leave an attempt without a next state');
  const { word } = verdict;
  return { state: next.to, rule: next.rule, ...withoutUndefined({ word }) };
}

function httpVerdict(
  { kind, status, body = '', entryId = '1' }: VerdictRequest,
  rules: VerdictRules,
): Verdict | undefined {
  if (status < FIRST_STATUS) {
    const reason = `status must be an integer 100 to 599, got ${status}`;
    throw new Refusal('INVALID_PARAMS', { reason }, { field: 'status', expected: 'integer 100..599' });
  }
  if (kind === 'single') return judgeSingle(readAnswer(status, body), rules);
  return judgeBulk(readBulkAnswer(status, body), [entryId]).verdicts.get(entryId);
}

function grpcVerdict({ kind, status, body = '', entryId = '1' }: VerdictRequest): Verdict | undefined {
  if (kind === 'single') return judgeGrpc(readGrpcAnswer(status, body));
  return judgeGrpcBulk(readGrpcBulkAnswer(status, body), [entryId]).verdicts.get(entryId);
}
