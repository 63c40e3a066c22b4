/** Turns the traffic that taps see into messages, deliveries and attempts, and tells the taps how each call continues. */
import { BY_HAND_ID } from '../../contract/answerer.ts';
import { errorText } from '../../contract/error-text.ts';
import { after } from '../../domain/maybe-promise.ts';
import type { MaybePromise } from '../../domain/maybe-promise.ts';
import type { ReceivedAnswer } from '../../ports/app-channel.ts';
import type {
  ConnectedTap,
  Moment,
  ObservedCall,
  ObservedPublish,
  Passage,
  RuledAnswer,
  SeenDelivery,
  SeenPublish,
  Stops,
  TapObserver,
  TapSender,
} from '../../ports/tap.ts';
import type { SharedServices } from '../common-services.ts';
import { KeptBack } from './kept-back.ts';
import { KeyedQueue } from './keyed-queue.ts';
import { ObservedAnswers } from './observed-answers.ts';
import type { ObservedAnswerDependencies } from './observed-answers.ts';
import { callOf, PASS, recordChanged, together } from './observed-call.ts';
import type { AnsweredBy, RunningCall, Part } from './observed-call.ts';
import { ObservedDeliveries } from './observed-deliveries.ts';
import type { ObservedDeliveryDependencies } from './observed-deliveries.ts';
import { ObservedPublishes } from './observed-publishes.ts';
import { OpenDeliveries } from './open-deliveries.ts';
import type { LiveDelivery } from '../state/live.ts';
import { ruledCall } from './ruled-call.ts';
import { MissingRecords } from './unrecorded.ts';

const BY_HAND = { ruleId: BY_HAND_ID, name: 'answered by hand', byPerson: true } as const;

/** Dependencies of the observer, without those that it creates for its parts. */
export type ObserverDependencies = Omit<
  ObservedDeliveryDependencies & ObservedAnswerDependencies,
  'queue' | 'kept' | 'open' | 'unrecorded' | 'reportOthers' | 'callEnded'
>;

export class Observer implements TapObserver {
  readonly #shared: SharedServices;
  readonly #deps: ObserverDependencies;
  readonly #publishes: ObservedPublishes;
  readonly #deliveries: ObservedDeliveries;
  readonly #answers: ObservedAnswers;
  readonly #kept: KeptBack;
  readonly #open: OpenDeliveries;
  readonly #unrecorded: MissingRecords;
  readonly #queue = new KeyedQueue();
  readonly #taps = new Map<string, ConnectedTap>();
  /** Deliveries that wait for what tells their message: reports of other taps, or the history. */
  readonly #entering = new Set<Promise<unknown>>();

  constructor(shared: SharedServices, deps: ObserverDependencies) {
    this.#shared = shared;
    this.#deps = deps;
    this.#publishes = new ObservedPublishes(shared, deps.messages);
    this.#kept = new KeptBack(shared.signals, deps.deliveries);
    this.#open = new OpenDeliveries(deps.outcomes);
    this.#unrecorded = new MissingRecords(shared);
    const own = { queue: this.#queue, kept: this.#kept, open: this.#open, unrecorded: this.#unrecorded };
    // Another tap that is in the middle of a report makes no further one. All that it has to report of earlier times is made already.
    const reportOthers = (tap: string, until: Moment | undefined): MaybePromise<boolean> => {
      const others = [...this.#taps].filter(([appId]) => appId !== tap);
      const running = others.flatMap(([, { reportInTurns }]) => reportInTurns(until) ?? []);
      return running.length === 0 ? others.length > 0 : Promise.all(running).then(() => true);
    };
    this.#deliveries = new ObservedDeliveries(shared, { ...deps, ...own, reportOthers });
    const callEnded = (delivery: LiveDelivery): void => this.#deliveries.callEnded(delivery);
    this.#answers = new ObservedAnswers(shared, { ...deps, ...own, callEnded });
  }

  get missed(): number {
    return this.#unrecorded.count;
  }

  get missedWhy(): string {
    return this.#unrecorded.why;
  }

  stopsOf(appId: string): Stops {
    const { holds } = this.#deps;
    const isRuled = this.#taps.get(appId)?.rules.any === true;
    return { delivery: holds.any('delivery') || isRuled, response: holds.any('response') };
  }

  published(seen: SeenPublish): ObservedPublish {
    // Whoever asked for a replay needs the id of its message, so it is recorded whatever the others are.
    const isLeftOut =
      seen.replayOf === undefined &&
      (this.#unrecorded.isBehind() || this.#unrecorded.isTooLargePublish(seen));
    const noted = isLeftOut ? [] : this.#publishes.note(seen);
    return {
      messageIds: noted.map(({ messageId }) => messageId),
      ended: (how) => {
        if (how.kind === 'accepted') return;
        for (const one of noted) this.#deps.messages.failed(one.message(), how);
      },
    };
  }

  delivering(seen: SeenDelivery): ObservedCall {
    if (this.#unrecorded.isBehind() || this.#unrecorded.isTooMuch(seen.events.map(({ wire }) => wire)))
      return PASSING;
    const call = callOf(seen, this.#shared);
    const { parts } = call;
    const passages = parts.map((part) =>
      after(this.#begin(call, part), (how) => {
        if (how.kind === 'answered')
          this.#kept.answerAll(
            parts.map(({ d }) => d),
            how.answer,
          );
        return how;
      }),
    );
    const answered = (answer: ReceivedAnswer, at: Moment | undefined) =>
      this.#answers.take(call, { answer, at });
    if (!seen.mayStop && passages.every((how) => how === PASS))
      return { passage: PASSING.passage, answered, lost: (reason, at) => this.#lost(parts, reason, at) };
    return { ...this.#decided(call, passages), answered };
  }

  senderOf(tap: string): TapSender | undefined {
    return this.#taps.get(tap)?.send;
  }

  connect(appId: string, tap: ConnectedTap | undefined): void {
    if (tap === undefined) this.#taps.delete(appId);
    else this.#taps.set(appId, tap);
  }

  async catchUp(): Promise<void> {
    for (const { report } of this.#taps.values()) this.#attempt(report);
    this.#attempt(() => this.#deps.messages.makeAll());
    await Promise.allSettled([...this.#entering]);
  }

  /** What fails is counted, so that an export or a wait has all that does not. */
  #attempt(report: () => void): void {
    try {
      report();
    } catch (error) {
      this.reportFailed(error);
    }
  }

  reportFailed(cause: unknown): void {
    this.#unrecorded.note(errorText(cause));
  }

  /** Nothing more passes: no publish waits for its event any longer. */
  stop(): void {
    this.#deps.messages.makeAll();
  }

  unfinished(appId: string): number {
    return this.#open.countOf(appId);
  }

  /** Passage of a call about which a hold or a rule decides. */
  #decided(
    call: RunningCall,
    passages: readonly MaybePromise<Passage>[],
  ): Pick<ObservedCall, 'passage' | 'lost'> {
    const { seen, parts } = call;
    let ruled: RuledAnswer | undefined;
    let isLost = false;
    let decidedSoFar = PASS;
    const decided = Promise.all(passages.map(async (how) => how)).then(async (all) => {
      const how = together(parts, all);
      if (how.kind === 'answered') return this.#answerInstead(call, how.answer, BY_HAND);
      if (how.kind === 'changed') {
        decidedSoFar = how;
        recordChanged(call, how.wires, this.#shared.codec);
      }
      // A rule with a limited number of answers does not spend one on a sidecar that no longer waits.
      ruled = seen.mayStop && !isLost ? this.#ruled(call, how) : undefined;
      if (ruled === undefined) return how;
      return this.#answerInstead(call, await ruled.answer, ruled.by);
    });
    return {
      // A failure here must neither block the delivery, nor bring back the events that a person has replaced.
      passage: decided.catch((error: unknown) => {
        this.#unrecorded.note(errorText(error));
        return decidedSoFar;
      }),
      lost: (reason, at) => {
        isLost = true;
        ruled?.gone();
        this.#lost(parts, reason, at);
      },
    };
  }

  /** The rule that answers; undefined: none matches. */
  #ruled(call: RunningCall, how: Passage): RuledAnswer | undefined {
    const rules = this.#taps.get(call.seen.appId)?.rules;
    return rules?.any === true ? rules.answerTo(ruledCall(call, how, this.#shared.codec)) : undefined;
  }

  /** Answers instead of the app. The answer counts as the app's and may be held like one. */
  async #answerInstead(call: RunningCall, answer: ReceivedAnswer, by: AnsweredBy): Promise<Passage> {
    const changed = await this.#answers.take(call, { answer, by });
    return { kind: 'answered', answer: changed ?? answer };
  }

  /** Records the attempt, or holds the delivery. Never rejects. */
  #begin(call: RunningCall, part: Part): MaybePromise<Passage> {
    const unread = (error: unknown): Passage => {
      this.#unrecorded.note(errorText(error));
      return PASS;
    };
    try {
      const kept = this.#queue.run(part.passing.key, () => this.#deliveries.enter(call, part));
      if (kept instanceof Promise) this.#noteEntering(kept);
      const how = after(kept, (by): MaybePromise<Passage> => (by === undefined ? PASS : by.passage));
      return how instanceof Promise ? how.catch(unread) : how;
    } catch (error) {
      return unread(error);
    }
  }

  #noteEntering(kept: Promise<unknown>): void {
    const forget = (): void => void this.#entering.delete(kept);
    this.#entering.add(kept);
    void kept.then(forget, forget);
  }

  #lost(parts: readonly Part[], reason: string, at: Moment | undefined): void {
    for (const part of parts) {
      void this.#queue.run(part.passing.key, () => {
        const { d, attemptId } = part;
        if (d === undefined) return;
        const isIts = attemptId === undefined || d.attemptId === attemptId;
        if (isIts || d.heldAnswer?.attempt.attemptId === attemptId) this.#deliveries.cut(d, reason, at?.ms);
      });
    }
  }
}

/** Result for a call that passes without a record. */
const PASSING: ObservedCall = {
  passage: Promise.resolve(PASS),
  answered: () => Promise.resolve(undefined),
  lost: () => undefined,
};
