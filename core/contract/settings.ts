/** Settings as the console and scripts see them. Keys, defaults and checks: domain/settings.ts. */
import { members, oneOf, Text, Unknown } from './schema.ts';
import type { Static } from './schema.ts';

/** Settings as the console and scripts see them. Keys, defaults and checks: domain/settings.ts. */
export const settingOrigin = oneOf(['flag', 'here', 'file', 'default']);
export type SettingOrigin = Static<typeof settingOrigin>;

export const settingItem = members({
  key: Text(),
  value: Unknown(),
  origin: settingOrigin,
});
export type SettingItem = Static<typeof settingItem>;
