/** Random lives of a delivery, walked by the machine: no sentence says more than what happened. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Attempt, Delivery, Transition } from '../../core/contract/message.ts';
import { explainVerdict } from '../../core/domain/explain-verdict.ts';
import { step, type Input } from '../../core/domain/machine.ts';
import { causeSentence, outcomeOf, usedUpBy } from '../../renderer/format/cause.ts';
import { attemptsLeft, callsOf } from '../../renderer/format/times.ts';
import { attemptWith, wholeDelivery, wholeMessage } from './samples.ts';

type Choice = 'ok' | 'retry' | 'drop' | '503' | '404' | 'by hand' | 'restart' | 'hold' | 'expire';
const CHOICES = ['ok', 'retry', 'drop', '503', '404', 'by hand', 'restart', 'hold', 'expire'] as const;
const BODIES: Readonly<Record<string, readonly [number, string]>> = {
  ok: [200, '{"status":"SUCCESS"}'],
  retry: [200, '{"status":"RETRY"}'],
  drop: [200, '{"status":"DROP"}'],
  '503': [503, ''],
  '404': [404, ''],
};

/** One life, step by step, as the runtime would write it. */
class Life {
  readonly transitions: Transition[] = [];
  readonly attempts: Attempt[] = [];
  state: DeliveryState | null = null;
  made = 0;
  roundStart = 0;
  /** For each transition that ended a round: how many attempts there had been. */
  readonly usedUpAt = new Map<Transition, number>();
  readonly #most: number;
  readonly #deadLetter: boolean;
  #tick = 0;

  constructor(most: number, deadLetter: boolean) {
    this.#most = most;
    this.#deadLetter = deadLetter;
    this.#put({ type: 'accept' });
  }

  get delivery(): Delivery {
    return wholeDelivery({
      attempts: this.attempts,
      transitions: this.transitions,
      maxAttempts: this.roundStart + this.#most,
      state: this.state ?? 'queued',
      ...(this.#deadLetter ? { deadLetter: { topic: 'orders-dead', messageId: 'msg_9' } } : {}),
    });
  }

  #now(): string {
    return new Date(Date.UTC(2026, 2, 1) + (this.#tick += 1) * 1000).toISOString();
  }

  #put(input: Input): Transition | undefined {
    const next = step(this.state, input);
    if (!next.ok) return undefined;
    const { to, cause, rule } = next;
    const transition = {
      from: this.state,
      to,
      at: this.#now(),
      sequence: this.transitions.length,
      cause,
      rule,
    };
    this.transitions.push(transition);
    this.state = to;
    return transition;
  }

  #answer(choice: Choice): void {
    const [status, body] = BODIES[choice] ?? [503, ''];
    const explained = explainVerdict({ kind: 'single', status, body });
    const outcome =
      explained.state === 'retrying' ? 'retry' : explained.state === 'processed' ? 'processed' : 'dropped';
    const at = this.#now();
    this.attempts.push(
      attemptWith({
        attemptId: `att_${this.made}`,
        number: this.made,
        startedAt: at,
        endedAt: at,
        response: { status, headers: {}, body },
      }),
    );
    this.#put({ type: 'verdict', verdict: { outcome, rule: explained.rule } });
    if (outcome !== 'retry' || this.made - this.roundStart < this.#most) return;
    const end = this.#put({ type: 'exhausted', deadLetter: this.#deadLetter });
    if (end !== undefined) this.usedUpAt.set(end, this.made);
  }

  go(choice: Choice): void {
    if (choice === 'by hand') {
      if (this.#put({ type: 'user.release' }) ?? this.#put({ type: 'user.retry' })) {
        if (this.transitions.at(-1)?.rule === 'user.retry') this.roundStart = this.made;
      }
      return;
    }
    if (choice === 'hold') return void this.#put({ type: 'user.hold' });
    if (choice === 'expire') return void this.#put({ type: 'ttl' });
    if (this.state !== 'attempting') {
      if (this.#put({ type: 'start', again: this.made > 0 }) === undefined) return;
      this.made += 1;
    }
    if (choice === 'restart') {
      if (this.#put({ type: 'restart' })) this.made -= 1;
    } else this.#answer(choice);
  }
}

const lives = fc
  .tuple(
    fc.integer({ min: 1, max: 4 }),
    fc.boolean(),
    fc.array(fc.constantFrom(...CHOICES), { maxLength: 30 }),
  )
  .map(([most, deadLetter, choices]) => {
    const life = new Life(most, deadLetter);
    for (const choice of choices) life.go(choice);
    return life;
  });

/** What a sentence may say only of a transition to this state. */
const CLAIMS: readonly (readonly [RegExp, (transition: Transition) => boolean])[] = [
  [/\bParked\b/, ({ to }) => to === 'parked'],
  [/\bdropped\b/, ({ to }) => to === 'dropped'],
  [/published to orders-dead/, ({ to }) => to === 'dead-lettered'],
  [/expired/, ({ to }) => to === 'expired'],
  [/^You /, ({ cause }) => cause === 'user'],
  [/restarted/, ({ cause }) => cause === 'restart'],
];

interface Told {
  readonly sentence: string;
  readonly transition: Transition;
  /** Whether the attempt that ended here was the last one allowed. */
  readonly wasLast: boolean;
  /** Attempts when the round ended here; undefined: it did not. */
  readonly usedUp: number | undefined;
}

/** Every sentence of a life that claims what did not happen. */
function falseClaims({ delivery, usedUpAt }: Life): readonly string[] {
  const told = delivery.transitions.map((transition, index): Told => {
    const next = delivery.transitions[index + 1];
    return {
      sentence: causeSentence(transition, delivery, wholeMessage(), () => undefined),
      transition,
      wasLast: next !== undefined && usedUpAt.has(next),
      usedUp: usedUpAt.get(transition),
    };
  });
  return told.filter((each) => !isTrue(each)).map(({ sentence }) => sentence);
}

function isTrue({ sentence, transition, wasLast, usedUp }: Told): boolean {
  const all = /^All (\d+) attempts used/.exec(sentence);
  const of = /^Attempt (\d+) of (\d+)\.$/.exec(sentence);
  return (
    CLAIMS.every(([claim, isSo]) => !claim.test(sentence) || isSo(transition)) &&
    !(wasLast && /to be retried|for a retry\./i.test(sentence)) &&
    (wasLast || !sentence.includes('was the last one allowed')) &&
    (all === null || Number(all[1]) === usedUp) &&
    (!sentence.startsWith('Only one attempt') || usedUp === 1) &&
    (of === null || Number(of[1]) <= Number(of[2]))
  );
}

test('every claim of a sentence is what the machine did', () => {
  fc.assert(
    fc.property(lives, (life) => {
      expect(falseClaims(life)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('an attempt that used up its round leads where the round ended; calls and attempts left are counted as they were made', () => {
  fc.assert(
    fc.property(lives, ({ delivery, usedUpAt, made, roundStart }) => {
      const ends = delivery.attempts.flatMap((attempt) => {
        const outcome = outcomeOf(delivery, attempt);
        const end = outcome && usedUpBy(delivery, outcome);
        return end === undefined ? [] : [[end.sequence, attempt.number]];
      });
      expect(ends).toEqual([...usedUpAt].map(([{ sequence }, number]) => [sequence, number]));
      expect(callsOf(delivery)).toHaveLength(
        delivery.transitions.filter(({ to }) => to === 'attempting').length,
      );
      expect(attemptsLeft(delivery)).toBe(Math.max(0, delivery.maxAttempts - (made - roundStart)));
    }),
    { numRuns: 500 },
  );
});
