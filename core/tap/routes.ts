/** Paths of the app that are routes of its subscriptions: from discovery, from the real sidecar's metadata, and from the last run. */
import type { Profile } from '../contract/profile.ts';
import type { Protocol } from '../contract/grpc.ts';
import type { Subscription } from '../contract/subscription.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { topicMatches } from '../contract/topic-pattern.ts';
import { isObject } from '../domain/json.ts';
import { tooLongName } from '../domain/name-length.ts';
import { pathsOf } from '../contract/route-paths.ts';
import { readDiscovery } from '../domain/subscription.ts';
import { cleanTarget, pathOf } from '../http/path.ts';

/** A route that an event took. */
export interface FoundRoute {
  readonly subscription: Subscription;
  readonly route: {
    readonly path: string;
    readonly rule?: { readonly match: string; readonly index: number };
  };
}

export interface RoutesDependencies {
  readonly appId: string;
  /** Profile of the real sidecar, as far as it is known. */
  readonly profile: () => Profile;
  /** Keeps the subscriptions for the next start. */
  readonly keep: (subscriptions: readonly Subscription[]) => void;
}

export class Routes {
  readonly #dependencies: RoutesDependencies;
  #all: readonly Subscription[];
  #byPath: ReadonlyMap<string, readonly Subscription[]> = new Map();
  /** The app was asked while this tap was open: its sidecar then lists what it serves. */
  #wasAsked = false;
  #unserved: readonly Subscription[] = [];

  /** @param kept what `keep` was given last; anything else is ignored */
  constructor(dependencies: RoutesDependencies, kept: unknown) {
    this.#dependencies = dependencies;
    this.#all = Array.isArray(kept) ? kept.filter(isSubscription) : [];
    this.#index();
  }

  get subscriptions(): readonly Subscription[] {
    return this.#all;
  }

  /** Subscriptions of the app that its sidecar does not list. */
  get unserved(): readonly Subscription[] {
    return this.#unserved;
  }

  /** Whether a POST to this target is a delivery. */
  has(target: string): boolean {
    return this.#at(target).length > 0;
  }

  /**
   * The subscription of an event that is sent to `target`; undefined: none has such a route.
   * @param named component and topic, as far as the event names them
   */
  find(
    target: string,
    named: { readonly pubsubname?: string; readonly topic?: string },
  ): FoundRoute | undefined {
    const here = this.#at(target);
    const { pubsubname, topic } = named;
    const fits = here.filter(
      (one) =>
        (pubsubname === undefined || one.pubsubname === pubsubname) &&
        (topic === undefined || topicMatches(one.topic, topic)),
    );
    const subscription = fits.find((one) => one.topic === topic) ?? fits[0] ?? here[0];
    return subscription === undefined
      ? undefined
      : { subscription, route: routeOf(subscription, clean(target)) };
  }

  /** Subscription of an event that names its component and topic; an unknown subscription is made up from the event. */
  subscribed(pubsubname: string, topic: string, path: string): FoundRoute {
    const { appId } = this.#dependencies;
    const known = this.#all.find((one) => one.pubsubname === pubsubname && one.topic === topic);
    if (known !== undefined) {
      const index = known.rules.findIndex((rule) => rule.path === path);
      const rule = known.rules[index];
      const isSure = rule !== undefined && known.defaultPath !== path;
      return {
        subscription: known,
        route: { path, ...(isSure ? { rule: { match: rule.match, index } } : {}) },
      };
    }
    const source = 'programmatic';
    const metadata = {};
    return {
      subscription: {
        appId,
        pubsubname,
        topic,
        source,
        rules: [],
        defaultPath: path,
        metadata,
        rawPayload: false,
      },
      route: { path },
    };
  }

  /**
   * Takes the app's list of subscriptions; others are gone, unless a file declares them.
   * @param value in the form of HTTP
   */
  discovered(value: unknown, protocol: Protocol): void {
    const { appId, profile } = this.#dependencies;
    this.#wasAsked = true;
    this.#unserved = [];
    const { subscriptions } = readDiscovery(value, { appId, profile: profile(), protocol });
    this.#set([...subscriptions, ...this.#all.filter(({ source }) => source === 'declarative')]);
  }

  /** Takes the subscriptions from the real sidecar's metadata. These lack batch limits, so those from discovery stay. */
  reported(metadata: unknown): void {
    const listed = isObject(metadata) ? metadata['subscriptions'] : undefined;
    // A sidecar that serves no subscriptions leaves the member out.
    const isNone = listed === undefined && isObject(metadata) && metadata['runtimeVersion'] !== undefined;
    if (isNone) this.#compare([]);
    if (!Array.isArray(listed)) return;
    const reported = listed.flatMap((one) => readReported(one, this.#dependencies.appId) ?? []);
    this.#compare(reported);
    const isThere = (one: Subscription): boolean => reported.some((other) => isSame(one, other));
    const known = this.#all.filter((one) => !isThere(one) && one.source === 'programmatic');
    this.#set([
      ...reported.map((one) => {
        const bulk = this.#all.find((other) => isSame(one, other))?.bulk;
        return bulk === undefined ? one : { ...one, bulk };
      }),
      ...known,
    ]);
  }

  #compare(reported: readonly Subscription[]): void {
    if (!this.#wasAsked) return;
    this.#unserved = this.#all.filter(
      (one) => one.source === 'programmatic' && !reported.some((other) => isSame(one, other)),
    );
  }

  #set(subscriptions: readonly Subscription[]): void {
    const byTopic = new Map(
      subscriptions.toReversed().map((one) => [`${one.pubsubname}\n${one.topic}`, one] as const),
    );
    const next = [...byTopic.values()].toReversed();
    if (JSON.stringify(next) === JSON.stringify(this.#all)) return;
    this.#all = next;
    this.#index();
    this.#dependencies.keep(next);
  }

  #at(target: string): readonly Subscription[] {
    return this.#byPath.get(target) ?? this.#byPath.get(clean(target)) ?? [];
  }

  #index(): void {
    const byPath = new Map<string, Subscription[]>();
    for (const one of this.#all)
      for (const path of new Set(pathsOf(one).map(clean)))
        byPath.set(path, [...(byPath.get(path) ?? []), one]);
    this.#byPath = byPath;
  }
}

/** The path of a target in one form, whether what is not ASCII is escaped in it or not. */
function clean(target: string): string {
  const path = pathOf(cleanTarget(target));
  return PLAIN.test(path) ? path : unescaped(path);
}

const PLAIN = /^[\w/.~-]*$/;

function unescaped(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    // A path with broken escapes stands for itself.
    return path;
  }
}

/** Route of a path; it names a rule only if no other rule can lead to this path. */
function routeOf({ rules, defaultPath }: Subscription, path: string): FoundRoute['route'] {
  const index = rules.findIndex((rule) => clean(rule.path) === path);
  const rule = rules[index];
  const others = rules.filter((one) => clean(one.path) === path).length;
  if (rule === undefined) return { path: defaultPath ?? path };
  const isDefault = defaultPath !== undefined && clean(defaultPath) === path;
  if (others > 1 || isDefault) return { path: rule.path };
  return { path: rule.path, rule: { match: rule.match, index } };
}

function isSame(one: Subscription, other: Subscription): boolean {
  return one.pubsubname === other.pubsubname && one.topic === other.topic;
}

function isSubscription(value: unknown): value is Subscription {
  return (
    isObject(value) &&
    typeof value['pubsubname'] === 'string' &&
    typeof value['topic'] === 'string' &&
    Array.isArray(value['rules'])
  );
}

function textIn(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A subscription as the metadata route of the reference lists it. */
function readReported(value: unknown, appId: string): Subscription | undefined {
  if (!isObject(value)) return undefined;
  const [pubsubname, topic] = [textIn(value['pubsubname']), textIn(value['topic'])];
  if (pubsubname === undefined || topic === undefined) return undefined;
  if (tooLongName('a topic', topic) !== undefined) return undefined;
  const listed = Array.isArray(value['rules']) ? (value['rules'] as readonly unknown[]) : [];
  const rules = listed.flatMap((rule) => {
    const path = isObject(rule) ? textIn(rule['path']) : undefined;
    return path === undefined || !isObject(rule) ? [] : [{ match: textIn(rule['match']) ?? '', path }];
  });
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const texts = Object.entries(metadata).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const defaultPath = rules.findLast(({ match }) => match === '')?.path;
  const deadLetterTopic = textIn(value['deadLetterTopic']);
  const type = textIn(value['type']);
  return {
    appId,
    pubsubname,
    topic,
    source: type === 'DECLARATIVE' ? 'declarative' : type === 'STREAMING' ? 'streaming' : 'programmatic',
    rules: rules.filter(({ match }) => match !== ''),
    ...withoutUndefined({ defaultPath }),
    metadata: Object.fromEntries(texts),
    rawPayload: texts.some(([name, text]) => name === 'rawPayload' && text === 'true'),
    ...withoutUndefined({ deadLetterTopic }),
  };
}
