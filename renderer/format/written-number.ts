/** Reads numbers as a person writes them, with a unit where there is one, and writes them back. */
import { SETTINGS } from '../copy/settings.ts';

/** What a number counts; the unit of a number that is written without one. */
export type Unit = keyof typeof SETTINGS.alone;

/** A value, or the mistake in its text. */
export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly mistake: string };

/** Units that may follow a number, with their sizes, by the unit of its setting; the smallest is first. */
const STEPS: Readonly<Record<Unit, readonly (readonly [name: string, size: number])[]>> = {
  bytes: [
    ['B', 1],
    ['KiB', 1024],
    ['MiB', 1024 ** 2],
    ['GiB', 1024 ** 3],
    ['TiB', 1024 ** 4],
  ],
  ms: [
    ['ms', 1],
    ['s', 1000],
    ['min', 60_000],
    ['h', 3_600_000],
    ['d', 86_400_000],
  ],
  seconds: [
    ['s', 1],
    ['min', 60],
    ['h', 3600],
    ['d', 86_400],
  ],
  amount: [],
};

/** Digits of a number, which may have a comma before each three and an exponent. */
const NUMBER = /^(-?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?:e[+-]?\d+)?)\s*([a-z]*)$/i;

/** Reads a number as a person writes it, in a larger unit too: "4 MiB" as bytes. The host checks its range. */
export function readNumber(text: string, unit: Unit = 'amount'): Read<number> {
  const trimmed = text.trim();
  if (trimmed === '') return { ok: false, mistake: SETTINGS.needed };
  const [, digits, word = ''] = NUMBER.exec(trimmed) ?? [];
  // Flags and filters write minutes as m.
  const named = word === 'm' ? 'min' : word.toLowerCase();
  const step = STEPS[unit].find(([name]) => name.toLowerCase() === named);
  const size = word === '' ? 1 : step?.[1];
  if (digits === undefined || size === undefined) return { ok: false, mistake: SETTINGS.notNumber[unit] };
  const value = Number(digits.replaceAll(',', '')) * size;
  if (!Number.isFinite(value)) return { ok: false, mistake: SETTINGS.notNumber[unit] };
  // A person who writes a larger unit means the nearest whole number, but not 0, which may stand for no limit.
  return { ok: true, value: size === 1 ? value : Math.round(value) || value };
}

/** A number of the host as text, in the largest unit that needs no fraction: 4194304 bytes as "4 MiB", 90000 ms as "90 s". */
export function numberText(value: unknown, unit: Unit): string {
  if (typeof value !== 'number') return JSON.stringify(value);
  const [smallest] = STEPS[unit];
  if (value <= 0 || smallest === undefined) return String(value);
  const [name, size] = STEPS[unit].findLast((step) => value % step[1] === 0) ?? smallest;
  return `${value / size} ${name}`;
}
