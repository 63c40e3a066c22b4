/** Random lives of a delivery, walked by the machine: no sentence says more than what happened. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import type { Attempt, Delivery, Transition } from '../../core/contract/message.ts';
import { explainVerdict } from '../../core/domain/explain-verdict.ts';
import { BEFORE_DROP } from '../../core/contract/acts.ts';
import { withoutUndefined } from '../../core/contract/without-undefined.ts';
import { step, type Input } from '../../core/domain/machine.ts';
import { causeSentence, outcomeOf, usedUpBy } from '../../renderer/format/cause.ts';
import { attemptsLeft, callsOf } from '../../renderer/format/calls.ts';
import { leadsTo } from '../../renderer/components/detail/what-if.ts';
import { attemptWith, wholeDelivery, wholeMessage } from './samples.ts';

const ANSWERS = ['ok', 'retry', 'drop', '503', '404'] as const;
const CUTS = ['restart', 'removal', 'restart while held'] as const;
const CHOICES = [...ANSWERS, ...CUTS, 'by hand', 'hold', 'expire', 'drop by hand', 'undo'] as const;
type Choice = (typeof CHOICES)[number];
const BODIES: Readonly<Record<string, readonly [number, string]>> = {
  ok: [200, '{"status":"SUCCESS"}'],
  retry: [200, '{"status":"RETRY"}'],
  drop: [200, '{"status":"DROP"}'],
  '503': [503, ''],
  '404': [404, ''],
};
/** Notes of calls that were cut off, as the runtime writes them. */
const NOTES: Readonly<Record<string, string>> = {
  removal: 'The app was removed during the call.',
  'restart while held': 'Sidelight was stopped while a hold kept the answer back.',
};
const WORDS: Readonly<Record<string, string>> = { ok: 'SUCCESS', retry: 'RETRY', drop: 'DROP' };

/** One life, step by step, as the runtime would write it. */
class Life {
  readonly transitions: Transition[] = [];
  readonly attempts: Attempt[] = [];
  state: DeliveryState | null = null;
  made = 0;
  roundStart = 0;
  /** For each transition that ended a round: how many attempts the round had, and whether a person's retry began it. */
  readonly usedUpAt = new Map<
    Transition,
    { readonly number: number; readonly made: number; readonly isAgain: boolean }
  >();
  /** For each transition that ended a round: the answer to its last attempt. */
  readonly lastAnswers = new Map<
    Transition,
    { readonly status: number; readonly word: string | undefined }
  >();
  readonly answers = new Map<Transition, { readonly status: number; readonly word: string | undefined }>();
  /** For each transition that cut a call off: what did. */
  readonly cuts = new Map<Transition, (typeof CUTS)[number]>();
  /** Transitions by which a drop was taken back. */
  readonly undone = new Set<Transition>();
  /** For each transition that began or ended an attempt: its number. */
  readonly numbers = new Map<Transition, number>();
  /** Attempts that each round allows. */
  readonly most: number;
  readonly #deadLetter: boolean;
  #tick = 0;

  constructor(most: number, deadLetter: boolean) {
    this.most = most;
    this.#deadLetter = deadLetter;
    this.#put({ type: 'accept' });
  }

  get delivery(): Delivery {
    return wholeDelivery({
      attempts: this.attempts,
      transitions: this.transitions,
      maxAttempts: this.roundStart + this.most,
      state: this.state ?? 'queued',
      ...(this.#deadLetter ? { deadLetter: { topic: 'orders-dead', messageId: 'msg_9' } } : {}),
    });
  }

  #now(): string {
    return new Date(Date.UTC(2026, 2, 1) + (this.#tick += 1) * 1000).toISOString();
  }

  #put(input: Input, note?: string): Transition | undefined {
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
      ...withoutUndefined({ note }),
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
        ...withoutUndefined({ word: WORDS[choice] }),
      }),
    );
    const ended = this.#put({ type: 'verdict', verdict: { outcome, rule: explained.rule } });
    if (ended !== undefined) {
      this.answers.set(ended, { status, word: WORDS[choice] });
      this.numbers.set(ended, this.made);
    }
    if (outcome !== 'retry' || this.made - this.roundStart < this.most) return;
    const end = this.#put({ type: 'exhausted', deadLetter: this.#deadLetter });
    if (end === undefined) return;
    this.usedUpAt.set(end, {
      number: this.made,
      made: this.made - this.roundStart,
      isAgain: this.roundStart > 0,
    });
    this.lastAnswers.set(end, { status, word: WORDS[choice] });
  }

  #undo(): void {
    const last = this.transitions.at(-1);
    const to = BEFORE_DROP.find((each) => each === last?.from);
    if (last?.rule !== 'user.drop' || to === undefined) return;
    const back = this.#put({ type: 'user.undo-drop', to });
    if (back !== undefined) this.undone.add(back);
  }

  go(choice: Choice): void {
    if (choice === 'by hand') {
      const retried = this.#put({ type: 'user.release' }) ?? this.#put({ type: 'user.retry' });
      // A retry before its time is part of its round.
      if (retried?.rule === 'user.retry' && retried.from !== 'retrying') this.roundStart = this.made;
      return;
    }
    if (choice === 'hold') return void this.#put({ type: 'user.hold' });
    if (choice === 'expire') return void this.#put({ type: 'ttl' });
    if (choice === 'drop by hand') return void this.#put({ type: 'user.drop' });
    if (choice === 'undo') return this.#undo();
    if (this.state !== 'attempting') {
      const began = this.#put({ type: 'start', again: this.made > 0 });
      if (began === undefined) return;
      this.made += 1;
      this.numbers.set(began, this.made);
    }
    const by = CUTS.find((each) => each === choice);
    if (by !== undefined) {
      const cut = this.#put({ type: 'restart' }, NOTES[by]);
      if (cut !== undefined) this.cuts.set(cut, by);
      if (cut !== undefined) this.numbers.set(cut, this.made);
      if (cut !== undefined) this.made -= 1;
    } else this.#answer(choice);
  }
}

const plans = fc.tuple(
  fc.integer({ min: 1, max: 4 }),
  fc.boolean(),
  fc.array(fc.constantFrom(...CHOICES), { maxLength: 30 }),
);

const lives = plans.map(([most, deadLetter, choices]) => {
  const life = new Life(most, deadLetter);
  for (const choice of choices) life.go(choice);
  return life;
});

interface Told {
  readonly sentence: string;
  readonly transition: Transition;
  /** Answer of the app, if an answer led here. */
  readonly answer: { readonly status: number; readonly word: string | undefined } | undefined;
  /** Number of the attempt that begins or ends here; 0: none does. */
  readonly number: number;
  /** The answer to the last attempt of a round that ends here. */
  readonly last: { readonly status: number; readonly word: string | undefined } | undefined;
  readonly isUndone: boolean;
  /** What cut a call off here; undefined: nothing did. */
  readonly cutBy: (typeof CUTS)[number] | undefined;
  /** What is known of the transition that had brought the delivery into the state that an undo brings back. */
  readonly earlier?: Told | undefined;
  /** Whether the attempt that ended here was the last one allowed. */
  readonly wasLast: boolean;
  /** Attempts of the round that ended here, and whether a person's retry began it; undefined: none ended. */
  readonly usedUp: { readonly made: number; readonly isAgain: boolean } | undefined;
}

type Claim = (told: Told, said: RegExpExecArray) => boolean;

const isByUser = ({ transition: { cause } }: Told): boolean => cause === 'user';

/** Claims of a sentence by its words, each with a check. */
const CLAIMS: readonly (readonly [RegExp, Claim])[] = [
  [/^Accepted for the app\.$/, ({ transition: { from } }) => from === null],
  [/^First attempt\.$/, ({ transition: { to }, number }) => to === 'attempting' && number === 1],
  [
    // The number of attempts of an earlier round that a person ended is unknown.
    /^Attempt (\d+)(?: of (\d+))?\.$/,
    ({ transition: { to }, number }, [, n, most]) =>
      to === 'attempting' && Number(n) === number && Number(n) <= Number(most ?? n),
  ],
  [/answered SUCCESS/, ({ transition: { to }, answer }) => answer?.word === 'SUCCESS' && to === 'processed'],
  [/asked for a retry/, ({ transition: { to }, answer }) => answer?.word === 'RETRY' && to === 'retrying'],
  [/asked to drop/, ({ transition: { to }, answer }) => answer?.word === 'DROP' && to === 'dropped'],
  [/answered (\d+)/, ({ answer }, [, status]) => answer?.status === Number(status)],
  [/to be retried/i, ({ transition: { to }, wasLast }) => to === 'retrying' && !wasLast],
  [/attempt (\d+) was the last one allowed/, ({ wasLast, number }, [, n]) => wasLast && Number(n) === number],
  [/^All (\d+) attempts/, ({ usedUp }, [, n]) => usedUp?.made === Number(n)],
  [/^Only one attempt/, ({ usedUp }) => usedUp?.made === 1],
  [/since your retry/, ({ usedUp }) => usedUp?.isAgain === true],
  [/^(?:All \d+ attempts used|Only one attempt was allowed;)/, ({ usedUp }) => usedUp?.isAgain === false],
  [/\bParked\b/, ({ transition: { to } }) => to === 'parked'],
  [/: dropped\b|You dropped/, ({ transition: { to } }) => to === 'dropped'],
  [
    /the (?:last )?answer was (\d+)(?: (\w+))?/,
    ({ last, usedUp }, [, status, word]) =>
      usedUp !== undefined && last?.status === Number(status) && last.word === word,
  ],
  [/published to orders-dead/, ({ transition: { to } }) => to === 'dead-lettered'],
  [/expired/, ({ transition: { to, cause } }) => to === 'expired' && cause === 'ttl'],
  [/^You /, isByUser],
  [/^You held/, ({ transition: { to } }) => to === 'held'],
  [/^You released/, ({ transition: { from, to } }) => from === 'held' && to === 'queued'],
  [/^You undid the drop/, ({ isUndone }) => isUndone],
  [/^You (?!undid)/, ({ isUndone }) => !isUndone],
  [
    /^You retried/,
    ({ transition: { from, to }, isUndone }) => from !== 'held' && to === 'queued' && !isUndone,
  ],
  [/ended during attempt (\d+)/, ({ cutBy, number }, [, n]) => cutBy === 'restart' && Number(n) === number],
  [
    /app was removed during the call\. It was attempt (\d+)/,
    ({ cutBy, number }, [, n]) => cutBy === 'removal' && Number(n) === number,
  ],
  [
    /hold kept the answer back\. The answer to attempt (\d+) is lost/,
    ({ cutBy, number }, [, n]) => cutBy === 'restart while held' && Number(n) === number,
  ],
  [
    /answer is not known/,
    ({ transition: { from }, answer }) => from === 'attempting' && answer === undefined,
  ],
];

/** Every transition of a life with its sentence and what is known of it from the walk, not from the texts. */
function toldOf({ delivery, usedUpAt, lastAnswers, answers, numbers, undone, cuts }: Life): readonly Told[] {
  const all: Told[] = [];
  for (const [index, transition] of delivery.transitions.entries()) {
    const next = delivery.transitions[index + 1];
    const before = all[index - 2];
    all.push({
      sentence: causeSentence(transition, delivery, wholeMessage(), () => undefined),
      transition,
      answer: answers.get(transition),
      last: lastAnswers.get(transition),
      number: numbers.get(transition) ?? 0,
      isUndone: undone.has(transition),
      cutBy: cuts.get(transition),
      wasLast: next !== undefined && usedUpAt.has(next),
      usedUp: usedUpAt.get(transition),
      // Undone once more, the cause is that of the first drop.
      earlier: undone.has(transition) ? (before?.earlier ?? before) : undefined,
    });
  }
  return all;
}

const UNDONE = 'You undid the drop. Before it: ';

/** A sentence that claims nothing known here is not true either: its claims would go unseen. */
function isTrue(told: Told): boolean {
  const { sentence, isUndone, earlier } = told;
  if (sentence.startsWith(UNDONE)) {
    if (!isUndone || earlier === undefined) return false;
    return isTrue({ ...earlier, sentence: sentence.slice(UNDONE.length) });
  }
  const made = CLAIMS.flatMap(([words, isSo]) => {
    const said = words.exec(told.sentence);
    return said === null ? [] : [isSo(told, said)];
  });
  return made.length > 0 && made.every(Boolean);
}

/** Every sentence of a life that claims what did not happen. */
function falseClaims(life: Life): readonly string[] {
  return toldOf(life).flatMap((told) => (isTrue(told) ? [] : [told.sentence]));
}

test('every claim of a sentence is what the machine did', () => {
  fc.assert(
    fc.property(lives, (life) => {
      expect(falseClaims(life)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('an attempt that a restart cut off before a retry is not counted as an earlier one', () => {
  const life = new Life(1, false);
  for (const choice of ['restart', 'drop by hand', 'by hand', 'retry'] as const) life.go(choice);
  expect(falseClaims(life)).toEqual([]);
  expect(toldOf(life).at(-1)?.sentence).toMatch(/^Only one attempt was allowed; /);
});

test('an undo of a drop says again why the delivery was as it is', () => {
  fc.assert(
    fc.property(lives, (life) => {
      const told = toldOf(life).filter(({ isUndone }) => isUndone);
      expect(told.map(({ sentence }) => sentence)).toEqual(
        told.map(({ earlier }) => `${UNDONE}${earlier?.sentence}`),
      );
    }),
    { numRuns: 500 },
  );
});

test('the sentence of one transition is false of each other whose rule is another', () => {
  fc.assert(
    fc.property(lives, (life) => {
      const told = toldOf(life);
      const passed = told.flatMap((one) =>
        told
          .filter(({ transition }) => transition.rule !== one.transition.rule)
          .filter((other) => isTrue({ ...other, sentence: one.sentence }))
          .map(({ transition }) => `"${one.sentence}" of ${transition.rule}`),
      );
      expect(passed).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('an attempt that used up its round leads where the round ended; calls and attempts left are counted as they were made', () => {
  fc.assert(
    fc.property(lives, ({ delivery, usedUpAt, made, roundStart, most, numbers }) => {
      const ends = delivery.attempts.flatMap((attempt) => {
        const outcome = outcomeOf(delivery, attempt);
        const end = outcome && usedUpBy(delivery, outcome);
        return end === undefined ? [] : [[end.sequence, attempt.number]];
      });
      expect(ends).toEqual([...usedUpAt].map(([{ sequence }, { number }]) => [sequence, number]));
      const began = delivery.transitions.filter(({ to }) => to === 'attempting');
      expect(callsOf(delivery).map(({ n }) => n)).toEqual(began.map((each) => numbers.get(each)));
      expect(attemptsLeft(delivery)).toBe(Math.max(0, roundStart + most - made));
    }),
    { numRuns: 500 },
  );
});

test('"What if" says of each attempt of a life where another answer would have led it', () => {
  fc.assert(
    fc.property(plans, fc.constantFrom(...ANSWERS), ([most, deadLetter, choices], other) => {
      const life = new Life(most, deadLetter);
      const twins = choices.flatMap((choice, index) => {
        const before = life.attempts.length;
        life.go(choice);
        if (life.attempts.length === before) return [];
        const twin = new Life(most, deadLetter);
        for (const each of choices.slice(0, index)) twin.go(each);
        twin.go(other);
        return [twin.state];
      });
      const [status, body] = BODIES[other] ?? [503, ''];
      const told = {
        question: { id: other, title: other, status, body, protocol: 'http' as const },
        verdict: explainVerdict({ kind: 'single', status, body }),
      };
      const { subscription } = life.delivery;
      const settings = deadLetter ? { deadLetterTopic: 'orders-dead' } : {};
      const delivery = { ...life.delivery, subscription: { ...subscription, settings } };
      const said = life.attempts.map(
        (attempt) => leadsTo(told, { delivery, attempt, subscriptions: [] }).state,
      );
      expect(said).toEqual(twins);
    }),
    { numRuns: 500 },
  );
});
