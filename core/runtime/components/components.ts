/** The loaded components: built from their source, started, shown, replaced when a file changes. */
import type { ComponentRow, Problem } from '../../contract/subscription.ts';
import { mayUse } from '../../contract/component-scopes.ts';
import type { OnlyForOthers } from '../../contract/component-scopes.ts';
import { firstOf } from '../../contract/list-text.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { readScopes } from '../../domain/access.ts';
import type { TopicScopes } from '../../domain/access.ts';
import { durationText } from '../../domain/duration.ts';
import type { Binding } from '../../ports/binding.ts';
import type { HintedComponent } from '../../domain/reference-subscriptions.ts';
import { SecretValues } from '../../domain/secret-values.ts';
import { SettingMistake } from '../../ports/component-source.ts';
import type { Built, ComponentSource, ComponentSpec, Resources } from '../../ports/component-source.ts';
import type { LostConnection, PubSub } from '../../ports/pubsub.ts';
import { rowOf } from './component-row.ts';
import type { Loaded } from './component-row.ts';
import { describeProblem, levelOf, withPath } from './declared.ts';
import type { SharedServices } from '../common-services.ts';
import { StartAgain } from './start-again.ts';
import { sameSpec, takesChange, takesScopes } from './same-spec.ts';
import { withTopicPrefix } from './topic-prefix.ts';

export interface ReadyPubSub {
  readonly name: string;
  readonly pubsub: PubSub;
  readonly scopes: TopicScopes;
}

export interface Reloaded {
  /** Names whose instance was removed or replaced: subscriptions on them must be opened again. */
  readonly replaced: ReadonlySet<string>;
  readonly resources: Resources;
}

export class Components {
  readonly #shared: SharedServices;
  readonly #source: ComponentSource;
  readonly #secrets: SecretValues;
  #loaded: Loaded[] = [];
  /** Instances by name: one, or one for each app. */
  #byName = new Map<string, readonly Loaded[]>();
  readonly #again: StartAgain<Loaded>;
  readonly #readyLevel: 'info' | 'debug';
  problems: readonly Problem[] = [];

  /**
   * @param secrets values that no reason may contain
   * @param hasApps false: no app can publish through the components, so their readiness is not worth an info line
   */
  constructor(shared: SharedServices, source: ComponentSource, secrets = new SecretValues(), hasApps = true) {
    this.#readyLevel = hasApps ? 'info' : 'debug';
    this.#secrets = secrets;
    this.#shared = shared;
    this.#source = source;
    this.#again = new StartAgain(shared, (one) => shared.signals.emit('startDue', one));
  }

  get folder(): string | undefined {
    return this.#source.folder;
  }

  get pathOf(): ComponentSource['pathOf'] {
    return this.#source.pathOf;
  }

  /**
   * Loads the source; unchanged components stay as they are, the others are closed or started.
   * @param leave called before the first one is closed: users of these names have to unsubscribe
   */
  async load(
    leave: (names: ReadonlySet<string>) => Promise<void> = async () => undefined,
  ): Promise<Reloaded> {
    const resources = await this.#source.load();
    const replaced = new Set<string>();
    const next: Loaded[] = [];
    const kept = new Set<Loaded>();
    for (const spec of resources.components) {
      // An instance that one of the new specs has is not for another one: it would be closed with the first that goes.
      const left = this.#loaded.filter((old) => !kept.has(old));
      const ready = left.filter((old) => old.state === 'ready');
      const stays =
        ready.find((old) => sameSpec(old.spec, spec)) ??
        ready.find((old) => takesScopes(old, spec)) ??
        left.find((old) => takesChange(old, spec));
      if (stays !== undefined) {
        kept.add(stays);
        // Its place in the file may differ, which sentences and screens name.
        next.push({ ...stays, spec });
        continue;
      }
      replaced.add(spec.name);
      next.push({
        spec,
        built: undefined,
        state: 'initialising',
        reason: undefined,
        scopes: readScopes(spec.metadata),
        failedStarts: 0,
        nextStartMs: undefined,
      });
    }
    const gone = this.#loaded.filter((old) => !kept.has(old));
    for (const old of gone) replaced.add(old.spec.name);
    if (replaced.size > 0) await leave(replaced);
    await Promise.all(gone.map((old) => this.#close(old)));
    this.#loaded = next;
    this.#byName = byName(next);
    this.problems = resources.problems;
    const fresh = next.filter((one) => one.state === 'initialising');
    // A problem that makes a component fail is logged with the failure, so it is left out here.
    const told = fresh.flatMap(({ spec }) =>
      spec.problems.filter(({ message }) => spec.failed?.includes(message) !== true),
    );
    for (const problem of told) {
      this.#shared.log.write(levelOf(problem), 'components', describeProblem(withPath(problem, this.pathOf)));
    }
    await Promise.all(fresh.map((one) => this.#start(one)));
    return { replaced, resources };
  }

  /**
   * Starts a failed component again, unless it was replaced meanwhile.
   * @returns true: it is ready now
   */
  async startAgain(one: Loaded): Promise<boolean> {
    if (!this.#loaded.includes(one) || one.state !== 'failed') return false;
    // The component of the last attempt may still be connecting.
    await this.#close(one);
    await this.#start(one);
    return one.nextStartMs === undefined && one.failedStarts === 0;
  }

  /** The pub/sub component that this app may use; undefined: no such name, not ready, or not in its scope. */
  pubsub(appId: string, name: string): ReadyPubSub | undefined {
    const one = this.#usable(appId, name);
    return one?.built?.kind === 'pubsub' ? { name, pubsub: one.built.pubsub, scopes: one.scopes } : undefined;
  }

  /** Why a pub/sub component that this app may use is not ready; undefined: there is no unready one of that name. */
  notReady(appId: string, name: string): string | undefined {
    const one = this.#byName.get(name)?.find((each) => each.state !== 'ready' && mayUse(each.spec, appId));
    if (one === undefined || !mayBePubSub(one.spec.type)) return undefined;
    return shortReason(one.spec) ?? one.reason ?? 'it is being initialised';
  }

  /** What leaves an app out of the pub/sub components of a name; undefined: the app may use one of them, or there is none. */
  onlyForOthers(appId: string, name: string): readonly OnlyForOthers[] | undefined {
    const named = this.#byName.get(name) ?? [];
    const [first] = named;
    if (first === undefined || !mayBePubSub(first.spec.type)) return undefined;
    if (named.some(({ spec }) => mayUse(spec, appId))) return undefined;
    const byPlace = new Map<string, OnlyForOthers>();
    for (const { spec } of named) {
      const { file, line, scopesLine, document, limitedBy } = spec;
      // A component with an instance for each app is one component.
      const place = JSON.stringify([file, document, line]);
      const scopes = [...new Set([...(byPlace.get(place)?.scopes ?? []), ...spec.scopes])];
      byPlace.set(place, { scopes, ...withoutUndefined({ limitedBy, file, line, scopesLine }) });
    }
    return [...byPlace.values()];
  }

  binding(appId: string, name: string): Binding | undefined {
    const one = this.#usable(appId, name);
    return one?.built?.kind === 'binding' ? one.built.binding : undefined;
  }

  #usable(appId: string, name: string): Loaded | undefined {
    return this.#byName.get(name)?.find((one) => one.state === 'ready' && mayUse(one.spec, appId));
  }

  /** The component of that name in this app's scope, ready or not, with its settings except secrets. */
  settingsOf(appId: string, name: string): HintedComponent | undefined {
    const spec = this.#byName.get(name)?.find((one) => mayUse(one.spec, appId))?.spec;
    if (spec === undefined) return undefined;
    const shown = Object.entries(spec.shown).filter(([key, value]) => spec.metadata[key] === value);
    return { name, type: spec.type, settings: Object.fromEntries(shown) };
  }

  /** Bindings that this app may use, with their settings. */
  bindings(appId: string): readonly { readonly spec: ComponentSpec; readonly binding: Binding }[] {
    return this.#loaded.flatMap((one) =>
      one.state === 'ready' && one.built?.kind === 'binding' && mayUse(one.spec, appId)
        ? [{ spec: one.spec, binding: one.built.binding }]
        : [],
    );
  }

  pubsubs(appId: string): readonly ReadyPubSub[] {
    return [...this.#byName.keys()].flatMap((name) => this.pubsub(appId, name) ?? []);
  }

  /** Why an app has no pub/sub component that it could subscribe to, as a clause. */
  whyNoPubSub(appId: string): string {
    const away = this.#loaded.filter(({ spec }) => mayBePubSub(spec.type) && mayUse(spec, appId));
    const names = [...new Set(away.map(({ spec }) => spec.name))];
    if (names.length === 0) return 'no pub/sub component is loaded for it';
    const [subject, is] = names.length === 1 ? ['component', 'is'] : ['components', 'are'];
    const instead = away.some(({ built }) => built?.kind === 'pubsub') ? ` (${WITHOUT_SERVER})` : '';
    return `its pub/sub ${subject} ${firstOf(names, MAX_NAMED)} ${is} not ready${instead}`;
  }

  /** Whether the name is that of a binding: at least one component has it, and all are bindings. */
  isBinding(name: string): boolean {
    const named = this.#byName.get(name) ?? [];
    return named.length > 0 && named.every(({ built }) => built?.kind === 'binding');
  }

  /** Components that are not initialised and not marked as ignorable: both health routes then answer 500. */
  unhealthy(): readonly { readonly name: string; readonly reason: string }[] {
    return this.#loaded.flatMap((one) => {
      if (one.spec.ignoreErrors) return [];
      const trouble = one.built?.kind === 'binding' ? one.built.binding.trouble?.() : undefined;
      if (one.state === 'ready' && trouble === undefined) return [];
      const reason = one.state === 'ready' ? trouble : (shortReason(one.spec) ?? one.reason);
      return [{ name: one.spec.name, reason: reason ?? 'it is being initialised' }];
    });
  }

  /** Initialised components whose connection to their server is lost, with the reason. */
  lost(): readonly { readonly name: string; readonly reason: string }[] {
    return this.#loaded.flatMap((one) => {
      const lost = this.#lostOf(one);
      return lost === undefined ? [] : [{ name: one.spec.name, reason: lost.reason }];
    });
  }

  get total(): number {
    return this.#loaded.length;
  }

  rows(subscriptionsOf: (name: string) => number): readonly ComponentRow[] {
    return this.#loaded.map((one) => rowOf(one, subscriptionsOf(one.spec.name), this.#lostOf(one)));
  }

  async close(): Promise<void> {
    await Promise.all(this.#loaded.map((one) => this.#close(one)));
    this.#loaded = [];
    this.#byName.clear();
  }

  async #start(one: Loaded): Promise<void> {
    try {
      if (one.spec.failed !== undefined) throw new Error(one.spec.failed);
      one.built = prefixed(this.#source.build(one.spec), one.spec.topicPrefix);
      if (one.built === undefined) {
        throw new Error(
          `unknown type ${one.spec.type}/${one.spec.version}; known types: ${this.#source.knownTypes().join(', ')}`,
        );
      }
      await this.#within(one.spec.initTimeoutMs, one.spec.name, this.#starting(one.built));
      if (one.built.kind === 'pubsub')
        one.built.pubsub.onConnection?.(() => this.#shared.signals.emit('connection', one));
      one.state = 'ready';
      one.reason = undefined;
      one.failedStarts = 0;
      one.nextStartMs = undefined;
      const { name, type, insteadOf } = one.spec;
      const how = insteadOf === undefined ? type : `served from memory instead of ${insteadOf}`;
      this.#shared.log.write(this.#readyLevel, 'components', `Component ${name} (${how}) is ready.`);
    } catch (error) {
      this.#failed(one, error);
    }
  }

  /** Notes a failed start, logs it once per reason, and plans the next attempt if that may succeed. */
  #failed(one: Loaded, error: unknown): void {
    const reason = this.#secrets.mask(errorText(error));
    const isNews = reason !== one.reason;
    one.state = 'failed';
    one.reason = reason;
    one.failedStarts += 1;
    const isHopeless = one.built === undefined || error instanceof SettingMistake;
    one.nextStartMs = isHopeless ? undefined : this.#again.arm(one, one.failedStarts);
    if (!isNews) return;
    const why = isHopeless
      ? (this.#mistakesOf(one.spec) ?? reason)
      : `${reason.replace(/\.?$/, '.')} Sidelight tries again.${withoutBroker(one)}`;
    this.#shared.log.write(
      'error',
      'components',
      `Component ${one.spec.name}${one.spec.type === '' ? '' : ` (${one.spec.type})`} could not be initialised: ${why}`,
    );
  }

  /** The mistakes of the component's file, each behind its path, line and column; undefined: it failed for another reason. */
  #mistakesOf({ failed, problems }: ComponentSpec): string | undefined {
    const errors = problems.filter(({ severity }) => severity === 'error');
    if (failed === undefined || this.pathOf === undefined || errors.length === 0) return undefined;
    const said = errors.map(({ document: _document, ...problem }) =>
      describeProblem(withPath(problem, this.pathOf)),
    );
    return this.#secrets.mask(said.join('; '));
  }

  async #starting(built: Built): Promise<void> {
    if (built.kind === 'pubsub') await built.pubsub.start();
    if (built.kind === 'binding') await built.binding.start();
  }

  #lostOf({ state, built }: Loaded): LostConnection | undefined {
    if (state !== 'ready' || built?.kind !== 'pubsub') return undefined;
    const lost = built.pubsub.lost?.();
    return lost === undefined ? undefined : { ...lost, reason: this.#secrets.mask(lost.reason) };
  }

  #within(timeoutMs: number, name: string, work: Promise<void>): Promise<void> {
    const { clock } = this.#shared;
    return new Promise((resolve, reject) => {
      const cancel = clock.at(clock.now() + timeoutMs, () =>
        reject(new Error(`init timeout for component ${name} exceeded after ${durationText(timeoutMs)}`)),
      );
      work.then(resolve, reject).finally(cancel);
    });
  }

  async #close(one: Loaded): Promise<void> {
    this.#again.cancel(one);
    try {
      if (one.built?.kind === 'pubsub') await one.built.pubsub.close();
      if (one.built?.kind === 'binding') await one.built.binding.close();
    } catch (error) {
      const reason = errorText(error);
      this.#shared.log.write(
        'warn',
        'components',
        `Component ${one.spec.name} did not close cleanly: ${reason}`,
      );
    }
  }
}

/** Components that a sentence names. */
const MAX_NAMED = 3;

function byName(loaded: readonly Loaded[]): Map<string, readonly Loaded[]> {
  const names = new Map<string, readonly Loaded[]>();
  for (const one of loaded) names.set(one.spec.name, [...(names.get(one.spec.name) ?? []), one]);
  return names;
}

function prefixed(built: Built | undefined, prefix: string | undefined): Built | undefined {
  if (prefix === undefined || built?.kind !== 'pubsub') return built;
  return { kind: 'pubsub', pubsub: withTopicPrefix(built.pubsub, prefix) };
}

/** Why a component failed, with only the first of its errors, for places that show just its state. */
function shortReason({ failed, problems }: ComponentSpec): string | undefined {
  const [first, ...more] = problems.filter(({ severity }) => severity === 'error');
  if (failed === undefined || first === undefined || more.length === 0) return undefined;
  return `${more.length + 1} problems, the first: ${first.message}`;
}

/** Hint that a pub/sub component can be replaced by a local one without a server. */
const WITHOUT_SERVER = 'to try without its server: --local-pubsub';

function withoutBroker({ built }: Loaded): string {
  return built?.kind === 'pubsub' ? ' To try without its server: --local-pubsub.' : '';
}

/** Whether the component may be a pub/sub component, also if its file could not be read. */
function mayBePubSub(type: string): boolean {
  return type === '' || type.toLowerCase().startsWith('pubsub.');
}
