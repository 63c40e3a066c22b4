/** Plays a delivery of the router through without sending anything: schedule, answers and time to live. */
import type {
  SimulatedAnswer,
  SimulateParams,
  SimulateResult,
  SimulatedAttempt,
} from '../../contract/event-router/simulate.ts';
import { decide } from './answer-table.ts';
import type { AnswerDecision, EngineAnswer } from './answer-table.ts';
import { lifeMs, waitMs } from './schedule.ts';

const DEFAULTS = { maxDeliveryAttempts: 30, eventTimeToLiveInMinutes: 1440 };

/**
 * History of an event whose attempts get the given answers; the last answer repeats.
 * @param timeScale of the router, used if `params` has none
 * @returns times in ms after the publish, without jitter
 */
export function simulateDelivery(params: SimulateParams, timeScale: number): SimulateResult {
  const { maxDeliveryAttempts, eventTimeToLiveInMinutes } = { ...DEFAULTS, ...params };
  const scale = params.timeScale ?? timeScale;
  const answers = params.answers ?? [];
  const expiresMs = lifeMs(eventTimeToLiveInMinutes, scale);
  const attempts: SimulatedAttempt[] = [];
  let atMs = 0;
  for (let number = 1; ; number += 1) {
    const answer: SimulatedAnswer = answers[number - 1] ?? answers.at(-1) ?? 503;
    const decision = decide(engineAnswer(answer));
    const failed = decision.kind === 'processed' ? {} : { outcome: decision.outcome };
    const next =
      decision.kind === 'again' ? waitAfter(number, decision, params.probation === true, scale) : undefined;
    const isLast = next === undefined || number >= maxDeliveryAttempts;
    attempts.push({
      number,
      atMs,
      answer,
      rule: decision.rule,
      ...failed,
      ...(isLast ? {} : { waitMs: next }),
    });
    if (decision.kind === 'processed') return ended(attempts, expiresMs, 'processed', decision.rule, atMs);
    if (decision.kind === 'never') return ended(attempts, expiresMs, 'parked', decision.rule, atMs);
    if (isLast) return ended(attempts, expiresMs, 'parked', 'router.exhausted', atMs);
    if (atMs + next >= expiresMs) return ended(attempts, expiresMs, 'expired', 'router.expired', expiresMs);
    atMs += next;
  }
}

function ended(
  attempts: readonly SimulatedAttempt[],
  expiresMs: number,
  state: SimulateResult['end']['state'],
  rule: string,
  atMs: number,
): SimulateResult {
  return { attempts, expiresMs, end: { state, rule, atMs } };
}

function engineAnswer(answer: SimulatedAnswer): EngineAnswer {
  switch (answer) {
    case 'timeout':
      return { outcome: 'TimedOut' };
    case 'refused':
      return { outcome: 'SocketError' };
    case 'no-name':
      return { outcome: 'ResolutionError' };
    case 'tls':
      return { outcome: 'SocketError', evr: 'EVR-TLS-01' };
    default:
      return { status: answer };
  }
}

function waitAfter(
  failures: number,
  { minimumS, probationS }: Extract<AnswerDecision, { readonly kind: 'again' }>,
  probation: boolean,
  timeScale: number,
): number {
  return waitMs({ failures, minimumS: probation ? probationS : minimumS, timeScale, jitter: 0, chance: 0 });
}
