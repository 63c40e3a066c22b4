/** Readers of a component's settings: numbers, times, flags. Each error names the setting, what was expected and what was found. */
import { errorText } from '../contract/error-text.ts';
import { parseDuration } from '../domain/duration.ts';
import { MAX_TIMER_MS } from '../domain/setting-checks.ts';
import { SettingMistake } from '../ports/component-source.ts';

/** A setting in any letter case; "" = absent. */
export type ReadSetting = (name: string) => string;

const TRUE_WORDS: ReadonlySet<string> = new Set(['1', 't', 'true']);
const FALSE_WORDS: ReadonlySet<string> = new Set(['', '0', 'f', 'false']);

/** A whole number within its limits; undefined = absent. Throws an Error that names the setting. */
export function wholeOf(setting: ReadSetting, name: string, min: number, max: number): number | undefined {
  const given = setting(name).trim();
  if (given === '') return undefined;
  const value = /^\d+$/.test(given) ? Number(given) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new Error(`${name} must be a whole number ${min} to ${max}, got "${given}"`);
}

/** Milliseconds of a Go duration, or of a bare number of milliseconds. Throws an Error that names the setting. */
export function timeOf(setting: ReadSetting, name: string, standardMs: number): number {
  const given = setting(name).trim();
  return given === '' ? standardMs : timeIn(name, given);
}

/**
 * Reads a text as `timeOf` reads a setting.
 * @param name name of the setting, for the error
 */
export function timeIn(name: string, given: string): number {
  const ms = /^\d+$/.test(given) ? Number(given) : parseDuration(given);
  if (ms !== undefined && ms >= 0 && ms <= MAX_TIMER_MS) return Math.ceil(ms);
  throw new Error(`${name} must be a time, for example 60s or 60000 (ms), got "${given}"`);
}

/** Absent = false. Throws an Error that names the setting. */
export function flagOf(setting: ReadSetting, name: string): boolean {
  const given = setting(name).trim();
  const lower = given.toLowerCase();
  if (TRUE_WORDS.has(lower)) return true;
  if (FALSE_WORDS.has(lower)) return false;
  throw new Error(`${name} must be true or false, got "${given}"`);
}

/** All complaints about settings, with the name of each. A wrong setting counts as absent when the next one is searched. */
export function complaintsOf(
  read: (setting: ReadSetting) => unknown,
  setting: ReadSetting,
): readonly { readonly name: string; readonly message: string }[] {
  const found: { name: string; message: string }[] = [];
  for (;;) {
    let name = '';
    try {
      read((asked) => {
        name = asked;
        return found.some((one) => one.name === asked) ? '' : setting(asked);
      });
      return found;
    } catch (error) {
      // The reader fails even with an empty value instead of the wrong one, so later settings cannot be read.
      if (found.some((one) => one.name === name)) return found;
      found.push({ name, message: errorText(error) });
    }
  }
}

/** Reads settings; an error of `read` becomes a SettingMistake. */
export function readSettings<S>(read: (setting: ReadSetting) => S, setting: ReadSetting): S {
  try {
    return read(setting);
  } catch (error) {
    throw new SettingMistake(errorText(error), { cause: error });
  }
}
