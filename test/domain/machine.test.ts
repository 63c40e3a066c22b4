// The delivery machine: its rows one by one, and laws over any sequence of inputs.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  allows,
  BEFORE_DROP,
  DELIVERY_ACTS,
  statesLeftBy,
  statesToSearch,
} from '../../core/contract/acts.ts';
import { CAUSES, DELIVERY_STATES, ENDED_STATES, RULE_IDS } from '../../core/contract/delivery.ts';
import type { DeliveryState } from '../../core/contract/delivery.ts';
import { MACHINE, step, triggerOf } from '../../core/domain/machine.ts';
import type { Input } from '../../core/domain/machine.ts';
import { GRPC, SINGLE } from '../../core/domain/verdict.ts';

const ofBoth = new Map([...SINGLE, ...GRPC].map(({ rule, outcome }) => [rule, outcome]));
const verdicts: readonly Input[] = [...ofBoth].map(([rule, outcome]) => ({
  type: 'verdict',
  verdict: { rule, outcome },
}));
const INPUTS: readonly Input[] = [
  { type: 'accept' },
  { type: 'hold' },
  { type: 'start', again: false },
  { type: 'start', again: true },
  ...verdicts,
  { type: 'exhausted', deadLetter: false },
  { type: 'exhausted', deadLetter: true },
  { type: 'ttl' },
  { type: 'restart' },
  { type: 'user.hold' },
  { type: 'user.release' },
  { type: 'user.retry' },
  { type: 'user.drop' },
  { type: 'user.dead-letter' },
  ...BEFORE_DROP.map((to): Input => ({ type: 'user.undo-drop', to })),
  { type: 'unroutable', deadLetter: false },
  { type: 'unroutable', deadLetter: true },
  { type: 'undeliverable', deadLetter: false, rule: 'policy.route-error' },
  { type: 'undeliverable', deadLetter: true, rule: 'policy.unreadable' },
  { type: 'hold.over' },
  { type: 'no-subscription' },
  { type: 'joined' },
  { type: 'tap.again' },
  { type: 'tap.lost' },
  { type: 'tap.dead-letter' },
  { type: 'tap.silent' },
];
/** Only another sidecar sends what has ended once more. */
const isOurs = ({ on }: (typeof MACHINE)[number]): boolean => on !== 'tap.again';
const FROM: readonly (DeliveryState | null)[] = [null, ...DELIVERY_STATES];

/** Every transition there is, written down by hand from the design: from, trigger, to, cause, rule. */
const EXPECTED = `
- accept queued policy policy.accepted
- hold held user hold.matched
queued hold held user hold.matched
retrying hold held user hold.matched
queued start,first attempting policy policy.attempt
queued start,again attempting policy policy.retry
retrying start,again attempting policy policy.retry
attempting single.2xx.empty processed app single.2xx.empty
attempting single.2xx.success processed app single.2xx.success
attempting single.2xx.invalid processed app single.2xx.invalid
attempting single.2xx.retry retrying app single.2xx.retry
attempting single.2xx.other retrying app single.2xx.other
attempting single.other retrying app single.other
attempting policy.no-answer retrying policy policy.no-answer
attempting user.cancel retrying user user.cancel
attempting single.2xx.drop dropped app single.2xx.drop
attempting single.404 dropped app single.404
attempting grpc.success processed app grpc.success
attempting grpc.retry retrying app grpc.retry
attempting grpc.unknown-status retrying app grpc.unknown-status
attempting grpc.error retrying app grpc.error
attempting grpc.drop dropped app grpc.drop
attempting grpc.unimplemented dropped app grpc.unimplemented
attempting stream.closed queued app stream.closed
retrying exhausted,dead-lettered dead-lettered policy policy.dead-letter
retrying exhausted parked policy policy.exhausted
queued ttl expired ttl ttl.expired
held ttl expired ttl ttl.expired
retrying ttl expired ttl ttl.expired
attempting restart queued restart restart.requeued
queued user.hold held user user.hold
retrying user.hold held user user.hold
held user.release queued user user.release
retrying user.retry queued user user.retry
parked user.retry queued user user.retry
dropped user.retry queued user user.retry
expired user.retry queued user user.retry
dead-lettered user.retry queued user user.retry
queued user.drop dropped user user.drop
held user.drop dropped user user.drop
retrying user.drop dropped user user.drop
parked user.drop dropped user user.drop
queued user.dead-letter dead-lettered user user.dead-letter
held user.dead-letter dead-lettered user user.dead-letter
retrying user.dead-letter dead-lettered user user.dead-letter
parked user.dead-letter dead-lettered user user.dead-letter
dropped user.dead-letter dead-lettered user user.dead-letter
- unroutable dropped policy policy.no-route
- unroutable,dead-lettered dead-lettered policy policy.no-route
- undeliverable parked policy policy.route-error
- undeliverable,dead-lettered dead-lettered policy policy.unreadable
held hold.over queued policy hold.released
queued no-subscription queued policy policy.no-subscription
retrying no-subscription queued policy policy.no-subscription
queued joined dropped policy stream.joined
retrying joined dropped policy stream.joined
processed tap.again queued policy tap.again
dropped tap.again queued policy tap.again
expired tap.again queued policy tap.again
dead-lettered tap.again queued policy tap.again
queued tap.lost retrying policy tap.lost
held tap.lost retrying policy tap.lost
attempting tap.lost retrying policy tap.lost
retrying tap.dead-letter dead-lettered policy tap.dead-letter
retrying tap.silent retrying policy tap.silent
dropped user.undo-drop,queued queued user user.undo-drop
dropped user.undo-drop,held held user user.undo-drop
dropped user.undo-drop,retrying retrying user user.undo-drop
dropped user.undo-drop,parked parked user user.undo-drop
`
  .trim()
  .split('\n');

function line(from: DeliveryState | null, input: Input): string | undefined {
  const made = step(from, input);
  if (!made.ok) return undefined;
  const on = input.type === 'verdict' ? input.verdict.rule : triggerOf(input).replaceAll(' ', '');
  return `${from ?? '-'} ${on} ${made.to} ${made.cause} ${made.rule}`;
}

describe('the table', () => {
  test('has exactly the transitions of the design', () => {
    const made = FROM.flatMap((from) => INPUTS.map((input) => line(from, input))).filter(
      (text) => text !== undefined,
    );
    expect(made.toSorted()).toEqual(EXPECTED.toSorted());
  });

  test('has at most one row for each state and trigger', () => {
    const keys = MACHINE.flatMap(({ from, on }) => from.map((state) => `${state ?? ''}|${on}`));
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('has the rows M1 to M29', () => {
    expect(new Set(MACHINE.map(({ id }) => id))).toEqual(
      new Set(Array.from({ length: 29 }, (_, i) => `M${i + 1}`)),
    );
  });

  test("a person's acts lead out of exactly the states that the table of acts names", () => {
    const byHand = MACHINE.filter(({ on }) => on.startsWith('user.') && !on.startsWith('user.undo-drop'));
    const acts = DELIVERY_ACTS.filter((act) => act !== 'cancel');
    const triggerOfAct = (act: string): string => `user.${act === 'deadLetter' ? 'dead-letter' : act}`;
    expect(byHand.map(({ on }) => on).toSorted()).toEqual(acts.map(triggerOfAct).toSorted());
    for (const act of acts) {
      const input = INPUTS.find(({ type }) => type === triggerOfAct(act));
      const left = DELIVERY_STATES.filter((state) => input !== undefined && step(state, input).ok);
      expect(left).toEqual(DELIVERY_STATES.filter((state) => statesLeftBy(act).includes(state)));
      expect(left).toEqual(DELIVERY_STATES.filter((state) => allows(act, { state })));
    }
  });

  test('an undone drop leads back to exactly the states that can be dropped', () => {
    const undone = MACHINE.filter(({ on }) => on.startsWith('user.undo-drop')).map(({ to }) => to);
    expect(undone.toSorted()).toEqual(statesLeftBy('drop').toSorted());
  });

  test('a held answer can be released and not cancelled; a release looks for it among what is attempting', () => {
    expect(allows('release', { state: 'attempting' })).toBe(false);
    expect(allows('release', { state: 'attempting', heldAt: 'response' })).toBe(true);
    expect(allows('release', { state: 'held', heldAt: 'delivery' })).toBe(true);
    expect(allows('cancel', { state: 'attempting' })).toBe(true);
    expect(allows('cancel', { state: 'attempting', heldAt: 'response' })).toBe(false);
    expect(statesToSearch('release')).toEqual(['held', 'attempting']);
  });

  test('a transition that is not allowed names its state and input', () => {
    expect(step('processed', { type: 'user.retry' })).toEqual({
      ok: false,
      reason: 'not-allowed',
      from: 'processed',
      on: 'user.retry',
    });
    expect(step('attempting', { type: 'user.drop' })).toMatchObject({ ok: false, from: 'attempting' });
    expect(step('attempting', { type: 'ttl' })).toMatchObject({ ok: false });
    expect(step('parked', { type: 'ttl' })).toMatchObject({ ok: false });
  });

  test('every state is reached, every state but processed has a way out', () => {
    const reached = new Set(MACHINE.map(({ to }) => to));
    expect([...reached].toSorted()).toEqual([...DELIVERY_STATES].toSorted());
    const left = new Set(MACHINE.filter(isOurs).flatMap(({ from }) => from));
    expect(DELIVERY_STATES.filter((state) => !left.has(state))).toEqual(['processed']);
  });
});

describe('any sequence of inputs', () => {
  const inputs = fc.array(fc.constantFrom(...INPUTS), { maxLength: 60 });

  /** States passed through; null first. Steps that were refused change nothing. */
  function walk(sequence: readonly Input[]): readonly (DeliveryState | null)[] {
    const states: (DeliveryState | null)[] = [null];
    for (const input of sequence) {
      const from = states.at(-1) ?? null;
      const made = step(from, input);
      const told = made.ok
        ? [CAUSES.includes(made.cause), RULE_IDS.some((id) => id === made.rule)]
        : [made.from === from];
      expect(told).not.toContain(false);
      if (made.ok) states.push(made.to);
    }
    return states;
  }

  test('leads to known states only, and none of ours leads out of processed', () => {
    fc.assert(
      fc.property(inputs, (sequence) => {
        const states = walk(sequence.filter(({ type }) => type !== 'tap.again'));
        for (const state of states.slice(1)) expect(DELIVERY_STATES).toContain(state);
        expect(states.slice(0, -1)).not.toContain('processed');
      }),
    );
  });

  test('without a person, an ended delivery stays ended', () => {
    const alone = INPUTS.filter(({ type }) => !type.startsWith('user.') && type !== 'tap.again');
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...alone), { maxLength: 60 }), (sequence) => {
        const before = walk(sequence).slice(0, -1);
        expect(before.filter((state) => ENDED_STATES.some((ended) => ended === state))).toEqual([]);
      }),
    );
  });

  test('no delivery is lost, because from any state but the ended ones something still leads to processed', () => {
    const canProcess = new Set<DeliveryState>(['processed']);
    for (let round = 0; round < DELIVERY_STATES.length; round++) {
      for (const { from, to } of MACHINE) {
        if (!canProcess.has(to)) continue;
        for (const state of from) if (state !== null) canProcess.add(state);
      }
    }
    expect(DELIVERY_STATES.filter((state) => !canProcess.has(state))).toEqual([]);
  });
});
