/** The delivery machine: every transition between states, as a list that can be printed, tested and drawn. */
import { BEFORE_DROP, statesLeftBy } from '../contract/acts.ts';
import type { BeforeDrop } from '../contract/acts.ts';
import { ENDED_STATES } from '../contract/delivery.ts';
import type { Cause, DeliveryState, RuleId } from '../contract/delivery.ts';
import type { Verdict } from './verdict.ts';

/** Inputs of the machine. `deadLetter` true: the dead-letter topic accepted the copy. */
export type Input =
  | { readonly type: 'accept' }
  | { readonly type: 'hold' }
  | { readonly type: 'start'; readonly again: boolean }
  | { readonly type: 'verdict'; readonly verdict: Verdict }
  | { readonly type: 'exhausted'; readonly deadLetter: boolean }
  | { readonly type: 'ttl' }
  | { readonly type: 'restart' }
  | { readonly type: 'user.hold' | 'user.release' | 'user.retry' | 'user.drop' | 'user.dead-letter' }
  | { readonly type: 'user.undo-drop'; readonly to: BeforeDrop }
  | { readonly type: 'unroutable'; readonly deadLetter: boolean }
  | {
      readonly type: 'undeliverable';
      readonly deadLetter: boolean;
      /** Reason of the copy. `policy.no-route` only if the dead-letter topic refused it. */
      readonly rule: 'policy.route-error' | 'policy.unreadable' | 'policy.no-route';
    }
  | { readonly type: 'hold.over' }
  | { readonly type: 'no-subscription' }
  /** Ends a copy that waited for this stream, because another copy of the message goes to the next stream. */
  | { readonly type: 'joined' }
  /** Observations of a tap: sent again after an end, cut before the app had it, given up with a copy, not sent again for long. */
  | { readonly type: 'tap.again' | 'tap.lost' | 'tap.dead-letter' | 'tap.silent' };

/** An input together with its condition, so that at most one row exists per state and trigger. */
export type Trigger =
  | 'accept'
  | 'hold'
  | 'start, first'
  | 'start, again'
  | 'verdict.processed'
  | 'verdict.retry'
  | 'verdict.dropped'
  | 'verdict.requeued'
  | 'exhausted'
  | 'exhausted, dead-lettered'
  | 'ttl'
  | 'restart'
  | 'user.hold'
  | 'user.release'
  | 'user.retry'
  | 'user.drop'
  | 'user.dead-letter'
  | `user.undo-drop, ${BeforeDrop}`
  | 'unroutable'
  | 'unroutable, dead-lettered'
  | 'undeliverable'
  | 'undeliverable, dead-lettered'
  | 'hold.over'
  | 'no-subscription'
  | 'joined'
  | 'tap.again'
  | 'tap.lost'
  | 'tap.dead-letter'
  | 'tap.silent';

/**
 * One transition. `from` null: there is no delivery yet. `rule` and `cause` 'verdict' / 'input': taken from
 * the input.
 */
export interface MachineRow {
  readonly id: string;
  readonly from: readonly (DeliveryState | null)[];
  readonly on: Trigger;
  readonly to: DeliveryState;
  readonly cause: Cause | 'verdict';
  readonly rule: RuleId | 'verdict' | 'input';
}

export type Step =
  | { readonly ok: true; readonly to: DeliveryState; readonly cause: Cause; readonly rule: RuleId }
  | {
      readonly ok: false;
      readonly reason: 'not-allowed';
      readonly from: DeliveryState | null;
      readonly on: Input['type'];
    };

export const MACHINE: readonly MachineRow[] = [
  { id: 'M1', from: [null], on: 'accept', to: 'queued', cause: 'policy', rule: 'policy.accepted' },
  {
    id: 'M2',
    from: [null, 'queued', 'retrying'],
    on: 'hold',
    to: 'held',
    cause: 'user',
    rule: 'hold.matched',
  },
  {
    id: 'M3',
    from: ['queued'],
    on: 'start, first',
    to: 'attempting',
    cause: 'policy',
    rule: 'policy.attempt',
  },
  { id: 'M3', from: ['queued'], on: 'start, again', to: 'attempting', cause: 'policy', rule: 'policy.retry' },
  {
    id: 'M4',
    from: ['retrying'],
    on: 'start, again',
    to: 'attempting',
    cause: 'policy',
    rule: 'policy.retry',
  },
  {
    id: 'M5',
    from: ['attempting'],
    on: 'verdict.processed',
    to: 'processed',
    cause: 'verdict',
    rule: 'verdict',
  },
  { id: 'M6', from: ['attempting'], on: 'verdict.retry', to: 'retrying', cause: 'verdict', rule: 'verdict' },
  { id: 'M7', from: ['attempting'], on: 'verdict.dropped', to: 'dropped', cause: 'verdict', rule: 'verdict' },
  {
    id: 'M8',
    from: ['retrying'],
    on: 'exhausted, dead-lettered',
    to: 'dead-lettered',
    cause: 'policy',
    rule: 'policy.dead-letter',
  },
  { id: 'M9', from: ['retrying'], on: 'exhausted', to: 'parked', cause: 'policy', rule: 'policy.exhausted' },
  {
    id: 'M10',
    from: ['queued', 'held', 'retrying'],
    on: 'ttl',
    to: 'expired',
    cause: 'ttl',
    rule: 'ttl.expired',
  },
  {
    id: 'M11',
    from: ['attempting'],
    on: 'restart',
    to: 'queued',
    cause: 'restart',
    rule: 'restart.requeued',
  },
  { id: 'M12', from: statesLeftBy('hold'), on: 'user.hold', to: 'held', cause: 'user', rule: 'user.hold' },
  {
    id: 'M13',
    from: statesLeftBy('release'),
    on: 'user.release',
    to: 'queued',
    cause: 'user',
    rule: 'user.release',
  },
  {
    id: 'M14',
    from: statesLeftBy('retry'),
    on: 'user.retry',
    to: 'queued',
    cause: 'user',
    rule: 'user.retry',
  },
  {
    id: 'M15',
    from: statesLeftBy('drop'),
    on: 'user.drop',
    to: 'dropped',
    cause: 'user',
    rule: 'user.drop',
  },
  {
    id: 'M16',
    from: statesLeftBy('deadLetter'),
    on: 'user.dead-letter',
    to: 'dead-lettered',
    cause: 'user',
    rule: 'user.dead-letter',
  },
  { id: 'M17', from: [null], on: 'unroutable', to: 'dropped', cause: 'policy', rule: 'policy.no-route' },
  {
    id: 'M18',
    from: [null],
    on: 'unroutable, dead-lettered',
    to: 'dead-lettered',
    cause: 'policy',
    rule: 'policy.no-route',
  },
  { id: 'M19', from: [null], on: 'undeliverable', to: 'parked', cause: 'policy', rule: 'input' },
  {
    id: 'M20',
    from: [null],
    on: 'undeliverable, dead-lettered',
    to: 'dead-lettered',
    cause: 'policy',
    rule: 'input',
  },
  { id: 'M21', from: ['held'], on: 'hold.over', to: 'queued', cause: 'policy', rule: 'hold.released' },
  {
    id: 'M22',
    from: ['queued', 'retrying'],
    on: 'no-subscription',
    to: 'queued',
    cause: 'policy',
    rule: 'policy.no-subscription',
  },
  {
    id: 'M23',
    from: ['attempting'],
    on: 'verdict.requeued',
    to: 'queued',
    cause: 'verdict',
    rule: 'verdict',
  },
  {
    id: 'M24',
    from: ENDED_STATES,
    on: 'tap.again',
    to: 'queued',
    cause: 'policy',
    rule: 'tap.again',
  },
  {
    id: 'M25',
    from: ['queued', 'held', 'attempting'],
    on: 'tap.lost',
    to: 'retrying',
    cause: 'policy',
    rule: 'tap.lost',
  },
  { id: 'M26', from: ['retrying'], on: 'tap.silent', to: 'retrying', cause: 'policy', rule: 'tap.silent' },
  ...BEFORE_DROP.map((to): MachineRow => ({
    id: 'M27',
    from: ['dropped'],
    on: `user.undo-drop, ${to}`,
    to,
    cause: 'user',
    rule: 'user.undo-drop',
  })),
  {
    id: 'M28',
    from: ['queued', 'retrying'],
    on: 'joined',
    to: 'dropped',
    cause: 'policy',
    rule: 'stream.joined',
  },
  {
    id: 'M29',
    from: ['retrying'],
    on: 'tap.dead-letter',
    to: 'dead-lettered',
    cause: 'policy',
    rule: 'tap.dead-letter',
  },
];

/**
 * Rows by state and trigger. Nested maps are used because each message asks several times, and a joint key
 * would have to be built and hashed each time.
 */
const ROW_OF = new Map<DeliveryState | null, Map<Trigger, MachineRow>>();
for (const row of MACHINE) {
  for (const from of row.from) {
    const rows = ROW_OF.get(from) ?? new Map<Trigger, MachineRow>();
    ROW_OF.set(from, rows.set(row.on, row));
  }
}

/**
 * The next state for `input` in `from`, with the row that explains it, or why there is none. Pure: no clock,
 * no I/O.
 */
export function step(from: DeliveryState | null, input: Input): Step {
  const row = ROW_OF.get(from)?.get(triggerOf(input));
  if (row === undefined) return { ok: false, reason: 'not-allowed', from, on: input.type };
  const rule = ruleOf(row, input);
  return { ok: true, to: row.to, cause: row.cause === 'verdict' ? causeOf(rule) : row.cause, rule };
}

/** The trigger of an input: its type with the condition that the machine's rows distinguish. */
export function triggerOf(input: Input): Trigger {
  switch (input.type) {
    case 'start':
      return input.again ? 'start, again' : 'start, first';
    case 'verdict':
      return `verdict.${input.verdict.outcome}`;
    case 'user.undo-drop':
      return `${input.type}, ${input.to}`;
    case 'exhausted':
    case 'unroutable':
    case 'undeliverable':
      return input.deadLetter ? `${input.type}, dead-lettered` : input.type;
    case 'accept':
    case 'hold':
    case 'ttl':
    case 'restart':
    case 'user.hold':
    case 'user.release':
    case 'user.retry':
    case 'user.drop':
    case 'user.dead-letter':
    case 'hold.over':
    case 'no-subscription':
    case 'joined':
    case 'tap.again':
    case 'tap.lost':
    case 'tap.dead-letter':
    case 'tap.silent':
      return input.type;
  }
}

function ruleOf(row: MachineRow, input: Input): RuleId {
  if (row.rule === 'verdict') {
    if (input.type === 'verdict') return input.verdict.rule;
  } else if (row.rule === 'input') {
    if (input.type === 'undeliverable') return input.rule;
  } else return row.rule;
  throw new Error(`row ${row.id} takes its rule from an input whose type is not ${input.type}`);
}

/** Cause of a verdict: the app, unless there was no answer or a person cut the call. */
function causeOf(rule: RuleId): Cause {
  if (rule === 'policy.no-answer') return 'policy';
  return rule === 'user.cancel' ? 'user' : 'app';
}
