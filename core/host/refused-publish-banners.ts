/**
 * Shows publishes that a sidecar refused: one banner for each kind, with app, path, answer, number and what to do. It ends when a publish of
 * the app to the same topic is accepted; one of a call for a block that Sidelight does not serve stays, and one of a request that is too
 * large stays for some minutes, because smaller ones show nothing of it.
 */
import { mayUse, onlyForText } from '../contract/component-scopes.ts';
import type { OnlyForOthers } from '../contract/component-scopes.ts';
import { callerFirst, theApp } from '../contract/app-text.ts';
import { shortened } from '../contract/cut-place.ts';
import { clause } from '../contract/error-text.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import type { MessageRow, Origin } from '../contract/message.ts';
import type { ErrorCode } from '../contract/errors.ts';
import type { SystemDescription } from '../contract/reports.ts';
import type { ComponentRow } from '../contract/subscription.ts';
import { BEYOND_LIMIT } from '../domain/refusal.ts';
import type { RefusalFacts } from '../domain/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { EventSource, NotedEvent } from '../runtime/api.ts';
import type { RefusedPublish } from './refused-publishes.ts';

type Banner = SystemDescription['banners'][number];

/** Maximum number of banners. The one that is not refused for the longest time makes room. */
const MAX_KINDS = 20;
const MAX_PATH = 200;
const MAX_REASON = 400;
/** Time without a refusal after which an accepted publish ends a banner: one that comes between refused ones must not hide it. */
const QUIET_MS = 3_000;
/** Time without a refusal after which the next one is news again, for a person who dismissed the banner too. */
const NEWS_MS = 10 * 60_000;

/** What to do about each code; a code that is not here has it in its own text. */
const TO_DO: Partial<Readonly<Record<ErrorCode, string>>> = {
  ERR_PUBSUB_EMPTY: 'The path is /v1.0/publish/COMPONENT/TOPIC',
  ERR_TOPIC_EMPTY: 'The path is /v1.0/publish/COMPONENT/TOPIC',
  ERR_DIRECT_INVOKE: 'The path of a publish is /v1.0/publish/COMPONENT/TOPIC',
  ERR_PUBSUB_FORBIDDEN:
    'The component forbids this topic to the app: see allowedTopics, protectedTopics and publishingScopes in its file, on the Components screen',
  ERR_PUBSUB_REQUEST_METADATA: 'Correct the metadata in the address of the publish',
  ERR_PUBSUB_CLOUD_EVENTS_SER:
    'Send a JSON object, or another Content-Type than application/cloudevents+json',
  ERR_PUBSUB_EVENTS_SER: 'Send an array of entries, each with entryId, event and contentType',
  ERR_MALFORMED_REQUEST: 'Correct the request in the program that sends it',
};
const BY_ANSWER: Readonly<Record<string, string>> = {
  401: 'Send the token that Sidelight was started with',
  UNAUTHENTICATED: 'Send the token that Sidelight was started with',
};

/** A refused publish with what is known of the refusal. */
export type KnownRefusal = RefusedPublish & {
  readonly refusal?: RefusalFacts;
};

const TOO_LARGE = 'Send less in one message, or raise "http.maxBodyBytes" in the settings';

interface Kind {
  readonly id: string;
  readonly appId: string;
  latest: KnownRefusal;
  times: number;
  /** Whether its refusals had different reasons, of which the banner gives the last one. */
  isMixed: boolean;
  lastAt: number;
  /** Place to which the app has published since, too soon to say that the mistake is over. */
  accepted: string | undefined;
}

export interface RefusedBannerDependencies {
  readonly clock: Pick<Clock, 'now'>;
  /** The runtime's log, whose lines are events, so that every screen updates. */
  readonly log: Log;
  readonly events: Pick<EventSource, 'onEvent'>;
  /** Reasons that another banner gives now: no mistake of the publisher, and gone when that banner is. */
  readonly said: () => readonly (string | undefined)[];
  /** Names of the components to which the app can publish now. */
  readonly components: (appId: string) => readonly string[];
  /** What leaves an app out of the pub/sub component of that name; undefined: nothing. */
  readonly onlyForOthers: (appId: string, name: string) => readonly OnlyForOthers[] | undefined;
}

/** Names of the components to which the app can publish now. */
export function publishableFor(
  appId: string,
  rows: readonly Pick<ComponentRow, 'name' | 'kind' | 'state' | 'lost' | 'scopes'>[],
): readonly string[] {
  return rows
    .filter((row) => row.kind === 'pubsub' && row.state === 'ready' && row.lost === undefined)
    .filter((row) => mayUse(row, appId))
    .map(({ name }) => name);
}

export class RefusedPublishBanners {
  readonly #deps: RefusedBannerDependencies;
  readonly #kinds = new Map<string, Kind>();
  /** Ends listening to accepted messages; undefined: there is no banner, so nothing to listen for. */
  #stopListening: (() => void) | undefined;
  #began = 0;

  constructor(deps: RefusedBannerDependencies) {
    this.#deps = deps;
  }

  /** Notes a refused publish. It is logged elsewhere, and so is one whose client has gone: nobody has to correct that. */
  report(appId: string, refused: KnownRefusal): void {
    if (refused.isCutOff === true || isSaid(refused, this.#deps.said())) return;
    const now = this.#deps.clock.now();
    const key = kindOf(appId, refused);
    const known = this.#kinds.get(key);
    const isNews = known === undefined || now - known.lastAt > NEWS_MS;
    const kind: Kind = isNews
      ? {
          id: `refused-publish-${++this.#began}`,
          appId,
          latest: refused,
          times: 0,
          isMixed: false,
          lastAt: now,
          accepted: undefined,
        }
      : known;
    // Only what the banner shows is kept: names of callers may have megabytes.
    const latest = cut(refused);
    kind.isMixed ||= kind.times > 0 && kind.latest.reason !== latest.reason;
    kind.latest = latest;
    kind.times += 1;
    kind.lastAt = now;
    kind.accepted = undefined;
    // The kind that was refused last stands last.
    this.#kinds.delete(key);
    this.#kinds.set(key, kind);
    const [oldest] = this.#kinds.keys();
    if (this.#kinds.size > MAX_KINDS && oldest !== undefined) this.#kinds.delete(oldest);
    this.#stopListening ??= this.#deps.events.onEvent((event) => this.#onEvent(event));
  }

  /** The present banners, the latest first. */
  banners(): readonly Banner[] {
    this.#endQuiet();
    const said = this.#deps.said();
    return [...this.#kinds.values()]
      .toReversed()
      .filter(({ latest }) => !isSaid(latest, said))
      .map((kind): Banner => ({ id: kind.id, level: levelOf(kind.latest), text: this.#text(kind) }));
  }

  /** What to do about a refused publish, which the log says too; undefined: its reason says it. */
  remedy(appId: string, refused: KnownRefusal): string | undefined {
    const todo = refused.isCutOff === true ? undefined : this.#toDo(appId, refused);
    return todo === undefined ? undefined : `${todo}.`;
  }

  close(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    this.#kinds.clear();
  }

  #onEvent(noted: NotedEvent): void {
    if (noted.type !== 'message.added') return;
    const event = noted.read();
    if (event.type !== 'message.added' || event.row.stage === 'refused') return;
    const { appId, pubsubname, topic, at, source } = event.row;
    // A row comes again with each change of its message, and copies and acts of a person are no publishes of the app.
    if (!OF_THE_APP.has(source)) return;
    const acceptedMs = Date.parse(at);
    for (const [key, kind] of this.#kinds) {
      if (kind.appId !== appId || acceptedMs < kind.lastAt) continue;
      if (!isPlace(kind.latest, event.row)) continue;
      kind.accepted = `${pubsubname}/${topic}`;
      if (acceptedMs - kind.lastAt >= quietMs(kind.latest)) this.#end(key, kind);
    }
    this.#rest();
  }

  /** Ends the kinds that were not refused again for a while after a publish was accepted. */
  #endQuiet(): void {
    const now = this.#deps.clock.now();
    for (const [key, kind] of this.#kinds)
      if (kind.accepted !== undefined && now - kind.lastAt >= quietMs(kind.latest)) this.#end(key, kind);
    this.#rest();
  }

  #end(key: string, { appId, accepted, latest }: Kind): void {
    this.#kinds.delete(key);
    const text = `A publish of ${theApp(appId)} to ${accepted} was accepted, so this refusal is no longer a banner: ${mistakeOf(latest)}.`;
    this.#deps.log.write('info', 'sidecar', text);
  }

  /** Listens no longer than there is a banner. */
  #rest(): void {
    if (this.#kinds.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  #text({ appId, latest, times, isMixed }: Kind): string {
    const { reason } = latest;
    const often = times === 1 ? '' : `, ${times.toLocaleString('en')} times`;
    const said = `${callerFirst(appId)}: ${callOf(latest)} was refused (${answerOf(latest)}${often})${isMixed ? '. The last one' : ''}: ${clause(reason)}.`;
    const more = isCut(reason) ? ' The log has more of this reason.' : '';
    const todo = this.#toDo(appId, latest);
    return `${said}${more}${todo === undefined ? '' : ` ${todo}.`}`;
  }

  #toDo(appId: string, { path, status, refusal, isTooLarge }: KnownRefusal): string | undefined {
    if (isTooLarge === true) return TOO_LARGE;
    if (refusal === undefined) return BY_ANSWER[status];
    if (refusal.code !== 'ERR_PUBSUB_NOT_FOUND') return TO_DO[refusal.code];
    const names = this.#deps.components(appId);
    const name = refusal.params['pubsubname'] ?? '';
    const others = this.#deps.onlyForOthers(appId, name);
    // The one name of a path is that of a component, which the app could not use, or that of a topic.
    const isComponent = isNotReady(refusal) || others !== undefined || names.includes(name);
    const whole = wholePath(path, isComponent ? undefined : names[0]);
    if (whole !== undefined) return whole;
    if (isNotReady(refusal)) return 'The Components screen shows its state';
    const listed = shortened(names.join(', '), MAX_PATH);
    if (others !== undefined) {
      const other = names.length === 0 ? '' : `Name a component that the app may use (${listed}), or change`;
      return `It is ${onlyForText(others, appId)}. ${other || 'Change'} who may use this one`;
    }
    const there = names.length === 0 ? '' : `Name one that is loaded (${listed}), or add`;
    return `${there || 'None that works is loaded for the app: add'} its file to the resources folder`;
  }
}

/** Path of a publish that ends after one name: the component was forgotten, or the topic. */
const ONE_NAME = /^(?<publish>\/v1\.0(?:\/publish|-alpha1\/publish\/bulk))\/(?<name>[^/?]+)\/?(?:\?.*)?$/;

/**
 * What the path of a publish with one name has to be; undefined: this one has both names, or is none over HTTP.
 * @param component component for an example, in which the one name is that of the topic
 */
function wholePath(path: string, component: string | undefined): string | undefined {
  const { publish, name } = ONE_NAME.exec(path)?.groups ?? {};
  if (publish === undefined || name === undefined) return undefined;
  const example =
    component === undefined ? '' : `, such as ${publish}/${encodeURIComponent(component)}/${name}`;
  return `The path of a publish is ${publish}/COMPONENT/TOPIC${shortened(example, MAX_PATH)}`;
}

function callOf({ path, method = 'POST' }: KnownRefusal): string {
  return path.startsWith('/') ? `${method} ${path}` : path;
}

function answerOf({ status, refusal }: KnownRefusal): string {
  return refusal === undefined ? String(status) : `${status} ${refusal.code}`;
}

/** Origins of messages that an app published. */
const OF_THE_APP: ReadonlySet<Origin> = new Set(['http', 'bulk', 'grpc', 'grpc-bulk']);

/** Time without a refusal after which an accepted publish ends the banner. An app may mix small requests with ones that are too large. */
function quietMs({ isTooLarge }: KnownRefusal): number {
  return isTooLarge === true ? NEWS_MS : QUIET_MS;
}

/** The mistake in a few words: several may end with one publish. */
function mistakeOf(refused: KnownRefusal): string {
  return `${callOf(refused)} was refused (${answerOf(refused)})`;
}

/** Codes of publishes that failed though nothing was wrong with the request, unless it is beyond a limit itself. */
const FAILURES: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['ERR_PUBSUB_PUBLISH_MESSAGE', 'INTERNAL']);
/** Names of the gRPC codes that say so where the refusal has no code of its own. */
const FAILED_CALLS: ReadonlySet<string> = new Set([
  'INTERNAL',
  'UNAVAILABLE',
  'UNKNOWN',
  'RESOURCE_EXHAUSTED',
]);

/** The mistake of one caller is a warning, which must not hide that Sidelight or a component fails for everyone. */
function levelOf(refused: KnownRefusal): Banner['level'] {
  return isFailure(refused) ? 'error' : 'warn';
}

function isFailure({ status, refusal, isTooLarge }: KnownRefusal): boolean {
  if (isTooLarge === true) return false;
  if (refusal === undefined) return typeof status === 'number' ? status >= 500 : FAILED_CALLS.has(status);
  return isNotReady(refusal) || (FAILURES.has(refusal.code) && refusal.variant !== BEYOND_LIMIT);
}

function isNotReady({ variant }: RefusalFacts): boolean {
  return variant?.includes('not-ready') === true;
}

function isSaid({ reason }: RefusedPublish, said: readonly (string | undefined)[]): boolean {
  return said.some((one) => one !== undefined && reason.includes(one));
}

/** Refusals of one kind count together: a component that does not exist is one mistake on all its topics, and so is a wrong token. */
function kindOf(appId: string, { path, status, refusal, isTooLarge }: KnownRefusal): string {
  const name = refusal?.code === 'ERR_PUBSUB_NOT_FOUND' ? (refusal.params['pubsubname'] ?? '') : path;
  const place = status === 401 || status === 'UNAUTHENTICATED' ? '' : shortened(name, MAX_PATH);
  return JSON.stringify([appId, status, refusal?.code ?? '', place, isTooLarge === true]);
}

/** Whether `cut` has shortened a reason. */
function isCut(reason: string): boolean {
  return reason.length >= MAX_REASON && reason.endsWith('…');
}

function cut({ path, status, reason, method, refusal, isTooLarge }: KnownRefusal): KnownRefusal {
  const name = refusal?.params['pubsubname'];
  return {
    path: shortened(path, MAX_PATH),
    status,
    reason: shortened(reason, MAX_REASON),
    ...withoutUndefined({ method, isTooLarge }),
    ...(refusal === undefined
      ? {}
      : {
          refusal: {
            code: refusal.code,
            params: name === undefined ? {} : { pubsubname: shortened(name, MAX_PATH) },
            ...(refusal.variant === undefined ? {} : { variant: refusal.variant }),
          },
        }),
  };
}

/**
 * Whether an accepted publish shows that this mistake is gone. After a wrong name of a component, another component counts too; after a
 * path without a topic, any publish; after a request over gRPC that was too large to be read, any publish by the same method.
 */
function isPlace(
  { path, refusal, isTooLarge }: KnownRefusal,
  { pubsubname, topic, source }: Pick<MessageRow, 'pubsubname' | 'topic' | 'source'>,
): boolean {
  if (isTooLarge === true && !path.startsWith('/'))
    return source === (path.startsWith('Bulk') ? 'grpc-bulk' : 'grpc');
  if (refusal?.code === 'ERR_TOPIC_EMPTY') return true;
  const plain = decoded(path);
  const isAnyComponent =
    refusal?.code === 'ERR_PUBSUB_NOT_FOUND' ||
    refusal?.code === 'ERR_PUBSUB_EMPTY' ||
    refusal?.code === 'ERR_DIRECT_INVOKE';
  return isAnyComponent
    ? plain.endsWith(`/${topic}`)
    : plain.endsWith(`/${pubsubname}/${topic}`) || plain.endsWith(` ${pubsubname}/${topic}`);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A path with broken escapes names no topic that could be accepted.
    return path;
  }
}
