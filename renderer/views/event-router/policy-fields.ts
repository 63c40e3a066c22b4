/** Mistakes in the fields of a retry policy, by the limits of the router. */
import { fill } from '../../copy/fill.ts';
import { count } from '../../format/quantity.ts';
import { POLICY_FIELDS } from './copy/event-router.ts';

const MOST = { attempts: 30, ttl: 1440 } as const;
const MAX_SCALE = 10;

/** The mistake of the attempts or of the minutes to live; undefined: the router takes the text. */
export function policyMistake(field: keyof typeof MOST, text: string): string | undefined {
  const most = MOST[field];
  const isGood = /^[1-9]\d*$/.test(text.trim()) && Number(text) <= most;
  return isGood ? undefined : fill(POLICY_FIELDS.whole, { most: count(most) });
}

/** The mistake of a time scale; undefined: it can be used. */
export function scaleMistake(text: string): string | undefined {
  const scale = text.trim() === '' ? Number.NaN : Number(text);
  return scale > 0 && scale <= MAX_SCALE ? undefined : fill(POLICY_FIELDS.scale, { most: MAX_SCALE });
}
