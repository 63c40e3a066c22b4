/** What follows from a verdict: the end, the next attempt, the dead-letter topic, or parked. */
import type { Attempt } from '../contract/message.ts';
import { delayAfter, isExhausted } from '../domain/retry.ts';
import { isExpired } from '../domain/ttl.ts';
import type { Verdict } from '../domain/verdict.ts';
import { copyNote } from './dead-letters.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Deliveries } from './delivery.ts';
import type { LiveDelivery } from './live.ts';
import { sayVerdict } from './log-lines.ts';
import type { Policies } from './policies.ts';
import type { Shared } from './shared.ts';

export class Outcomes {
  readonly #shared: Shared;
  readonly #deliveries: Deliveries;
  readonly #deadLetters: DeadLetters;
  readonly #policies: Policies;
  /** The dead-letter topic of a delivery's subscription now, if any. */
  deadLetterTopic: (d: LiveDelivery) => string | undefined = () => undefined;

  constructor(shared: Shared, deliveries: Deliveries, deadLetters: DeadLetters, policies: Policies) {
    this.#shared = shared;
    this.#deliveries = deliveries;
    this.#deadLetters = deadLetters;
    this.#policies = policies;
  }

  /** Applies the verdict on an answer. Interface, "States and transitions". */
  async settle(d: LiveDelivery, verdict: Verdict, attempt: Attempt, note?: string): Promise<void> {
    this.#logVerdict(d, verdict, attempt);
    const more = { attempt, ...(note === undefined ? {} : { note }) };
    if (verdict.outcome === 'dropped') {
      const topic = verdict.rule.endsWith('.drop') ? this.deadLetterTopic(d) : undefined;
      if (topic === undefined) {
        void this.#deliveries.apply(d, { type: 'verdict', verdict }, more);
        return;
      }
      // The copy first: its id stands in the transition's note. The call is over, so nobody waits for this.
      const copy = await this.#alone(d, () => this.#deadLetters.copy(d, topic));
      const both = note === undefined ? copyNote(copy) : `${note} ${copyNote(copy)}`;
      void this.#deliveries.apply(d, { type: 'verdict', verdict }, { attempt, note: both });
      return;
    }
    if (verdict.outcome === 'retry') {
      const policy = this.#policies.retryFor(d.subscription.pubsubname, d.message.row.topic);
      const made = d.attemptCount - d.roundStart;
      if (!isExhausted(policy, made)) {
        // Known before the transition, so that the row shows it at once.
        d.dueMs = this.#shared.clock.now() + delayAfter(policy, made, this.#shared.random.next());
      }
      d.maxAttempts = policy.maxAttempts === 0 ? 0 : d.roundStart + policy.maxAttempts;
    }
    const due = d.dueMs;
    void this.#deliveries.apply(d, { type: 'verdict', verdict }, more);
    if (verdict.outcome !== 'retry') return;
    if (due === undefined) await this.exhausted(d);
    else if (!(await this.expireIfPast(d))) this.armRetry(d, due);
  }

  /** M8 or M9: the copy was accepted, or parked with the reason. */
  async exhausted(d: LiveDelivery): Promise<void> {
    const topic = this.deadLetterTopic(d);
    if (topic === undefined) {
      this.#log(d, 'warn', `All ${d.attemptCount} attempts used. Parked.`, 'policy.exhausted');
      void this.#deliveries.apply(d, { type: 'exhausted', deadLetter: false });
      return;
    }
    const copy = await this.#alone(d, () => this.#deadLetters.copy(d, topic));
    if (copy.ok)
      this.#log(
        d,
        'warn',
        `All ${d.attemptCount} attempts used: published to ${topic}.`,
        'policy.dead-letter',
      );
    void this.#deliveries.apply(d, { type: 'exhausted', deadLetter: copy.ok }, { note: copyNote(copy) });
  }

  /** Arms the next attempt; does nothing when the delivery has moved on by then. */
  armRetry(d: LiveDelivery, dueMs: number): void {
    d.dueMs = dueMs;
    const timer = d.timer;
    this.#shared.timers.at(dueMs, () => {
      if (d.timer === timer && d.state === 'retrying') this.#deliveries.onReady(d);
    });
  }

  /** Arms the TTL for a delivery that has one. */
  armTtl(d: LiveDelivery): void {
    const expires = d.expiresAtMs;
    if (expires === undefined) return;
    this.#shared.timers.at(expires, () => {
      if (d.expiresAtMs === expires) void this.expireIfPast(d);
    });
  }

  /** True when the TTL has passed and the delivery is, or is about to be, expired. Spec: ttlInSeconds; reference 2.1. */
  async expireIfPast(d: LiveDelivery): Promise<boolean> {
    if (!isExpired(d.expiresAtMs, this.#shared.clock.now())) return false;
    if (d.busy !== undefined || (d.state !== 'queued' && d.state !== 'held' && d.state !== 'retrying'))
      return false;
    const topic = this.deadLetterTopic(d);
    const note =
      topic === undefined
        ? undefined
        : copyNote(await this.#alone(d, () => this.#deadLetters.copy(d, topic)));
    if (d.state !== 'queued' && d.state !== 'held' && d.state !== 'retrying') return true;
    this.#log(d, 'warn', 'The message expired before it was processed.', 'ttl.expired');
    void this.#deliveries.apply(d, { type: 'ttl' }, note === undefined ? {} : { note });
    return true;
  }

  /** Keeps everybody else's hands off the delivery while something is awaited. */
  async #alone<T>(d: LiveDelivery, act: () => Promise<T>): Promise<T> {
    let free: () => void = () => undefined;
    d.busy = new Promise<void>((go) => (free = go));
    try {
      return await act();
    } finally {
      d.busy = undefined;
      free();
    }
  }

  #logVerdict(d: LiveDelivery, verdict: Verdict, attempt: Attempt): void {
    if (verdict.log === undefined) return;
    this.#log(d, verdict.log, sayVerdict(verdict, attempt), verdict.rule, attempt.attemptId);
  }

  #log(
    d: LiveDelivery,
    level: 'warn' | 'error',
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
