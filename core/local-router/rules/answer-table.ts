/** Decides by an endpoint's answer: delivered, no further attempt, or another one after a minimum wait. */
import type { EvrCode } from '../../contract/event-router/wire.ts';
import type { RouterOutcome } from '../../contract/event-router/local-router.ts';

export type RouterRule = `router.${string}`;

export type AnswerDecision =
  | { readonly kind: 'processed'; readonly rule: RouterRule }
  | { readonly kind: 'never'; readonly outcome: RouterOutcome; readonly rule: RouterRule }
  | {
      readonly kind: 'again';
      readonly outcome: RouterOutcome;
      readonly rule: RouterRule;
      /** Minimum wait in seconds. */
      readonly minimumS: number;
      /** Minimum wait with probation in seconds; for that time nothing else is sent to the endpoint. */
      readonly probationS: number;
      readonly hint?: string;
    };

/** An answer with a status, or the error that took its place. */
export type EngineAnswer =
  | { readonly status: number }
  | {
      readonly outcome: Extract<RouterOutcome, 'TimedOut' | 'SocketError' | 'ResolutionError'>;
      readonly evr?: EvrCode;
    };

type Row = readonly [outcome: RouterOutcome, minimumS: number, probationS: number];

const DELIVERED = [200, 201, 202, 203, 204];

const NEVER: Readonly<Record<number, RouterOutcome>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  413: 'PayloadTooLarge',
};

const AGAIN: Readonly<Record<number, Row>> = {
  404: ['NotFound', 10, 300],
  408: ['TimedOut', 120, 120],
  410: ['NotFound', 10, 300],
  429: ['Busy', 10, 10],
  503: ['Busy', 30, 30],
};

const NO_ANSWER: Readonly<Record<'TimedOut' | 'SocketError' | 'ResolutionError', Row>> = {
  TimedOut: ['TimedOut', 10, 10],
  SocketError: ['SocketError', 10, 30],
  ResolutionError: ['ResolutionError', 10, 300],
};

const OTHER: Row = ['Aborted', 10, 10];

export function decide(answer: EngineAnswer): AnswerDecision {
  if ('outcome' in answer) {
    const tls = answer.evr?.startsWith('EVR-TLS-') === true;
    return again(NO_ANSWER[answer.outcome], tls ? 'router.tls' : undefined);
  }
  const { status } = answer;
  if (DELIVERED.includes(status)) return { kind: 'processed', rule: 'router.processed' };
  const never = NEVER[status];
  if (never !== undefined) return { kind: 'never', outcome: never, rule: ruleOf(never) };
  const decision = again(AGAIN[status] ?? OTHER);
  return status === 410 ? { ...decision, hint: 'The endpoint says it is retired.' } : decision;
}

/** Rule of an outcome: `BadRequest` → `router.bad-request`. */
function ruleOf(outcome: RouterOutcome): RouterRule {
  return `router.${outcome.replaceAll(/(?<=.)([A-Z])/g, '-$1').toLowerCase()}`;
}

function again(
  [outcome, minimumS, probationS]: Row,
  rule: RouterRule = ruleOf(outcome),
): Extract<AnswerDecision, { readonly kind: 'again' }> {
  return { kind: 'again', outcome, rule, minimumS, probationS };
}
