/** Applies verdicts: end, next attempt, dead-letter topic, or parked. */
import { judgedAnswer } from '../../contract/answerer.ts';
import { lastAnswerText } from '../../contract/cause.ts';
import type { Attempt } from '../../contract/message.ts';
import { delayAfter, isExhausted, isFinal } from '../../domain/retry.ts';
import { isExpired } from '../../domain/ttl.ts';
import type { Verdict } from '../../domain/verdict.ts';
import { copyNote } from './dead-letters.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { ApplyMore, Deliveries } from '../state/delivery.ts';
import { settingsOf } from '../state/app.ts';
import type { App } from '../state/app.ts';
import { laneKey, laneName } from '../state/live.ts';
import type { LiveDelivery } from '../state/live.ts';
import { describeVerdict } from '../telemetry/log-lines.ts';
import { UnansweredLines } from '../telemetry/unanswered-lines.ts';
import type { Policies } from '../state/policies.ts';
import type { SharedServices } from '../common-services.ts';

/** Note in the history of a delivery that another sidecar makes. */
export const SIDECAR_DECIDES = 'The sidecar decides when it is sent again.';
const SILENT_AFTER_MS = 600_000;

/** An attempt that ended, with what its transition says. */
type Settled = Pick<ApplyMore, 'note' | 'atMs'> & { readonly attempt: Attempt };

export interface OutcomeDependencies {
  readonly deliveries: Deliveries;
  readonly deadLetters: DeadLetters;
  readonly policies: Policies;
  readonly app: (appId: string) => App | undefined;
}

export class Outcomes {
  readonly #shared: SharedServices;
  readonly #deliveries: Deliveries;
  readonly #deadLetters: DeadLetters;
  readonly #policies: Policies;
  readonly #app: (appId: string) => App | undefined;
  readonly #unanswered: UnansweredLines;

  constructor(shared: SharedServices, { deliveries, deadLetters, policies, app }: OutcomeDependencies) {
    this.#shared = shared;
    this.#deliveries = deliveries;
    this.#deadLetters = deadLetters;
    this.#policies = policies;
    this.#app = app;
    this.#unanswered = new UnansweredLines(shared);
  }

  /** The dead-letter topic of a delivery's subscription now, if any. */
  deadLetterTopic(d: LiveDelivery): string | undefined {
    const lane = this.#app(d.appId)?.lanes.get(laneName(laneKey(d)));
    return settingsOf(d, lane)?.deadLetterTopic;
  }

  /**
   * Applies the verdict on an answer. Interface, "States and transitions".
   * @returns undefined: it has had its effect
   */
  settle(d: LiveDelivery, verdict: Verdict, more: Settled): Promise<void> | undefined {
    const { attempt, note } = more;
    this.#logVerdict(d, verdict, attempt);
    if (d.message.row.tap !== undefined) {
      this.#settleObserved(d, verdict, more);
      return undefined;
    }
    if (verdict.outcome === 'retry') return this.#retryLater(d, verdict, more, attempt);
    if (verdict.outcome === 'requeued') {
      this.#requeue(d, verdict, more);
      return undefined;
    }
    const topic = verdict.rule.endsWith('.drop') ? this.deadLetterTopic(d) : undefined;
    if (topic === undefined) {
      this.#deliveries.move(d, { type: 'verdict', verdict }, more);
      return undefined;
    }
    // The copy is published first, because the transition's note contains its id. The call has ended, so this delays no answer.
    return this.#deliveries.alone(d, async () => {
      const copy = await this.#deadLetters.copy(d, topic);
      const both = note === undefined ? copyNote(copy) : `${note} ${copyNote(copy)}`;
      this.#deliveries.move(d, { type: 'verdict', verdict }, { attempt, note: both });
    });
  }

  /**
   * Ends a delivery whose attempts are used up: M8 or M9, the copy was accepted, or parked with the reason.
   * @param why why no attempt follows, for the log
   */
  async exhausted(d: LiveDelivery, why = usedUp(d)): Promise<void> {
    const topic = this.deadLetterTopic(d);
    if (topic === undefined) {
      this.#log(d, 'warn', `${why}. Parked.`, 'policy.exhausted');
      this.#deliveries.move(d, { type: 'exhausted', deadLetter: false });
      return;
    }
    await this.#deliveries.alone(d, async () => {
      const copy = await this.#deadLetters.copy(d, topic);
      const end = copy.ok ? `A copy was published to ${topic}.` : `The copy on ${topic} failed. Parked.`;
      this.#log(d, 'warn', `${why}. ${end}`, copy.ok ? 'policy.dead-letter' : 'policy.exhausted');
      this.#deliveries.move(d, { type: 'exhausted', deadLetter: copy.ok }, { note: copyNote(copy) });
    });
  }

  /** Settles a delivery after a restart, once its app is known: it may have used up its attempts, or expired, before that. */
  async catchUp(d: LiveDelivery): Promise<void> {
    if (d.state === 'retrying' && d.dueMs === undefined && d.lock === undefined) await this.exhausted(d);
    else await this.expireIfPast(d);
  }

  /** Sets the timer of the next attempt; any transition before cancels it. */
  armRetry(delivery: LiveDelivery, dueMs: number): void {
    const { timers, signals } = this.#shared;
    delivery.retryAt(timers, dueMs, () => signals.emit('ready', delivery));
  }

  /** Due time of the next attempt, if its wait begins now. */
  nextDueMs(d: LiveDelivery): number {
    const policy = this.#policies.retryFor(d.appId, d.subscription.pubsubname, d.message.row.topic);
    const { clock, random } = this.#shared;
    return clock.now() + (delayAfter(policy, d.attemptCount - d.roundStart, random.next()) ?? 0);
  }

  /** Sets the timer of a delivery's TTL in place of the old one. */
  armTtl(delivery: LiveDelivery): void {
    const { expiresAtMs } = delivery;
    if (expiresAtMs === undefined) delivery.disarmTtl();
    else delivery.armTtl(this.#shared.timers, expiresAtMs, () => this.#ttlPassed(delivery));
  }

  /**
   * Expires the delivery if its TTL has passed. Spec: ttlInSeconds; behaviour 2.1.
   * @returns whether the TTL has passed
   */
  async expireIfPast(d: LiveDelivery): Promise<boolean> {
    if (!isExpired(d.expiresAtMs, this.#shared.clock.now())) return false;
    if (d.lock !== undefined || !mayExpire(d) || !this.#isSettled(d)) return false;
    const topic = this.deadLetterTopic(d);
    if (topic === undefined) this.#expire(d, {});
    else {
      await this.#deliveries.alone(d, async () => {
        this.#expire(d, { note: copyNote(await this.#deadLetters.copy(d, topic)) });
      });
    }
    return true;
  }

  #expire(d: LiveDelivery, more: { readonly note?: string }): void {
    this.#log(d, 'warn', 'The message expired before it was processed.', 'ttl.expired');
    this.#deliveries.move(d, { type: 'ttl' }, more);
  }

  /** Whether the delivery's subscription is known; until then nothing ends for good. */
  #isSettled(d: LiveDelivery): boolean {
    return this.#app(d.appId)?.discovered ?? true;
  }

  #ttlPassed(delivery: LiveDelivery): void {
    delivery.disarmTtl();
    // A running act may end the delivery; if not, the TTL is checked afterwards.
    if (delivery.lock === undefined) void this.expireIfPast(delivery);
    else void delivery.lock.then(() => this.expireIfPast(delivery));
  }

  /** Sets the state of an observed delivery by its answer. The sidecar that made the attempt decides what follows. */
  #settleObserved(d: LiveDelivery, verdict: Verdict, more: Settled): void {
    if (verdict.outcome !== 'retry') {
      this.#deliveries.move(d, { type: 'verdict', verdict }, more);
      return;
    }
    const note = more.note === undefined ? SIDECAR_DECIDES : `${more.note} ${SIDECAR_DECIDES}`;
    this.#deliveries.move(d, { type: 'verdict', verdict }, { ...more, note });
    this.awaitObserved(d);
  }

  /**
   * Sets the timer after which an observed delivery that was not seen again counts as finished: ten minutes. Any transition before cancels
   * it.
   */
  awaitObserved(delivery: LiveDelivery): void {
    const { timers, clock } = this.#shared;
    delivery.arm(timers, clock.now() + SILENT_AFTER_MS, () => this.endObserved(delivery));
  }

  /** Counts a retrying observed delivery as finished. */
  endObserved(d: LiveDelivery): void {
    if (d.state === 'retrying') this.#deliveries.move(d, { type: 'tap.silent' }, { note: 'Not seen again.' });
  }

  /** Queues the delivery again after an attempt that no app refused. The history has it, but it does not count for the policy. */
  #requeue(delivery: LiveDelivery, verdict: Verdict, more: ApplyMore): void {
    delivery.allowOneMore();
    this.#deliveries.move(delivery, { type: 'verdict', verdict }, more);
  }

  async #retryLater(
    delivery: LiveDelivery,
    verdict: Verdict,
    more: ApplyMore,
    attempt: Attempt,
  ): Promise<void> {
    const { appId, subscription, message } = delivery;
    const policy = this.#policies.retryFor(appId, subscription.pubsubname, message.row.topic);
    const made = delivery.attemptCount - delivery.roundStart;
    const status = matchedStatus(verdict, attempt);
    const isUsedUp = isExhausted(policy, made);
    const notRetried = !isUsedUp && isFinal(policy, status);
    const ms = isUsedUp || notRetried ? undefined : delayAfter(policy, made, this.#shared.random.next());
    const dueMs = ms === undefined ? undefined : this.#shared.clock.now() + ms;
    delivery.allowAttempts(policy.maxAttempts);
    const kind = policy.factor === 1 ? 'constant' : 'exponential';
    const next = ms === undefined ? { notRetried } : { nextWait: { policy: kind, ms } as const };
    const planned = ms === undefined && !notRetried ? attempt : { ...attempt, ...next };
    this.#deliveries.move(delivery, { type: 'verdict', verdict }, { ...more, attempt: planned, dueMs });
    if (dueMs === undefined)
      await this.exhausted(
        delivery,
        notRetried ? `The retry policy does not try status ${status} again` : usedUp(delivery, attempt),
      );
    else if (!(await this.expireIfPast(delivery))) this.armRetry(delivery, dueMs);
  }

  /** Whether this is the last attempt by the present policy. */
  #isLastAttempt(d: LiveDelivery, verdict: Verdict, attempt: Attempt): boolean {
    const policy = this.#policies.retryFor(d.appId, d.subscription.pubsubname, d.message.row.topic);
    return (
      isExhausted(policy, d.attemptCount - d.roundStart) || isFinal(policy, matchedStatus(verdict, attempt))
    );
  }

  #logVerdict(d: LiveDelivery, verdict: Verdict, attempt: Attempt): void {
    const { rule, log = LOGGED_BESIDES[rule], leftOut } = verdict;
    if (attempt.response !== undefined) this.#unanswered.answered(d.appId);
    if (log === undefined) return;
    const isLast = verdict.outcome === 'retry' && this.#isLastAttempt(d, verdict, attempt);
    const app = rule === 'policy.no-answer' ? this.#app(d.appId) : undefined;
    const own = leftOut?.isLogged === true ? 'debug' : log;
    const level = app === undefined ? own : this.#unanswered.unanswered(app, attempt.error?.code);
    this.#log(d, level, describeVerdict(verdict, attempt, isLast), rule, attempt.attemptId);
    if (leftOut !== undefined) leftOut.isLogged = true;
  }

  #log(
    d: LiveDelivery,
    level: 'debug' | 'warn' | 'error',
    text: string,
    rule: Verdict['rule'],
    attemptId?: string,
  ): void {
    this.#shared.log.write(level, 'delivery', text, {
      messageId: d.message.messageId,
      deliveryId: d.deliveryId,
      rule,
      ...(attemptId === undefined ? {} : { attemptId }),
    });
  }
}

/** Levels of verdicts that the interface does not log, but that are mostly a mistake of the app. */
const LOGGED_BESIDES: Partial<Readonly<Record<Verdict['rule'], 'warn'>>> = { 'bulk.2xx.missing': 'warn' };

/**
 * Why no attempt is left. Only attempts of the present round are used up: a person's retry begins a new one.
 * @param attempt the last one; absent: after a restart, where the history has it
 */
function usedUp({ attemptCount, roundStart }: LiveDelivery, attempt?: Attempt): string {
  const made = attemptCount - roundStart;
  const isOnly = made === 1;
  const used = isOnly ? 'The only attempt was used' : `All ${made} attempts used`;
  const text = roundStart === 0 ? used : `${used}, ${attemptCount} with earlier ones`;
  return attempt === undefined ? text : text + lastAnswerText(attempt, isOnly);
}

/** Status that a policy matches: that of an HTTP answer to one message. A status word of the app is no failed call. */
function matchedStatus(verdict: Verdict, attempt: Attempt): number | undefined {
  return verdict.rule === 'single.other' ? judgedAnswer(attempt).response?.status : undefined;
}

function mayExpire({ state }: LiveDelivery): boolean {
  return state === 'queued' || state === 'held' || state === 'retrying';
}
