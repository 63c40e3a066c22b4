/** Creates components by type. A new component type adds one line here. */
import type { Profile } from '../contract/profile.ts';
import type { Binding } from '../ports/binding.ts';
import type { Clock } from '../ports/clock.ts';
import type { Built, ComponentSpec } from '../ports/component-source.ts';
import type { Log } from '../ports/log.ts';
import type { PubSub } from '../ports/pubsub.ts';
import { createCronBinding, readSchedule } from './bindings/cron.ts';
import { checkAddress, createHttpBinding, saysTrue } from './bindings/http.ts';
import { readJetStreamSettings } from './jetstream/settings.ts';
import { loadedAtStart } from './lazy-pubsub.ts';
import { MemoryBroker } from './memory-pubsub/broker.ts';
import { createMemoryPubSub } from './memory-pubsub/pubsub.ts';
import { readRedisSettings } from './redis-streams/settings.ts';
import { envSecrets } from './secret-stores/env.ts';
import { openOnFirstUse } from './secret-stores/lazy.ts';
import { placesOf, readLocalFileSecrets } from './secret-stores/local-file.ts';
import { complaintsOf } from './setting-values.ts';
import type { ReadSetting } from './setting-values.ts';

export interface RegistryPorts {
  readonly clock: Clock;
  readonly log: Log;
  readonly profile: Profile;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folders in which files named by a component are searched, in this order. */
  readonly folders: readonly string[];
  /** Creates the profile's event-router component; absent: this build has none. */
  readonly eventRouter?: (making: {
    readonly name: string;
    readonly metadata: Readonly<Record<string, string>>;
  }) => Binding;
}

export interface Registry {
  /** Types in alphabetical order. */
  readonly types: readonly string[];
  /** Creates a component without starting it; undefined: unknown type. Wrong settings are reported at its start. */
  build(spec: Pick<ComponentSpec, 'name' | 'type' | 'metadata'>): Built | undefined;
  /** Complaints about settings, before anything is created; [] also if the type reports them only at its start. */
  check(type: string, setting: ReadSetting): readonly { readonly name: string; readonly message: string }[];
  /** Files that a component of this type reads, from its settings; several are places of the same one. */
  filesOf(type: string, settings: Readonly<Record<string, string>>): readonly string[];
}

interface Making {
  readonly name: string;
  /** The setting in any letter case; "" = absent. */
  readonly setting: (name: string) => string;
  readonly ports: RegistryPorts;
  readonly brokers: Map<string, MemoryBroker>;
}

/** Features of a pub/sub component with a server, before the server was asked. */
const SERVER_FEATURES: PubSub['features'] = {
  bulkPublish: false,
  bulkSubscribe: false,
  ttl: false,
  wildcards: false,
  keepsHistory: true,
  redelivers: true,
};

const FACTORIES: Readonly<Record<string, (making: Making) => Built>> = {
  'bindings.cron': ({ setting, ports }) => ({
    kind: 'binding',
    binding: createCronBinding({ schedule: setting('schedule'), clock: ports.clock, log: ports.log }),
  }),
  'bindings.http': ({ setting }) => ({
    kind: 'binding',
    binding: createHttpBinding({
      url: setting('url'),
      errorIfNot2XX: saysTrue(setting('errorIfNot2XX') || undefined, true),
    }),
  }),
  'pubsub.in-memory': ({ name, setting, ports, brokers }) => ({
    kind: 'pubsub',
    pubsub: createMemoryPubSub({
      broker: brokerOf(brokers, name, ports),
      failPublish: setting('failPublish'),
      headers: ports.profile.differences.memoryHeaders,
    }),
  }),
  'pubsub.jetstream': ({ setting, ports: { clock, log } }) => ({
    kind: 'pubsub',
    pubsub: loadedAtStart(SERVER_FEATURES, async () => {
      const { createJetStreamPubSub } = await import('./jetstream/pubsub.ts');
      return createJetStreamPubSub({ setting, clock, log });
    }),
  }),
  'pubsub.redis': ({ setting, ports: { clock, log, profile } }) => ({
    kind: 'pubsub',
    pubsub: loadedAtStart(SERVER_FEATURES, async () => {
      const verifiesTls = profile.differences.redisVerifiesTls;
      const { createRedisPubSub } = await import('./redis-streams/pubsub.ts');
      return createRedisPubSub({ setting, clock, log, verifiesTls });
    }),
  }),
  'secretstores.local.env': ({ setting, ports }) => ({
    kind: 'secretstore',
    secrets: envSecrets({ env: ports.env, prefix: setting('prefix'), profile: ports.profile }),
  }),
  'secretstores.local.file': ({ setting, ports }) => ({
    kind: 'secretstore',
    secrets: openOnFirstUse(async () =>
      readLocalFileSecrets({
        secretsFile: setting('secretsFile'),
        folders: ports.folders,
        ...(setting('nestedSeparator') === '' ? {} : { nestedSeparator: setting('nestedSeparator') }),
        multiValued: setting('multiValued').toLowerCase() === 'true',
      }),
    ),
  }),
};

/** Readers of each type's settings. */
const SETTINGS: Readonly<Record<string, (setting: ReadSetting) => unknown>> = {
  'bindings.cron': (setting) => readSchedule(setting('schedule')),
  'bindings.http': (setting) => checkAddress(setting('url')),
  'pubsub.jetstream': readJetStreamSettings,
  'pubsub.redis': readRedisSettings,
};

/** In-memory components of one name share one broker for as long as the registry lives, also after a reload. */
export function createRegistry(ports: RegistryPorts): Registry {
  const brokers = new Map<string, MemoryBroker>();
  const { eventRouter, profile } = ports;
  const routerTypes = eventRouter === undefined ? [] : [profile.binding.type];
  return {
    check: (type, setting) => {
      const read = Object.hasOwn(SETTINGS, type) ? SETTINGS[type] : undefined;
      return read === undefined ? [] : complaintsOf(read, setting);
    },
    filesOf: (type, settings) =>
      type.toLowerCase() === 'secretstores.local.file'
        ? placesOf(settingOf(settings, 'secretsFile'), ports.folders)
        : [],
    types: [...Object.keys(FACTORIES), ...routerTypes].toSorted(),
    build: ({ name, type, metadata }) => {
      const lower = type.toLowerCase();
      if (eventRouter !== undefined && lower === profile.binding.type)
        return { kind: 'binding', binding: eventRouter({ name, metadata }) };
      const make = Object.hasOwn(FACTORIES, lower) ? FACTORIES[lower] : undefined;
      return make?.({ name, setting: (wanted) => settingOf(metadata, wanted), ports, brokers });
    },
  };
}

/** A setting in any letter case; "" = absent. */
export function settingOf(metadata: Readonly<Record<string, string>>, name: string): string {
  const lower = name.toLowerCase();
  return Object.entries(metadata).find(([key]) => key.toLowerCase() === lower)?.[1] ?? '';
}

function brokerOf(brokers: Map<string, MemoryBroker>, name: string, ports: RegistryPorts): MemoryBroker {
  const known = brokers.get(name);
  if (known !== undefined) return known;
  const made = new MemoryBroker(ports);
  brokers.set(name, made);
  return made;
}
