/** Durations and moments as people write them. */

const LONG_UNITS =
  /^(\d+(?:\.\d+)?)(ms|s|m|h|d|milliseconds?|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?)$/i;
const MOMENT = /^\d{4}-\d\d-\d\d(?!.*\.\.)(?:T\S*)?$/;

/** A duration with the unit of the language: `5min` becomes `5m`. undefined: it is no duration. */
export function durationOf(text: string): string | undefined {
  const [, digits, unit = ''] = LONG_UNITS.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return digits + (/^(?:ms|milli)/i.test(unit) ? 'ms' : unit.charAt(0).toLowerCase());
}

/** Whether a text is one moment, not a range of them. */
export function isMoment(text: string): boolean {
  return MOMENT.test(text);
}

/** The sign of a comparison by order. */
export const ORDER = /[<>]/;

/** The term for the age that a duration stands for. Without a comparison what is younger is wanted, because nothing is exactly that old. */
export function ageTerm(op: string, value: string): string | undefined {
  const [, sign = '', text = ''] = /^([<>]=?)?(.*)$/s.exec(value) ?? [];
  const duration = durationOf(text);
  if (duration === undefined) return undefined;
  const order = ORDER.test(op + sign) ? op.replace(':', '') + sign : '<';
  return `age:${order}${duration}`;
}
