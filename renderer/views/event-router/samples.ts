/** Events that the emulator sends: those it begins with, and reading what a person wrote. */
import { jsonMistake } from '../../../core/contract/json-position.ts';

/** Kept under a name. */
export interface Sample {
  readonly name: string;
  readonly text: string;
}

/** `count` CloudEvents as text: one object, or an array. Ids are new each time. */
export function sampleText(count: number): string {
  const events = Array.from({ length: count }, (_, index) => ({
    specversion: '1.0',
    type: 'com.example.emulated',
    source: '/emulator',
    id: crypto.randomUUID(),
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

/** One object, or an array of at least one. What is in them is the webhook's business: wrong events are sent as well. */
export function eventsIn(text: string): EventsRead {
  const mistake = jsonMistake(text);
  if (mistake !== undefined)
    return { ok: false, message: `line ${mistake.line}, column ${mistake.column}: ${mistake.message}` };
  const value: unknown = JSON.parse(text);
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  const events = list.filter(isRecord);
  if (events.length === 0 || events.length < list.length)
    return { ok: false, message: 'an object, or an array of objects' };
  return { ok: true, events, isArray: Array.isArray(value) };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Samples as they were kept by this or another build: what is none is left out. */
export function samplesOf(kept: readonly unknown[]): readonly Sample[] {
  return kept.flatMap((one) =>
    isRecord(one) && typeof one['name'] === 'string' && typeof one['text'] === 'string'
      ? [{ name: one['name'], text: one['text'] }]
      : [],
  );
}
