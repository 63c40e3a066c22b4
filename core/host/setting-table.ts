/** Every setting of the program: those of the sidecar, and the block of the event router. */
import type { SettingComplaint } from '../domain/setting-checks.ts';
import { SIDECAR_SETTINGS, createSettingTable } from '../domain/settings.ts';
import { EVENT_ROUTER_SETTING } from '../router-protocol/setting.ts';

export const {
  SETTINGS,
  SETTING_KEYS,
  isSettingKey,
  sayUnknown,
  defaultSettings,
  checkSetting,
  parseSettingText,
} = createSettingTable({ ...SIDECAR_SETTINGS, eventRouter: EVENT_ROUTER_SETTING });

/** What a scenario file is told about its settings: a text counts as it does after --set. */
export const SETTINGS_OF_FILES = {
  keys: SETTING_KEYS,
  complaint: (key: string, value: unknown): SettingComplaint | undefined => {
    const checked = checkSetting(key, typeof value === 'string' ? parseSettingText(key, value) : value);
    return checked.ok ? undefined : checked.complaint;
  },
};
