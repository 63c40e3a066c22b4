/**
 * State beside the messages that survives a restart: settings, mock apps, added apps. It is kept in the
 * journal under its own keys.
 */
import { theApp } from '../contract/app-text.ts';
import { mayUse } from '../contract/component-scopes.ts';
import type { MockAppState } from '../contract/mock-app.ts';
import { errorText } from '../contract/error-text.ts';
import { isObject } from '../domain/json.ts';
import type { SettingValues } from '../domain/settings.ts';
import type { ComponentSource } from '../ports/component-source.ts';
import type { Journal } from '../ports/journal.ts';
import type { Log } from '../ports/log.ts';
import type { MockApp } from '../ports/mock-app.ts';
import { restoreRules, restoreSubscriptions } from '../mock-app/kept-rules.ts';
import { firstSubscriptions } from '../mock-app/server.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { OpenApp } from './apps.ts';
import type { AppOption } from './options.ts';
import type { Settings } from './settings.ts';

const SETTINGS_KEY = 'settings';

/** Writes values, and knows when all of them are on disk. */
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

  /**
   * Writes through the runtime from now on. As with all its records, writes that the disk refuses are
   * repeated later.
   */
  through(write: (key: string, value: unknown) => Promise<void>): void {
    this.#write = write;
  }

  /** Writes a value; resolves when it is on disk. Never rejects: a failure is logged. */
  keep(key: string, value: unknown): Promise<void> {
    return this.noting(
      this.#write(key, value).catch((error: unknown) => {
        const reason = errorText(error);
        this.#log.write('error', 'journal', `Sidelight could not save ${key}: ${reason}`);
      }),
    );
  }

  /**
   * Counts the work as pending until it has ended.
   * @param work never rejects
   */
  noting(work: Promise<void>): Promise<void> {
    this.#underWay.add(work);
    return work.finally(() => this.#underWay.delete(work));
  }

  /** Resolves when all pending work has ended. */
  async settled(): Promise<void> {
    await Promise.all(this.#underWay);
  }
}

/**
 * Restores settings that were set here, and saves changes from then on.
 * @param setSync sets the journal's sync level, now and after each change. Never rejects
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
  // A restored level applies from now on. Everything before was written with the level of the start.
  await setSync(settings.current['journal.sync']);
  settings.onChange((key) => {
    if (key === 'journal.sync') void keeper.noting(setSync(settings.current[key]));
    void keeper.keep(SETTINGS_KEY, settings.here());
  });
}

/** Restores mock apps, or gives them their first subscription, and saves their changes. */
export class KeptMockApps {
  readonly #keeper: Keeper;
  readonly #log: Log;
  /** Component of the first subscription. */
  #first: string | undefined;
  /** Mock apps that got their first subscription in this run. */
  readonly #fresh: MockApp[] = [];
  readonly #listeners = new Set<(appId: string) => void>();

  private constructor(keeper: Keeper, log: Log, first: string | undefined) {
    this.#keeper = keeper;
    this.#log = log;
    this.#first = first;
  }

  static async open(
    apps: readonly OpenApp[],
    keeper: Keeper,
    components: ComponentSource,
    { ownResources, log }: { readonly ownResources: boolean; readonly log: Log },
  ): Promise<KeptMockApps> {
    const first = ownResources ? await firstPubSub(components) : 'pubsub';
    const kept = new KeptMockApps(keeper, log, first);
    for (const app of apps) await kept.keep(app);
    return kept;
  }

  /** Restores and saves one app; also for those that are added later. */
  async keep({ appId, mock }: OpenApp): Promise<void> {
    if (mock === undefined) return;
    const key = `mock-app:${appId}`;
    const kept = await this.#keeper.journal.kept(key);
    if (isKept(kept)) {
      restoreSubscriptions(mock, kept.subscriptions, this.#log);
      restoreRules(mock, kept.rules, this.#log);
    } else {
      mock.setSubscriptions(firstSubscriptions(this.#first));
      this.#fresh.push(mock);
    }
    mock.onSet(() => {
      void this.#keeper.keep(key, keptPart(mock.state()));
      for (const set of this.#listeners) set(appId);
    });
  }

  /** Calls `set` whenever rules or subscriptions of one of these apps were set. */
  onSet(set: (appId: string) => void): void {
    this.#listeners.add(set);
  }

  /**
   * Gives new mock apps their first subscription on a component that is ready, if the chosen one is not: so a
   * first message reaches somebody. Call it after the start of the runtime.
   */
  async useReady(runtime: Pick<Runtime, 'topology' | 'rediscovery' | 'log'>): Promise<void> {
    const first = this.#first;
    if (first === undefined) return;
    for (const mock of this.#fresh.splice(0)) {
      const { appId } = mock;
      const ready = readyPubSub(runtime, appId, first);
      const isUnchanged =
        JSON.stringify(mock.state().subscriptions) === JSON.stringify(firstSubscriptions(first));
      if (ready === undefined || ready === first || !isUnchanged) continue;
      mock.setSubscriptions(firstSubscriptions(ready));
      this.#first = ready;
      const text = `The mock app that answers for ${theApp(appId)} subscribes to orders on ${ready}, because ${first} is not ready.`;
      runtime.log.write('info', 'mock-app', text);
      await runtime.rediscovery.ask(appId);
    }
  }
}

/**
 * Name of a pub/sub component that is ready and that this app may use; undefined: there is none.
 * @param wished name of the component that is chosen if it is ready; else the first one is
 */
export function readyPubSub(
  { topology }: Pick<Runtime, 'topology'>,
  appId: string,
  wished?: string,
): string | undefined {
  const ready = topology
    .components()
    .filter(
      (row) => row.kind === 'pubsub' && row.state === 'ready' && row.lost === undefined && mayUse(row, appId),
    );
  return (ready.find(({ name }) => name === wished) ?? ready[0])?.name;
}

const APPS_KEY = 'apps';

/** Apps that were added at run time, except those whose id is now on the command line. */
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

/** Saves the added apps for the next start. */
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
