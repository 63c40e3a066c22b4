/** Settings as the console and scripts see them. Keys, defaults and checks: domain/settings.ts. */

export type SettingOrigin = 'flag' | 'here' | 'file' | 'default';

export interface SettingItem {
  readonly key: string;
  readonly value: unknown;
  readonly origin: SettingOrigin;
}
