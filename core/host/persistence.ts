/** What survives a restart beside the messages: settings, mock apps, apps that were added. Kept in the journal under their own keys. */
import type { MockAppState } from '../contract/mock-app.ts';
import { errorText } from '../contract/error-text.ts';
import { isObject } from '../domain/json.ts';
import type { SettingValues } from '../domain/settings.ts';
import type { ComponentSource } from '../ports/component-source.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import { restoreRules } from '../mock-app/kept-rules.ts';
import { firstSubscriptions } from '../mock-app/server.ts';
import type { OpenApp } from './apps.ts';
import type { AppOption } from './options.ts';
import type { Settings } from './settings.ts';

const SETTINGS_KEY = 'settings';

/** Keeps values, and knows when all that was given so far is on disk. */
export class Keeper {
  readonly journal: Journal;
  readonly #log: Log;
  readonly #underWay = new Set<Promise<void>>();
  #write: (key: string, value: unknown) => Promise<void>;

  constructor(journal: Journal, log: Log) {
    this.journal = journal;
    this.#log = log;
    this.#write = (key, value) => journal.append([{ kind: 'kept', key, value }]);
  }

  /** Written by the runtime from now on: what the disk refuses for now stays owed to it, as everything else does. */
  through(write: (key: string, value: unknown) => Promise<void>): void {
    this.#write = write;
  }

  /** Resolves when it is on disk. Never rejects: what cannot be kept is told in the log. */
  keep(key: string, value: unknown): Promise<void> {
    return this.noting(
      this.#write(key, value).catch((error: unknown) => {
        const reason = errorText(error);
        this.#log.write('error', 'journal', `Sidelight could not save ${key}: ${reason}`);
      }),
    );
  }

  /** Counts this as under way until it is over. @param work never rejects */
  noting(work: Promise<void>): Promise<void> {
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }

  /** Resolves when everything that was given so far is over. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

/**
 * Restores settings made here, and keeps them from then on.
 * @param setSync gives the journal its level, now and whenever it changes. Never rejects
 */
export async function keepSettings(
  settings: Settings,
  keeper: Keeper,
  log: Log,
  setSync: (level: SettingValues['journal.sync']) => Promise<void>,
): Promise<void> {
  const bad = settings.restore(await keeper.journal.kept(SETTINGS_KEY));
  for (const key of bad)
    log.write('warn', 'settings', `The saved value of ${key} is no longer valid. Sidelight ignores it.`);
  // A level that was set here counts from now on: what was written so far is what the journal itself began with.
  await setSync(settings.current['journal.sync']);
  settings.onChange((key) => {
    if (key === 'journal.sync') void keeper.noting(setSync(settings.current[key]));
    void keeper.keep(SETTINGS_KEY, settings.here());
  });
}

/**
 * Restores each mock app, or gives it its first subscription; keeps changes from then on.
 * @returns the same for an app that comes later
 */
export async function keepMockApps(
  apps: readonly OpenApp[],
  keeper: Keeper,
  components: ComponentSource,
  { ownResources, log }: { readonly ownResources: boolean; readonly log: Log },
): Promise<(app: OpenApp) => Promise<void>> {
  const first = ownResources ? await firstPubSub(components) : 'pubsub';
  const keepOne = async ({ appId, mock }: OpenApp): Promise<void> => {
    if (mock === undefined) return;
    const key = `mock-app:${appId}`;
    const kept = await keeper.journal.kept(key);
    if (isKept(kept)) {
      mock.setSubscriptions(kept.subscriptions);
      restoreRules(mock, kept.rules, log);
    } else {
      mock.setSubscriptions(firstSubscriptions(first));
    }
    let last = JSON.stringify(keptPart(mock.state()));
    mock.onChange(() => {
      const now = keptPart(mock.state());
      const text = JSON.stringify(now);
      if (text === last) return;
      last = text;
      void keeper.keep(key, now);
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

/** Keeps the apps that were added for the next start. */
export function keepApps(keeper: Keeper, apps: readonly AppOption[]): Promise<void> {
  return keeper.keep(APPS_KEY, apps);
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
