/** Mistakes in the fields of a retry policy and of faults, by the limits of the router. */
import { ANSWER_STATUS, MAX_ANSWER_DELAY_MS } from '../../../core/contract/rule-bounds.ts';
import { fill } from '../../copy/fill.ts';
import { count } from '../../format/quantity.ts';
import { POLICY_FIELDS } from './copy/event-router.ts';

const MOST = { attempts: 30, ttl: 1440 } as const;
const MAX_SCALE = 10;
const MAX_WAIT_SCALE = 1000;
const FAULT_BOUNDS = {
  status: [ANSWER_STATUS.minimum, ANSWER_STATUS.maximum],
  delay: [0, MAX_ANSWER_DELAY_MS],
  slow: [0, MAX_ANSWER_DELAY_MS],
  times: [1, 100_000],
  skew: [-10_000, 10_000],
} as const;

/** The mistake of the attempts or of the minutes to live; undefined: the router takes the text. */
export function policyMistake(field: keyof typeof MOST, text: string): string | undefined {
  return wholeMistake(text, 1, MOST[field]);
}

/** The mistake of a number of a fault; undefined: the router takes the text. */
export function faultMistake(field: keyof typeof FAULT_BOUNDS, text: string): string | undefined {
  const [least, most] = FAULT_BOUNDS[field];
  return wholeMistake(text, least, most);
}

/** The mistake of the scale of all waits of the router; undefined: it can be used. */
export function waitScaleMistake(text: string): string | undefined {
  const scale = text.trim() === '' ? Number.NaN : Number(text);
  return scale >= 0 && scale <= MAX_WAIT_SCALE
    ? undefined
    : fill(POLICY_FIELDS.number, { most: count(MAX_WAIT_SCALE) });
}

function wholeMistake(text: string, least: number, most: number): string | undefined {
  const n = Number(text);
  const isGood = /^-?\d+$/.test(text.trim()) && n >= least && n <= most;
  return isGood ? undefined : fill(POLICY_FIELDS.whole, { least: count(least), most: count(most) });
}

/** The mistake of a time scale; undefined: it can be used. */
export function scaleMistake(text: string): string | undefined {
  const scale = text.trim() === '' ? Number.NaN : Number(text);
  return scale > 0 && scale <= MAX_SCALE ? undefined : fill(POLICY_FIELDS.scale, { most: MAX_SCALE });
}
