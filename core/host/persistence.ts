/** What survives a restart beside the messages: settings, mock apps, apps that were added. Kept in the journal under their own keys. */
import type { MockAppState } from '../contract/mock-app.ts';
import { isObject } from '../domain/json.ts';
import type { ComponentSource } from '../ports/component-source.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import { firstSubscriptions } from '../mock-app/server.ts';
import type { OpenApp } from './apps.ts';
import type { AppOption } from './options.ts';
import type { Settings } from './settings.ts';

const SETTINGS_KEY = 'settings';

/** Restores settings made here, and keeps them from then on. */
export function keepSettings(settings: Settings, journal: Journal, log: Log): { restore(): Promise<void> } {
  return {
    async restore() {
      const bad = settings.restore(await journal.kept(SETTINGS_KEY));
      for (const key of bad)
        log.write('warn', 'settings', `The kept value of ${key} is no longer valid: left out.`);
      settings.onChange(() => void keep(journal, log, SETTINGS_KEY, settings.here()));
    },
  };
}

/**
 * Restores each mock app, or gives it its first subscription; keeps changes from then on.
 * @returns the same for an app that comes later
 */
export async function keepMockApps(
  apps: readonly OpenApp[],
  journal: Journal,
  log: Log,
  components: ComponentSource,
  ownResources: boolean,
): Promise<(app: OpenApp) => Promise<void>> {
  const first = ownResources ? await firstPubSub(components) : 'pubsub';
  const keepOne = async ({ appId, mock }: OpenApp): Promise<void> => {
    if (mock === undefined) return;
    const key = `mock-app:${appId}`;
    const kept = await journal.kept(key);
    if (isKept(kept)) {
      mock.setSubscriptions(kept.subscriptions);
      mock.setRules(kept.rules);
    } else {
      mock.setSubscriptions(firstSubscriptions(first));
    }
    let last = JSON.stringify(keptPart(mock.state()));
    mock.onChange(() => {
      const now = keptPart(mock.state());
      const text = JSON.stringify(now);
      if (text === last) return;
      last = text;
      void keep(journal, log, key, now);
    });
  };
  for (const app of apps) await keepOne(app);
  return keepOne;
}

const APPS_KEY = 'apps';

/** Apps that were added while the product ran; one whose id is now on the command line is left out. */
export async function keptApps(journal: Journal, given: readonly AppOption[]): Promise<readonly AppOption[]> {
  const kept = await journal.kept(APPS_KEY);
  if (!Array.isArray(kept)) return [];
  return kept.flatMap((one: unknown): AppOption[] => {
    if (!isObject(one) || typeof one['appId'] !== 'string') return [];
    const { appId, sidecarPort } = one;
    if (given.some((app) => app.appId === appId)) return [];
    return [{ appId, ...(typeof sidecarPort === 'number' ? { sidecarPort } : {}) }];
  });
}

/** Keeps them for the next start. */
export function keepApps(journal: Journal, log: Log, apps: readonly AppOption[]): Promise<void> {
  return keep(journal, log, APPS_KEY, apps);
}

type Kept = Pick<MockAppState, 'subscriptions' | 'rules'>;

function keptPart({ subscriptions, rules }: MockAppState): Kept {
  return { subscriptions, rules: rules.map(({ hits: _hits, lastAt: _lastAt, ...rule }) => rule) };
}

function isKept(value: unknown): value is Kept {
  return typeof value === 'object' && value !== null && 'subscriptions' in value && 'rules' in value;
}

async function firstPubSub(components: ComponentSource): Promise<string | undefined> {
  const { components: specs } = await components.load();
  return specs.find((spec) => spec.failed === undefined && spec.type.toLowerCase().startsWith('pubsub.'))
    ?.name;
}

async function keep(journal: Journal, log: Log, key: string, value: unknown): Promise<void> {
  try {
    await journal.append([{ kind: 'kept', key, value }]);
  } catch (error) {
    log.write(
      'error',
      'journal',
      `${key} could not be kept: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
