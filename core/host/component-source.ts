/**
 * Opens the source of this run's components: the folder of `--resources`, or the built-in in-memory pub/sub.
 */
import { resolve } from 'node:path';
import { builtinComponents } from '../adapters/component-files/builtin.ts';
import { joinSources } from '../adapters/component-files/joined-sources.ts';
import type { SourcePart } from '../adapters/component-files/joined-sources.ts';
import { createComponentFiles } from '../adapters/component-files/source.ts';
import { createRegistry } from '../adapters/registry.ts';
import type { Profile } from '../contract/profile.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import type { SecretValues } from '../domain/secret-values.ts';
import type { Clock } from '../ports/clock.ts';
import type { ComponentSource } from '../ports/component-source.ts';
import type { IdSource } from '../ports/ids.ts';
import type { KeptSecrets } from '../ports/kept-secrets.ts';
import type { Log } from '../ports/log.ts';
import type { EventRouter } from '../event-router/event-router.ts';
import type { ProductOptions, ResourceSet } from './options.ts';

export interface SourceDependencies {
  readonly options: ProductOptions;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly secrets: SecretValues;
  readonly appIds: readonly string[];
  /** Value for this folder only; absent: the one of the environment. */
  readonly namespace?: string;
  /** Encrypted secrets, which only the desktop has. */
  readonly kept: KeptSecrets | undefined;
  readonly eventRouter: Pick<EventRouter, 'make' | 'fieldCheck'>;
}

/** Opens the source; nothing is read before `load`. */
export function openComponents(deps: SourceDependencies): ComponentSource {
  const { options, appIds } = deps;
  const { resourceSets = [], resources } = options;
  if (resourceSets.length === 0) return openOne(deps, resources === undefined ? [] : [resolve(resources)]);
  const claimed = new Set(resourceSets.flatMap((set) => set.appIds));
  const parts = resourceSets.flatMap((set, i) => {
    // An app that is added at run time gets the components of the first app.
    const apps = (): readonly string[] =>
      appIds.filter((appId) => set.appIds.includes(appId) || (i === 0 && !claimed.has(appId)));
    return openSet(deps, set, apps);
  });
  return joinSources(parts);
}

/** Opens one part for each folder of the set, or the built-in component if it has none. */
function openSet(
  deps: SourceDependencies,
  set: ResourceSet,
  apps: () => readonly string[],
): readonly SourcePart[] {
  const namespace = set.namespace === undefined ? {} : { namespace: set.namespace };
  const folders = set.folders.length === 0 ? [undefined] : set.folders;
  return folders.map((folder) => ({
    source: openOne(
      { ...deps, ...namespace, appIds: set.appIds, kept: undefined },
      folder === undefined ? [] : [folder.path, ...set.lookedIn],
    ),
    label: folder?.label ?? '',
    apps,
  }));
}

/**
 * Opens one part.
 * @param folders the folder of the components, then further ones in which files named there are looked up; [] = the built-in component
 */
function openOne(
  { options, profile, clock, ids, log, secrets, appIds, kept, eventRouter, ...deps }: SourceDependencies,
  folders: readonly string[],
): ComponentSource {
  const { env } = options;
  const [folder] = folders;
  const namespace = deps.namespace ?? env['NAMESPACE'];
  const types = createRegistry({
    clock,
    log,
    profile,
    env,
    folders: folder === undefined ? [] : [...folders, process.cwd()],
    eventRouter: eventRouter.make,
  });
  const facts = {
    profile,
    localPubsub: options.localPubsub,
    appIds,
    secrets,
    env,
    fieldCheck: eventRouter.fieldCheck,
    uuid: () => ids.uuid(),
    ...withoutUndefined({ namespace, podName: env['POD_NAME'] }),
  };
  if (folder === undefined) return builtinComponents(types, facts, options.ephemeral ? undefined : kept);
  return createComponentFiles({ ...facts, folder, types, clock, log });
}
