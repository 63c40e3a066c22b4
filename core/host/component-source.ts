/** Where this run's components come from: the folders of `--resources`, or the built-in in-memory pub/sub. */
import { resolve } from 'node:path';
import { builtinComponents } from '../adapters/component-files/builtin.ts';
import { createComponentFiles } from '../adapters/component-files/source.ts';
import { createRegistry } from '../adapters/registry.ts';
import type { Profile } from '../contract/profile.ts';
import type { SecretValues } from '../domain/secret-values.ts';
import type { Clock } from '../ports/clock.ts';
import type { ComponentSource } from '../ports/component-source.ts';
import type { IdSource } from '../ports/ids.ts';
import type { KeptSecrets } from '../ports/kept-secrets.ts';
import type { Log } from '../ports/log.ts';
import type { EventRouter } from '../event-router/event-router.ts';
import type { ProductOptions } from './options.ts';

export interface SourceDependencies {
  readonly options: ProductOptions;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly secrets: SecretValues;
  readonly appIds: readonly string[];
  /** Only of the desktop. */
  readonly kept: KeptSecrets | undefined;
  readonly eventRouter: Pick<EventRouter, 'make' | 'fieldCheck'>;
}

/** The source; nothing is read before `load`. */
export function openComponents({
  options,
  profile,
  clock,
  ids,
  log,
  secrets,
  appIds,
  kept,
  eventRouter,
}: SourceDependencies): ComponentSource {
  const { env } = options;
  const [folder, ...furtherFolders] = (options.resources ?? []).map((one) => resolve(one));
  const types = createRegistry({
    clock,
    log,
    profile,
    env,
    folders: folder === undefined ? [] : [folder, ...furtherFolders, process.cwd()],
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
    ...(env['NAMESPACE'] === undefined ? {} : { namespace: env['NAMESPACE'] }),
    ...(env['POD_NAME'] === undefined ? {} : { podName: env['POD_NAME'] }),
  };
  if (folder === undefined) return builtinComponents(types, facts, options.ephemeral ? undefined : kept);
  return createComponentFiles({ ...facts, folder, furtherFolders, types, clock, log });
}
