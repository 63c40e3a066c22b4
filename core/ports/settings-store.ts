/** Settings with their sources; see contract/settings.ts and domain/settings.ts. */
import type { SettingItem } from '../contract/settings.ts';
import type { SettingValues } from '../domain/settings.ts';

export interface SettingsStore {
  readonly current: SettingValues;
  items(): readonly SettingItem[];
  /**
   * Sets a setting here; `null` removes that value, so that the next source counts. Throws Refusal
   * INVALID_PARAMS for a bad key or value.
   */
  set(key: string, value: unknown): void;
  onChange(changed: (key: string) => void): () => void;
}
