/** Every setting of the program: those of the sidecar, and the block of the event router. */
import { nearest } from '../contract/nearest.ts';
import { isObject } from '../domain/json.ts';
import type { SettingComplaint } from '../domain/setting-checks.ts';
import { SIDECAR_SETTINGS, createSettingTable } from '../domain/settings.ts';
import type { SettingKey } from '../domain/settings.ts';
import { EVENT_ROUTER_SETTING } from '../router-protocol/setting.ts';

export const {
  SETTINGS,
  SETTING_KEYS,
  isSettingKey,
  describeUnknown,
  defaultSettings,
  valuesOf,
  checkSetting,
  parseSettingText,
} = createSettingTable({ ...SIDECAR_SETTINGS, eventRouter: EVENT_ROUTER_SETTING });

/** Complaint about a key that does not exist, with all that do. */
export function unknownAmongKnown(key: string): string {
  const unknown = describeUnknown(key);
  return `${unknown}${unknown.endsWith('?') ? '' : ';'} known settings: ${SETTING_KEYS.join(', ')}`;
}

/**
 * What to write for a key that names a part of a setting: the setting with this part alone, without a slip in its name. A value that is refused
 * is named first, and one that is accepted stands in its place.
 * @param write the line that sets a setting to a value
 * @returns undefined: the key is no part of a setting
 */
export function wholeSetting(
  key: string,
  value: unknown,
  write: (whole: SettingKey, json: string) => string,
): string | undefined {
  const whole = SETTING_KEYS.find(
    (known) => key.startsWith(`${known}.`) && isObject(SETTINGS[known].default),
  );
  if (whole === undefined) return undefined;
  const path = meantPath(whole, key.slice(whole.length + 1).split('.'));
  const wanted = withMember({}, path, value);
  const read = SETTINGS[whole].check.read(wanted);
  if (read.ok) return `${key} is a part of ${whole}; write ${write(whole, JSON.stringify(wanted))}`;
  const { expected, found } = read.complaint;
  const example = withMember({}, path, memberAt(SETTINGS[whole].default, path));
  const isNamed = SETTINGS[whole].check.read(example).ok;
  if (!isNamed) return `${key} is not a part of ${whole}, which must be ${expected}`;
  const such = write(whole, JSON.stringify(example));
  return `${key} must be ${expected}, got ${found}; it is a part of ${whole}, so write it as in ${such}`;
}

function memberAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce((inner, name) => (isObject(inner) ? inner[name] : undefined), value);
}

/** The path of a part with the names of members that were probably meant by misspelled ones. */
function meantPath(whole: SettingKey, path: readonly string[]): readonly string[] {
  let known: unknown = SETTINGS[whole].default;
  return path.map((name) => {
    if (!isObject(known)) return name;
    const names = Object.keys(known);
    const meant = names.includes(name) ? name : (nearest(name, names) ?? name);
    known = known[meant];
    return meant;
  });
}

/** A value with a member set at a path inside it. */
export function withMember(block: unknown, [name = '', ...rest]: readonly string[], value: unknown): unknown {
  const members: Readonly<Record<string, unknown>> = isObject(block) ? block : {};
  return { ...members, [name]: rest.length === 0 ? value : withMember(members[name], rest, value) };
}

/** Settings for scenario files, in which a text is read as after --set. */
export const SETTINGS_OF_FILES = {
  keys: SETTING_KEYS,
  complaint: (key: string, value: unknown): SettingComplaint | undefined => {
    const checked = checkSetting(key, typeof value === 'string' ? parseSettingText(key, value) : value);
    return checked.ok ? undefined : checked.complaint;
  },
};
