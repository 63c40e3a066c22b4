/** Decides what follows an attempt: delivered, another attempt, or the end with or without a dead letter. */
import type { DeadLetterReason } from '../../contract/event-router/local-router.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { AnswerDecision } from '../rules/answer-table.ts';
import { waitMs } from '../rules/schedule.ts';
import type { FullProperties } from '../rules/record-body.ts';
import type { Cancel, Clock } from '../../ports/clock.ts';
import type { Random } from '../../ports/random.ts';
import type { RouterDeliverySettings } from '../options.ts';
import type { DeadLetters } from './dead-letters.ts';
import type { Entry, Why } from './entry.ts';
import type { Ledger } from './ledger.ts';

export interface EndingDependencies {
  readonly ledger: Ledger;
  readonly deadLetters: DeadLetters;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: RouterDeliverySettings;
  readonly scale: () => number;
  readonly active: (lane: string) => FullProperties | undefined;
  /** Text of the event as it is delivered. */
  readonly textOf: (entry: Entry) => string;
  /** Publishes to a topic of this router; rejects with the reason. */
  readonly republish: (topic: string, entry: Entry, reason: DeadLetterReason) => Promise<void>;
  readonly note: (text: string) => void;
  readonly changedDeadLetters: () => void;
}

export class Endings {
  readonly #deps: EndingDependencies;
  /** Dead letters that are waiting to be written. */
  readonly #delayed = new Set<Cancel>();

  constructor(deps: EndingDependencies) {
    this.#deps = deps;
  }

  /**
   * Applies an answer to one delivery of the request. True: the delivery has to be queued for its next
   * attempt.
   */
  apply(
    entry: Entry,
    answer: { readonly decision: AnswerDecision; readonly retryAfterS?: number; readonly note?: string },
  ): boolean {
    const { clock } = this.#deps;
    const { decision } = answer;
    const more = answer.note === undefined ? {} : { note: answer.note };
    if (decision.kind === 'processed') {
      this.#deps.ledger.move(entry, 'processed', { cause: 'app', rule: decision.rule, ...more });
      return false;
    }
    entry.lastOutcome = decision.outcome;
    const cause = decision.kind === 'again' && entry.lastStatus === undefined ? 'policy' : 'app';
    const why: Why = { cause, rule: decision.rule, ...more };
    if (decision.kind === 'never') {
      this.end(entry, 'UndeliverableByResponse', why);
      return false;
    }
    const failures = entry.attempts - entry.roundStart;
    if (failures >= entry.maxAttempts) {
      this.end(entry, 'MaxDeliveryAttemptsExceeded', { cause: 'policy', rule: 'router.exhausted', ...more });
      return false;
    }
    const { probation, jitter } = this.#deps.settings;
    entry.dueMs =
      clock.now() +
      waitMs({
        failures,
        minimumS: probation ? decision.probationS : decision.minimumS,
        ...withoutUndefined({ retryAfterS: answer.retryAfterS }),
        timeScale: this.#deps.scale(),
        jitter,
        chance: this.#deps.random.next(),
      });
    if (this.#deps.settings.ttlCheck === 'exact' && clock.now() >= entry.expiresMs) {
      this.expire(entry);
      return false;
    }
    this.#deps.ledger.move(entry, 'retrying', why);
    return true;
  }

  /** Ends a delivery whose time to live has passed. */
  expire(entry: Entry): void {
    this.end(entry, 'TimeToLiveExceeded', { cause: 'ttl', rule: 'router.expired' });
  }

  /** Ends a delivery with a dead letter if it has a destination; else in the state that the settings name. */
  end(entry: Entry, reason: DeadLetterReason, why: Why): void {
    const active = this.#deps.active(entry.lane);
    const destination = active?.deadLetterDestination ?? null;
    if (destination !== null) {
      this.#later(entry, reason);
      return;
    }
    const { onExhausted } = this.#deps.settings;
    const to = reason === 'TimeToLiveExceeded' ? 'expired' : onExhausted === 'drop' ? 'dropped' : 'parked';
    this.#deps.ledger.move(entry, to, why);
  }

  /** Writes the dead letter. If that fails, the delivery is parked, so that nothing is lost. */
  deadLetter(entry: Entry, reason: DeadLetterReason): void {
    const { ledger, clock } = this.#deps;
    const active = this.#deps.active(entry.lane);
    const topic = active?.deadLetterDestination?.properties?.topic;
    const cause = reason === 'MovedByHand' ? 'user' : reason === 'TimeToLiveExceeded' ? 'ttl' : 'policy';
    const rule = reason === 'MovedByHand' ? 'user.dead-letter' : 'router.dead-letter';
    if (topic !== undefined) {
      entry.deadLetter = { reason, topic };
      ledger.move(entry, 'dead-lettered', { cause, rule, note: reason });
      void this.#deps
        .republish(topic, entry, reason)
        .catch((error: unknown) => this.#failed(entry, reason, error));
      return;
    }
    try {
      const file = this.#deps.deadLetters.write(entry, {
        text: this.#deps.textOf(entry),
        reason,
        active,
        nowMs: clock.now(),
      });
      entry.deadLetter = { reason, file };
      ledger.move(entry, 'dead-lettered', { cause, rule, note: reason });
      this.#deps.changedDeadLetters();
    } catch (error) {
      this.#failed(entry, reason, error);
    }
  }

  #failed(entry: Entry, reason: DeadLetterReason, error: unknown): void {
    const said = errorText(error);
    entry.deadLetter = { reason };
    this.#deps.ledger.move(entry, 'parked', { cause: 'policy', rule: 'router.dead-letter', note: said });
    this.#deps.note(
      `The dead letter of event ${entry.eventId} could not be written: ${said}. The delivery is parked.`,
    );
  }

  /** Continues with dead letters that a stop or a full disk kept from being written. */
  resume(parked: readonly Entry[]): void {
    for (const entry of parked) {
      if (entry.rule !== 'router.dead-letter' || entry.deadLetter === undefined) continue;
      this.deadLetter(entry, entry.deadLetter.reason);
    }
  }

  /** Writes a dead letter after the delay that the service has too. Until then a person can stop it. */
  #later(entry: Entry, reason: DeadLetterReason): void {
    const { clock, settings, ledger } = this.#deps;
    const delayMs = settings.deadLetterDelay * 1000 * this.#deps.scale();
    if (delayMs <= 0) {
      this.deadLetter(entry, reason);
      return;
    }
    entry.deadLetter = { reason };
    const note = 'waits to be dead-lettered';
    ledger.move(entry, 'parked', { cause: 'policy', rule: 'router.dead-letter', note });
    const parkedAt = entry.seq;
    const cancel = clock.at(clock.now() + delayMs, () => {
      this.#delayed.delete(cancel);
      // The entry is read again, because an act on a parked delivery changes the stored one and not this
      // object.
      const now = ledger.find(entry.id);
      if (now?.state === 'parked' && now.rule === 'router.dead-letter' && now.seq === parkedAt)
        this.deadLetter(now, reason);
    });
    this.#delayed.add(cancel);
  }

  /** Stops. The next start continues with the waiting endings. */
  stop(): void {
    for (const cancel of this.#delayed) cancel();
    this.#delayed.clear();
  }
}
