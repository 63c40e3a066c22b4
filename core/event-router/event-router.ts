/**
 * Entry of the room: makes event-router components, connects them to a router, and serves the console's
 * methods.
 */
import { createEventRouterBinding } from './binding/binding.ts';
import type { EventRouterBinding } from './binding/binding.ts';
import type { LogEntry } from '../contract/console.ts';
import type { ComponentRow } from '../contract/subscription.ts';
import type { Profile } from '../contract/profile.ts';
import type { Clock } from '../ports/clock.ts';
import type { Binding } from '../ports/binding.ts';
import type { ComponentSource, FieldCheck } from '../ports/component-source.ts';
import type { EventRouterMethods } from '../ports/event-router.ts';
import type { IdSource } from '../ports/ids.ts';
import type { Journal } from '../ports/journal.ts';
import type { LocalRouter, RouterListener, SimulateDelivery } from '../ports/local-router.ts';
import type { Log } from '../ports/log.ts';
import type { EventRouterSettings } from '../contract/event-router/settings.ts';
import { routerFieldCheck } from './binding/field-check.ts';
import { RouterConnection, namespaceOf } from './connection/router-connection.ts';
import { eventRouterMethods } from './console/service.ts';

export interface EventRouterDependencies {
  readonly profile: Profile;
  readonly settings: () => EventRouterSettings;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly log: Log;
  readonly version: string;
  /**
   * Makes the embedded router.
   * @param named listeners whose port appears in a component's addresses
   */
  readonly makeRouter: (
    settings: EventRouterSettings,
    log: Log,
    named: ReadonlySet<RouterListener>,
  ) => Promise<LocalRouter>;
  readonly simulate: SimulateDelivery;
}

/** The part of the running sidecar that the event router uses. */
export interface SidecarView {
  /** Every component that is loaded. */
  components(): readonly ComponentRow[];
  log: Log['write'];
  /** Reports that something changed that the console shows. */
  touch(): void;
  reload(): Promise<void>;
}

export interface EventRouter {
  /** Makes a component, for the registry of component types. */
  readonly make: (component: {
    readonly name: string;
    readonly metadata: Readonly<Record<string, string>>;
  }) => Binding;
  /** Check for the readers of component files. */
  readonly fieldCheck: FieldCheck;
  /** Attaches the running sidecar: lines now go to the runtime's log, and changes reach the console. */
  attach(sidecar: SidecarView, source: ComponentSource): EventRouterMethods;
  /**
   * Why the embedded router refuses events at present because its backlog is full; undefined: it accepts
   * them, or does not run.
   */
  readonly refuses: string | undefined;
  close(): Promise<void>;
}

const PART = 'event-router';
/** Time within which changes are reported together. */
const QUIET_MS = 100;

/** Makes the event router. Nothing is opened before a component or a person needs it. */
export function openEventRouter(deps: EventRouterDependencies): EventRouter {
  const { profile, settings, clock } = deps;
  const bindings = new Map<string, EventRouterBinding>();
  let sidecar: SidecarView | undefined;
  const log = logThrough(deps.log, () => sidecar);
  const changed = gatherChanges(clock, () => sidecar);
  const access = new RouterConnection({
    profile,
    settings,
    journal: deps.journal,
    log,
    makeRouter: (given, named) => deps.makeRouter(given, log, named),
    changed,
  });
  const namespace = namespaceOf(settings(), profile);
  return {
    fieldCheck: routerFieldCheck(profile, namespace),
    make: ({ name, metadata }) => {
      const binding: EventRouterBinding = createEventRouterBinding({
        component: name,
        metadata,
        profile,
        namespace,
        access,
        clock,
        log,
        version: deps.version,
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
      sidecar = live;
      return eventRouterMethods({
        profile,
        settings,
        access,
        bindings,
        components: () => live.components(),
        log: (level: LogEntry['level'], text) => log.write(level, PART, text),
        source,
        reload: () => live.reload(),
        ids: deps.ids,
        now: () => clock.now(),
        simulate: deps.simulate,
      });
    },
    get refuses() {
      return access.router?.refuses;
    },
    close: () => access.close(),
  };
}

/** Writes to the log of the sidecar, and to `own` as long as there is none. */
function logThrough(own: Log, sidecar: () => SidecarView | undefined): Log {
  return {
    write: (level, part, text, fields) => {
      const live = sidecar();
      if (live === undefined) own.write(level, part, text, fields);
      else live.log(level, part, text, fields);
    },
  };
}

/**
 * Reports changes to the sidecar: those within `QUIET_MS` together. Changes before it is attached are not
 * reported.
 */
function gatherChanges(clock: Clock, sidecar: () => SidecarView | undefined): () => void {
  let isTelling = false;
  return () => {
    if (isTelling || sidecar() === undefined) return;
    isTelling = true;
    clock.at(clock.now() + QUIET_MS, () => {
      isTelling = false;
      sidecar()?.touch();
    });
  };
}
