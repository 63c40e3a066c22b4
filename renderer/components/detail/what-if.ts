/** The answers that "What if…" tries, one per row of the outcome tables, and their explanation. */
import type { Result } from '../../../core/contract/console.ts';
import type { DeliveryState, RuleId } from '../../../core/contract/delivery.ts';
import { grpcCodeName } from '../../../core/contract/grpc.ts';
import type { Protocol } from '../../../core/contract/grpc.ts';
import type { Attempt, Delivery, Transition } from '../../../core/contract/message.ts';
import type { SubscriptionRow } from '../../../core/contract/subscription.ts';
import type { RpcClient } from '../../client/rpc-client.ts';
import { WHAT_IF_BULK, WHAT_IF_GRPC, WHAT_IF_GRPC_BULK, WHAT_IF_SINGLE } from '../../copy/detail.ts';
import { fill } from '../../copy/fill.ts';
import { answererFacts } from '../../../core/contract/answerer.ts';
import {
  asObserved,
  CAUSE_SENTENCES,
  CAUSE_VARIANTS,
  LAST_ATTEMPT_SENTENCES,
} from '../../../core/contract/cause-sentences.ts';
import { subscriptionOf } from '../../format/subscription.ts';
import { attemptsBeforeRound, lastAttemptNow } from '../../format/calls.ts';
import { isKnownRule, outcomeOf, usedUpBy } from '../../format/cause.ts';

export interface Question {
  readonly id: string;
  readonly title: string;
  /** HTTP status or gRPC code. */
  readonly status: number;
  readonly body: string;
  readonly protocol: Protocol;
}

export interface Explained {
  readonly verdict: Result<'verdict.explain'>;
  readonly question: Question;
}

/** Entry and batch of the question; undefined: a delivery of a single message. */
export type Batch = Attempt['bulk'];

/** One question per row of the table that applies. */
export function questionsFor(bulk: Batch, protocol: Protocol = 'http'): readonly Question[] {
  if (protocol === 'grpc') return grpcQuestions(bulk);
  if (bulk === undefined) return WHAT_IF_SINGLE.map((each) => ({ ...each, protocol }));
  const { entryId } = bulk;
  return WHAT_IF_BULK.map((each) => {
    const { id, title, status } = each;
    if ('body' in each) return { id, title, status, body: each.body, protocol };
    const statuses = each.word === undefined ? [] : [{ entryId, status: each.word }];
    return { id, title, status, body: status === 200 ? JSON.stringify({ statuses }) : '', protocol };
  });
}

function grpcQuestions(bulk: Batch): readonly Question[] {
  if (bulk === undefined) return WHAT_IF_GRPC.map((each) => ({ ...each, protocol: 'grpc' }));
  return WHAT_IF_GRPC_BULK.map(({ id, title, status, word }) => {
    const statuses = word === undefined ? [] : [{ entry_id: bulk.entryId, status: word }];
    return { id, title, status, body: status === 0 ? JSON.stringify({ statuses }) : '', protocol: 'grpc' };
  });
}

/** Protocol of a delivery, from its attempts; before the first one, a stream means gRPC. */
export function protocolOf({ attempts, subscription }: Delivery): Protocol {
  return attempts.at(-1)?.protocol ?? (subscription.source === 'streaming' ? 'grpc' : 'http');
}

/** Asks the host; nothing is sent to the app. */
export async function askWhatIf(
  call: RpcClient['call'],
  question: Question,
  bulk: Batch,
): Promise<Explained> {
  const verdict = await call('verdict.explain', {
    kind: bulk === undefined ? 'single' : 'bulk',
    ...(question.protocol === 'grpc' ? { protocol: question.protocol } : {}),
    status: question.status,
    body: question.body,
    ...(bulk === undefined ? {} : { entryId: bulk.entryId }),
  });
  return { verdict, question };
}

/** The delivery of the question. */
export interface Asked {
  readonly delivery: Delivery;
  /** The attempt with the other answer; undefined: the next one. */
  readonly attempt: Attempt | undefined;
  /** All subscriptions: that of the delivery has the dead-letter topic of a delivery without settings of its own. */
  readonly subscriptions: readonly SubscriptionRow[];
}

/** State of the delivery after the answer. */
export interface Lead {
  readonly state: DeliveryState;
  /** Why no retry follows; undefined: the answer alone decides. */
  readonly usedUp?: {
    readonly rule: RuleId;
    readonly attempt: number;
    /** The policy does not try the status again, though it allows more attempts. */
    readonly byStatus?: true;
  };
}

/** State after an answer. One that asks for a retry leads no further than the last allowed attempt. */
export function leadsTo({ verdict, question }: Explained, asked: Asked | undefined): Lead {
  if (verdict.state !== 'retrying' || asked === undefined) return { state: verdict.state };
  return afterFailure(asked, verdict.rule === 'single.other' ? question.status : undefined);
}

/**
 * State after an attempt that failed: retrying, unless it was the last allowed one.
 * @param status HTTP status that the policy may not try again; undefined: another answer, or none
 */
export function afterFailure(asked: Asked, status?: number): Lead {
  const { delivery, attempt } = asked;
  const number = attempt?.number ?? (delivery.attempts.at(-1)?.number ?? 0) + 1;
  const outcome = attempt === undefined ? undefined : outcomeOf(delivery, attempt);
  const did = outcome === undefined ? undefined : usedUpBy(delivery, outcome);
  if (did !== undefined && attempt?.notRetried !== true)
    return { state: did.to, usedUp: { rule: did.rule, attempt: number } };
  const last = outcome === undefined ? lastAttemptNow(delivery) : lastAttemptThen(delivery, outcome);
  const isOver = last > 0 && number >= last;
  const byStatus =
    !isOver && status !== undefined && isFinalStatus(delivery, status) ? ({ byStatus: true } as const) : {};
  if (!isOver && !('byStatus' in byStatus)) return { state: 'retrying' };
  return hasDeadLetterTopic(asked)
    ? { state: 'dead-lettered', usedUp: { rule: 'policy.dead-letter', attempt: number, ...byStatus } }
    : { state: 'parked', usedUp: { rule: 'policy.exhausted', attempt: number, ...byStatus } };
}

/**
 * Number of the last attempt that was allowed when an attempt ended so; 0: another one was allowed. A later round of a
 * person's retry allows higher numbers than the round of that attempt did.
 */
function lastAttemptThen(delivery: Delivery, outcome: Transition): number {
  const { maxAttempts } = delivery;
  if (outcome.to === 'retrying' || maxAttempts === 0) return 0;
  const perRound = maxAttempts - attemptsBeforeRound(delivery, Infinity);
  return attemptsBeforeRound(delivery, outcome.sequence) + perRound;
}

/** Whether the policy does not try this status again. */
function isFinalStatus({ policy }: Delivery, status: number): boolean {
  const { statuses } = policy ?? {};
  return statuses !== undefined && !statuses.some(({ from, to }) => status >= from && status <= to);
}

/** A delivery keeps the settings with which it was made, whatever its subscription names now; one of an older history has none. */
function hasDeadLetterTopic({ delivery, subscriptions }: Asked): boolean {
  const settings = delivery.subscription.settings ?? subscriptionOf(delivery, subscriptions);
  return settings?.deadLetterTopic !== undefined;
}

/**
 * The sentence of the rule that would decide.
 * @param isObserved whether another sidecar makes the delivery
 */
export function sentenceOf(
  { verdict, question }: Explained,
  bulk: Batch,
  { usedUp }: Lead,
  isObserved = false,
): string {
  const { rule } = verdict;
  if (!isKnownRule(rule)) return '';
  const last =
    usedUp?.byStatus === true
      ? CAUSE_VARIANTS.notRetried
      : usedUp === undefined
        ? undefined
        : LAST_ATTEMPT_SENTENCES[rule];
  const template = last ?? CAUSE_SENTENCES[rule];
  return fill(isObserved ? asObserved(template) : template, {
    ...answererFacts(undefined),
    code: question.protocol === 'grpc' ? grpcCodeName(question.status) : question.status,
    status: verdict.word,
    entryId: bulk?.entryId,
    n: last === undefined ? bulk?.batchSize : usedUp?.attempt,
  });
}
