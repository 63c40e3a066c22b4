/** The setting `app.address`: an app that has a mock app here may be delivered to at another address while the product runs. */
import type { Runtime } from '../runtime/runtime.ts';
import type { OpenApp } from './apps.ts';
import type { Settings } from './settings.ts';

const KEY = 'app.address';

/** Follows the setting: the app is asked for its subscriptions at its new address. */
export function followAddresses(apps: readonly OpenApp[], settings: Settings, runtime: Runtime): void {
  settings.onChange((key) => {
    if (key !== KEY) return;
    for (const { appId, turnable } of apps) {
      if (turnable === undefined) continue;
      const before = turnable.url;
      turnable.turnTo(settings.current[KEY][appId]);
      if (turnable.url !== before) void runtime.discover(appId);
    }
  });
}
