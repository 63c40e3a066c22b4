/** The component that is there without any folder: an in-memory pub/sub named `pubsub`. */
import { DEFAULT_INIT_TIMEOUT_MS } from '../../domain/component.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ComponentSource, ComponentSpec } from '../../ports/component-source.ts';
import type { ComponentTypes } from './source.ts';

const PUBSUB: ComponentSpec = {
  name: 'pubsub',
  type: 'pubsub.in-memory',
  version: 'v1',
  ignoreErrors: false,
  initTimeoutMs: DEFAULT_INIT_TIMEOUT_MS,
  scopes: [],
  metadata: {},
  shown: {},
  problems: [],
};

/** Never changes; there is no file to read, check or write, and asking for one is refused with NOT_FOUND. */
export function builtinComponents(types: ComponentTypes): ComponentSource {
  return {
    load: async () => ({ components: [PUBSUB], subscriptions: [], resiliency: [], problems: [] }),
    build: (spec) => types.build(spec),
    knownTypes: () => types.types,
    watch: () => () => undefined,
    validate: noFolder,
    read: async () => noFolder(),
    save: async () => noFolder(),
  };
}

function noFolder(): never {
  throw new Refusal('NOT_FOUND', {
    reason:
      'Only the built-in component pubsub is loaded. Start with --resources DIR to use a folder of files.',
  });
}
