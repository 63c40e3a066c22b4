/** The component that is there without any folder: an in-memory pub/sub named `pubsub`. */
import { DEFAULT_INIT_TIMEOUT_MS } from '../../domain/component.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ComponentSource, ComponentSpec } from '../../ports/component-source.ts';
import type { KeptSecrets } from '../../ports/kept-secrets.ts';
import { AddedComponents } from './added-components.ts';
import { filesInSteps } from './component-reader.ts';
import { inTurns } from './in-steps.ts';
import type { Found } from './component-reader.ts';
import { resolveComponents } from './resolve.ts';
import type { ResolveFacts } from './resolve.ts';
import type { ComponentTypes } from './source.ts';
import { UuidMemory } from './uuid-memory.ts';

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

/**
 * There is no file to read, check or write, and asking for one is refused with NOT_FOUND.
 * @param kept where what is added outlives the run; absent: it does not
 */
export function builtinComponents(
  types: ComponentTypes,
  facts: Omit<ResolveFacts, 'uuids' | 'build'> & { readonly uuid: () => string },
  kept?: KeptSecrets,
): ComponentSource {
  const added = new AddedComponents(kept);
  const uuids = new UuidMemory(facts.uuid);
  const read = (files: ReadonlyMap<string, string>): Promise<Found> =>
    inTurns(
      filesInSteps(
        [...files].map(([file, text]) => ({ file, text })),
        { ...facts, knownTypes: types.types },
      ),
    );
  return {
    load: async () => {
      uuids.begin();
      const resolving = { ...facts, uuids, build: (spec: ComponentSpec) => types.build(spec) };
      const found = await read(await added.load());
      const more = await resolveComponents(found.components, resolving);
      return { components: [PUBSUB, ...more], subscriptions: [], resiliency: [], problems: [] };
    },
    add: async (file, text) => {
      const found = await read(new Map([[file, text]]));
      const problems = [...found.problems, ...found.components.flatMap((one) => one.problems)];
      if (!problems.some(({ severity }) => severity === 'error')) await added.put(file, text);
      return problems;
    },
    remove: async (file) => {
      if (!(await added.load()).has(file))
        throw new Refusal('NOT_FOUND', { reason: `${file} was not created in this run.` });
      await added.put(file, undefined);
    },
    notKept: () => added.notKept,
    build: (spec) => types.build(spec),
    knownTypes: () => types.types,
    watch: () => () => undefined,
    validate: async () => noFolder(),
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
