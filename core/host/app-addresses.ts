/**
 * Applies the setting `app.address`: deliveries to an app with a mock app can go to another address at run
 * time.
 */
import { errorText } from '../contract/error-text.ts';
import type { Log } from '../ports/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { OpenApp } from './apps.ts';
import type { Settings } from './settings.ts';

const KEY = 'app.address';

/** Follows the setting. At its new address the app is asked for its subscriptions. */
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
        // The app is being removed, and the runtime no longer knows it.
        const reason = errorText(error);
        log.write('debug', 'discovery', `${appId} is not asked at ${turnable.url}: ${reason}`);
      });
    }
  });
}
