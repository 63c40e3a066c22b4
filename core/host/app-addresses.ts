/** The setting `app.address`: an app that has a mock app here may be delivered to at another address while the product runs. */
import { errorText } from '../contract/error-text.ts';
import type { Log } from '../ports/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { OpenApp } from './apps.ts';
import type { Settings } from './settings.ts';

const KEY = 'app.address';

/** Follows the setting: the app is asked for its subscriptions at its new address. */
export function followAddresses(
  apps: readonly Pick<OpenApp, 'appId' | 'turnable'>[],
  settings: Settings,
  runtime: Pick<Runtime, 'rediscovery'>,
  log: Log,
): void {
  settings.onChange((key) => {
    if (key !== KEY) return;
    for (const { appId, turnable } of apps) {
      if (turnable === undefined) continue;
      const before = turnable.url;
      turnable.turnTo(settings.current[KEY][appId]);
      if (turnable.url === before) continue;
      runtime.rediscovery.ask(appId).catch((error: unknown) => {
        // The app is leaving: the runtime does not know it any more.
        const reason = errorText(error);
        log.write('debug', 'discovery', `${appId} is not asked at ${turnable.url}: ${reason}`);
      });
    }
  });
}
