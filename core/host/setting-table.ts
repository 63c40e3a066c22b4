/** Every setting of the program: those of the sidecar, and the block of the event router. */
import type { SettingComplaint } from '../domain/setting-checks.ts';
import { SIDECAR_SETTINGS, createSettingTable } from '../domain/settings.ts';
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

/** Settings for scenario files, in which a text is read as after --set. */
export const SETTINGS_OF_FILES = {
  keys: SETTING_KEYS,
  complaint: (key: string, value: unknown): SettingComplaint | undefined => {
    const checked = checkSetting(key, typeof value === 'string' ? parseSettingText(key, value) : value);
    return checked.ok ? undefined : checked.complaint;
  },
};
