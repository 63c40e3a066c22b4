/** Answers to calls that passed a tap: judged by Sidelight's tables, recorded with their attempts, held if a hold catches them. */
import { errorText } from '../../contract/error-text.ts';
import { after } from '../../domain/maybe-promise.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { Verdict } from '../../domain/verdict.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type { SeenDelivery } from '../../ports/tap.ts';
import type { SharedServices } from '../common-services.ts';
import type { Attempts } from '../delivering/attempts.ts';
import { judgeAnswer, judgeEntries } from '../delivering/judging.ts';
import { recordResponse } from '../state/attempt-record.ts';
import type { EndedCall } from '../state/attempt-record.ts';
import type { Holds } from '../state/holds.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { KeptAnswer, KeptBack } from './kept-back.ts';
import type { KeyedQueue } from './keyed-queue.ts';
import { startedOf } from './observed-call.ts';
import type { AnsweredBy, GivenAnswer, RunningCall, Part } from './observed-call.ts';
import type { OpenDeliveries } from './open-deliveries.ts';
import type { MissingRecords } from './unrecorded.ts';

export interface ObservedAnswerDependencies {
  readonly attempts: Attempts;
  readonly holds: Holds;
  readonly queue: KeyedQueue;
  readonly kept: KeptBack;
  readonly open: OpenDeliveries;
  readonly unrecorded: MissingRecords;
  readonly callEnded: (delivery: LiveDelivery) => void;
}

/** Verdict of an answer for one delivery of its call. */
interface ReportedAnswer {
  readonly ended: EndedCall;
  readonly verdict: Verdict;
  readonly by: AnsweredBy;
}

export class ObservedAnswers {
  readonly #shared: SharedServices;
  readonly #deps: ObservedAnswerDependencies;

  constructor(shared: SharedServices, deps: ObservedAnswerDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /** @returns undefined: the answer has had its effect and passes unchanged */
  take(call: RunningCall, { answer, by, at }: GivenAnswer): Promise<ReceivedAnswer | undefined> | undefined {
    const { clock, codec, live } = this.#shared;
    const { seen, started, parts } = call;
    const verdicts = this.#verdicts(seen, answer);
    const ended: EndedCall = {
      answer,
      response: recordResponse(answer, codec),
      durationMs: (at?.mono ?? clock.monotonic()) - started.atMono,
      ...(at === undefined ? {} : { atMs: at.ms }),
    };
    live.endAttempt(started.attemptId);
    const kept = parts.map((part) => {
      const verdict = verdicts.get(part.event.entryId);
      return verdict === undefined ? undefined : this.#settle(call, part, { ended, verdict, by });
    });
    if (kept.every((one) => one === undefined)) return undefined;
    return Promise.all(kept.map(async (one) => (await one)?.changed)).then((changes) =>
      changes.find((changed) => changed !== undefined),
    );
  }

  /** Applies the answer to one delivery of a call. Never throws or rejects. */
  #settle(call: RunningCall, part: Part, answered: ReportedAnswer): MaybePromise<KeptAnswer | undefined> {
    const { queue, unrecorded } = this.#deps;
    const unread = (error: unknown): undefined => unrecorded.note(errorText(error));
    try {
      const settled = queue.run(part.passing.key, () => this.#end(call, part, answered));
      return settled instanceof Promise ? settled.catch(unread) : settled;
    } catch (error) {
      return unread(error);
    }
  }

  /**
   * Ends the attempt.
   * @returns undefined: no hold catches the answer
   */
  #end(
    call: RunningCall,
    part: Part,
    { ended, verdict, by }: ReportedAnswer,
  ): MaybePromise<KeptAnswer | undefined> {
    const { d, attemptId } = part;
    if (d === undefined || attemptId === undefined || d.attemptId !== attemptId) return undefined;
    const { holds, attempts, open, kept } = this.#deps;
    this.#shared.metrics.called(d.counted, ended.durationMs);
    const own = startedOf(call, part, d);
    const isTooLate = by === undefined && hasGoneOn(ended.answer);
    return after(isTooLate ? undefined : holds.payloadAtResponse(d), (payload) =>
      after(attempts.received(d, { started: own, ...ended, verdict, payload, isTooLate }, by), () => {
        open.settled(d);
        this.#deps.callEnded(d);
        return d.heldAnswer === undefined ? undefined : kept.answer(d);
      }),
    );
  }

  #verdicts(seen: SeenDelivery, answer: ReceivedAnswer): ReadonlyMap<string, Verdict> {
    const { profile } = seen;
    const { codec } = this.#shared;
    if (!seen.isBulk) return new Map([['', judgeAnswer(answer, false, seen.protocol, { codec, profile })]]);
    const entryIds = seen.events.map(({ entryId }) => entryId);
    return judgeEntries(answer, entryIds, seen.protocol, codec).verdicts;
  }
}

/** Whether nothing can be held any more: the connection of the sidecar is cut, or it has what came of an answer that was cut off. */
function hasGoneOn(answer: ReceivedAnswer): boolean {
  return answer.kind === 'none' || answer.unread?.reason === 'cut-off';
}
