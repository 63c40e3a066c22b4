/** Puts event-router components, their way to a router, and the desk of the console together. */
import { createEventRouterBinding } from '../../adapters/event-router/binding.ts';
import type { EventRouterBinding } from '../../adapters/event-router/binding.ts';
import type { LogEntry } from '../../contract/console.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ComponentSource } from '../../ports/component-source.ts';
import type { EventRouterDesk } from '../../ports/event-router-desk.ts';
import type { IdSource } from '../../ports/ids.ts';
import type { Journal } from '../../ports/journal.ts';
import type { LocalRouter } from '../../ports/local-router.ts';
import type { Log } from '../../ports/log.ts';
import type { RegistryPorts } from '../../adapters/registry.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import type { EventRouterSettings } from '../../domain/event-router/settings.ts';
import { HostAccess, namespaceOf } from './access.ts';
import type { RouterListener } from '../written-listeners.ts';
import { createEventRouterDesk } from './desk.ts';

export interface EventRouterParts {
  readonly profile: Profile;
  readonly settings: () => EventRouterSettings;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly version: string;
  /** @param named listeners that a component addresses by their port */
  readonly makeRouter: (
    settings: EventRouterSettings,
    log: Log,
    named: ReadonlySet<RouterListener>,
  ) => Promise<LocalRouter>;
}

export interface EventRouterHost {
  /** For the registry of component types. */
  readonly make: NonNullable<RegistryPorts['eventRouter']>;
  readonly namespace: string;
  /** From now on its lines stand in the runtime's log, and changes reach the console. */
  attach(runtime: Runtime, source: ComponentSource): EventRouterDesk;
  /** Why the embedded router refuses events at present for want of room; undefined: it does not, or does not run. */
  readonly refuses: string | undefined;
  close(): Promise<void>;
}

const PART = 'event-router';
/** Changes of a moment are told together. */
const QUIET_MS = 100;

/** Nothing is opened before a component or a person needs it. */
export function openEventRouter(parts: EventRouterParts): EventRouterHost {
  const { profile, settings, clock } = parts;
  const bindings = new Map<string, EventRouterBinding>();
  let runtime: Runtime | undefined;
  const log: Log = {
    write: (level, part, text, fields) =>
      runtime === undefined
        ? parts.log.write(level, part, text, fields)
        : runtime.log(level, part, text, fields),
  };
  let isTelling = false;
  const changed = (): void => {
    if (isTelling || runtime === undefined) return;
    isTelling = true;
    clock.at(clock.now() + QUIET_MS, () => {
      isTelling = false;
      runtime?.touch();
    });
  };
  const access = new HostAccess({
    profile,
    settings,
    journal: parts.journal,
    log,
    makeRouter: (given, named) => parts.makeRouter(given, log, named),
    changed,
  });
  const namespace = namespaceOf(settings(), profile);
  return {
    namespace,
    make: ({ name, metadata }) => {
      const binding: EventRouterBinding = createEventRouterBinding({
        component: name,
        metadata,
        profile,
        namespace,
        access,
        clock,
        log,
        version: parts.version,
        strict: () => settings().health.strictBindings,
        changed,
        closed: () => {
          if (bindings.get(name) === binding) bindings.delete(name);
        },
      });
      bindings.set(name, binding);
      return binding;
    },
    attach: (live, source) => {
      runtime = live;
      return createEventRouterDesk({
        profile,
        settings,
        access,
        bindings,
        components: () => live.components(),
        log: (level: LogEntry['level'], text) => log.write(level, PART, text),
        source,
        reload: () => live.reload(),
        ids: parts.ids,
        now: () => clock.now(),
      });
    },
    get refuses() {
      return access.router?.refuses;
    },
    close: () => access.close(),
  };
}
