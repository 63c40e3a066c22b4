/** The time after which a hold releases, as the text of its field. */
import { numberText, readNumber } from '../../format/written-number.ts';

/** Text of a time; one of whole seconds has no unit, as a person writes it. */
export function afterText(ms: number | undefined): string {
  if (ms === undefined) return '';
  return ms % 1000 === 0 ? String(ms / 1000) : numberText(ms, 'ms');
}

/** The time in ms; a number without a unit is in seconds. Undefined: the text is no time of at least 1 ms. */
export function readAfter(text: string): number | undefined {
  const seconds = readNumber(text);
  const read = seconds.ok ? seconds.value * 1000 : msOf(text);
  if (read === undefined) return undefined;
  const ms = Math.round(read);
  return ms > 0 ? ms : undefined;
}

function msOf(text: string): number | undefined {
  const read = readNumber(text, 'ms');
  return read.ok ? read.value : undefined;
}
