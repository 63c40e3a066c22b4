/** Shapes of settings for the console and scripts. Keys, defaults and checks: domain/settings.ts. */
import { members, oneOf, Text, Unknown } from './schema.ts';
import type { Static } from './schema.ts';

/** Where the value of a setting comes from. `here`: it was changed in the console. */
export const settingOrigin = oneOf(['flag', 'here', 'file', 'default']);
export type SettingOrigin = Static<typeof settingOrigin>;

export const settingItem = members({
  key: Text(),
  value: Unknown(),
  origin: settingOrigin,
});
export type SettingItem = Static<typeof settingItem>;
