/** Where this run's components come from: the folder of `--resources`, or the built-in in-memory pub/sub. */
import { createRegistry } from '../adapters/registry.ts';
import type { Profile } from '../contract/profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { ComponentSource } from '../ports/component-source.ts';
import type { Log } from '../ports/log.ts';
import type { ProductOptions } from './options.ts';

export interface SourceParts {
  readonly options: ProductOptions;
  readonly profile: Profile;
  readonly clock: Clock;
  readonly log: Log;
  readonly appId: string;
}

/** The source; nothing is read before `load`. */
export function openComponents(parts: SourceParts): ComponentSource {
  const registry = createRegistry({
    clock: parts.clock,
    log: parts.log,
    profile: parts.profile,
    env: parts.options.env,
    folders: [],
  });
  return {
    load: () =>
      Promise.resolve({
        components: [
          {
            name: 'pubsub',
            type: 'pubsub.in-memory',
            version: 'v1',
            ignoreErrors: false,
            initTimeoutMs: 5000,
            scopes: [],
            metadata: {},
            shown: {},
            problems: [],
          },
        ],
        subscriptions: [],
        resiliency: [],
        problems: [],
      }),
    build: (spec) => registry.build(spec),
    knownTypes: () => registry.types,
    watch: () => () => undefined,
    validate: () => [],
    read: () => Promise.reject(new Error('there is no folder')),
    save: () => Promise.reject(new Error('there is no folder')),
  };
}
