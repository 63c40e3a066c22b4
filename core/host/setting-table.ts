/** Every setting of the program: those of the sidecar, and the block of the event router. */
import { SIDECAR_SETTINGS, createSettingTable } from '../domain/settings.ts';
import { EVENT_ROUTER_SETTING } from '../router-protocol/setting.ts';

export const { SETTINGS, SETTING_KEYS, isSettingKey, defaultSettings, checkSetting, parseSettingText } =
  createSettingTable({ ...SIDECAR_SETTINGS, eventRouter: EVENT_ROUTER_SETTING });
