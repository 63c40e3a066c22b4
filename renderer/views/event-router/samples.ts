/** Events for the emulator: the default ones, and reading those of a person. */
import { isObject } from '../../../core/contract/is-object.ts';
import { jsonMistake } from '../../../core/contract/json-position.ts';
import { randomId } from '../../client/random-id.ts';

/** Events that are saved under a name. */
export interface Sample {
  readonly name: string;
  readonly text: string;
}

/** Text of `count` CloudEvents: one object, or an array. Each call makes new ids. */
export function sampleText(count: number): string {
  const events = Array.from({ length: count }, (_, index) => ({
    specversion: '1.0',
    type: 'com.example.emulated',
    source: '/emulator',
    id: randomId(),
    subject: `/sample/${index + 1}`,
    time: new Date().toISOString(),
    datacontenttype: 'application/json',
    data: { orderId: index + 1 },
  }));
  return JSON.stringify(count === 1 ? events[0] : events, null, 2);
}

export type EventsRead =
  | { readonly ok: true; readonly events: readonly Record<string, unknown>[]; readonly isArray: boolean }
  | { readonly ok: false; readonly message: string };

/**
 * Reads one object, or an array of at least one. Their content is not checked, because wrong events may be
 * sent too.
 */
export function eventsIn(text: string): EventsRead {
  const mistake = jsonMistake(text);
  if (mistake !== undefined)
    return { ok: false, message: `line ${mistake.line}, column ${mistake.column}: ${mistake.message}` };
  const value: unknown = JSON.parse(text);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const events = list.filter(isObject);
  if (events.length === 0 || events.length < list.length)
    return { ok: false, message: 'an object, or an array of objects' };
  return { ok: true, events, isArray: Array.isArray(value) };
}

/** Saved samples of this or another build, without invalid ones. */
export function samplesOf(kept: readonly unknown[]): readonly Sample[] {
  return kept.flatMap((one) =>
    isObject(one) && typeof one['name'] === 'string' && typeof one['text'] === 'string'
      ? [{ name: one['name'], text: one['text'] }]
      : [],
  );
}
