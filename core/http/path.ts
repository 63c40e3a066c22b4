/** Rules for the sidecar's URLs: cleaning, and the component and topic in a path (behaviour 1.1). */
import type { FastifyRequest } from 'fastify';
import { Refusal } from '../domain/refusal.ts';
import { unescaped, withReadableEscapes } from './escapes.ts';

/** The refusal of a path with broken escapes: answered 400. */
export function badPath(cause?: unknown): Refusal {
  return new Refusal('ERR_MALFORMED_REQUEST', {}, { variant: 'path', cause });
}

/** Stable path of bulk publish: a component, which may be empty, and a topic follow. */
const STABLE_BULK = /^\/v1\.0\/(?=publish\/bulk\/[^/?]*\/[^/?])/;

/** Beginnings of the two paths of bulk publish. */
const STABLE_START = '/v1.0/publish/bulk/';
const OLDER_BULK = '/v1.0-alpha1/publish/bulk/';

/** Words of a route, before the names: as the reference, the sidecar knows them only as they are written, without escapes. */
const ROUTE_WORDS = /^\/(?:v1\.0\/healthz\/|v1\.0-alpha1\/publish\/|[^/?]*\/)?[^/?]*/;
/** Beginning of an escape; a `%` that begins none is a mistake, which the router finds. */
const ESCAPE = /%(?=[0-9a-f]{2})/gi;

/**
 * Rewrites the two paths of bulk publish to the older one, which has the route. A path with an escape in the words of
 * a route becomes one that no route has.
 * @param isOther whether the stable path means a single publish to a component named `bulk`
 */
export function servedTarget(target: string, isOther: () => boolean): string {
  const cleaned = cleanTarget(target, () => !isOther());
  const words = ROUTE_WORDS.exec(cleaned)?.[0] ?? '';
  if (words.includes('%')) return words.replaceAll(ESCAPE, '%25') + cleaned.slice(words.length);
  return STABLE_BULK.test(cleaned) && !isOther() ? cleaned.replace(STABLE_BULK, '/v1.0-alpha1/') : cleaned;
}

/**
 * The target as its sender knows it: `servedTarget` without the move to the older path of bulk publish.
 * @param served what `servedTarget` made of it
 * @param sent as it came
 */
function knownTarget(served: string, sent: string): string {
  const isMoved = served.startsWith(OLDER_BULK) && cleanTarget(sent, () => true).startsWith(STABLE_START);
  return isMoved ? STABLE_START + served.slice(OLDER_BULK.length) : served;
}

/** Number of segments of a route before the name of the component. */
export const FIXED_SEGMENTS = { publish: 2, bulk: 3, binding: 2 } as const;

/** Paths that are followed by the name of a component. */
const NAMES_NEXT: ReadonlySet<string> = new Set(['v1.0/publish', 'v1.0-alpha1/publish/bulk']);
/** A further such path, unless it is a single publish to a component named `bulk`. */
const STABLE_NAME_NEXT = 'v1.0/publish/bulk';

/** A name of only escaped blanks and slashes, which counts as none. */
const NOTHING = /^[\s/]*$/;

export interface TopicPath {
  /** Name of the component; "" if the path has none. */
  readonly pubsubname: string;
  /** Topic, which may contain slashes; "" if the path has none. */
  readonly topic: string;
}

/**
 * The request target in the form that is routed: `//` collapsed, `.` and `..` resolved, a trailing `/` removed; the query stays. `//`
 * before a component name stays, because it means that the name is missing. An absolute target loses its origin. The text is cleaned with
 * its escapes, so an escaped slash or dot stays.
 * @param hasStableBulk whether the stable path means bulk publish; called only if the target may be one
 */
export function cleanTarget(target: string, hasStableBulk: () => boolean = () => false): string {
  const question = target.indexOf('?');
  const path = question === -1 ? target : target.slice(0, question);
  const query = question === -1 ? '' : target.slice(question);
  if (isClean(path)) return withReadableEscapes(path) + query;
  const absolute = /^[a-z][a-z0-9+.-]*:\/\/[^/]*/i.exec(path);
  const local = absolute === null ? path : path.slice(absolute[0].length);
  const kept: string[] = [];
  for (const segment of local.split('/')) {
    if (segment === '.' || (segment === '' && !namesNext(kept, hasStableBulk))) continue;
    // An empty name that was kept is no segment that `..` can remove alone.
    if (segment === '..' && kept.at(-1) === '') kept.pop();
    if (segment === '..') kept.pop();
    else kept.push(segment);
  }
  return withReadableEscapes(`/${kept.join('/')}`) + query;
}

/**
 * Component and topic of a cleaned target whose first `fixed` segments are the route.
 * Both are unescaped after splitting: `%2F` is a slash, `+` a space. Throws Refusal ERR_MALFORMED_REQUEST.
 */
export function topicPath(target: string, fixed: number): TopicPath {
  const segments = pathOf(target).split('/');
  const pubsubname = unescapeSegment(segments[fixed + 1] ?? '');
  return {
    pubsubname: NOTHING.test(pubsubname) ? '' : pubsubname,
    topic: unescapeSegment(segments.slice(fixed + 2).join('/')),
  };
}

/** The one segment after the first `fixed` ones, unescaped. Throws Refusal ERR_MALFORMED_REQUEST. */
export function lastSegment(target: string, fixed: number): string {
  return unescapeSegment(pathOf(target).split('/')[fixed + 1] ?? '');
}

/** The path of a request for the log and banners, as its sender knows it. */
export function pathOfRequest({ raw, originalUrl }: Pick<FastifyRequest, 'raw' | 'originalUrl'>): string {
  return pathOf(knownTarget(raw.url ?? '/', originalUrl));
}

/** The target without its query. */
export function pathOf(target: string): string {
  const question = target.indexOf('?');
  return question === -1 ? target : target.slice(0, question);
}

function isClean(path: string): boolean {
  if (path === '/') return true;
  return path.startsWith('/') && !path.endsWith('/') && !path.includes('//') && !path.includes('/.');
}

/** Whether a component name comes next. */
function namesNext(segments: readonly string[], hasStableBulk: () => boolean): boolean {
  if (segments.length > 3) return false;
  const path = segments.join('/');
  return NAMES_NEXT.has(path) || (path === STABLE_NAME_NEXT && hasStableBulk());
}

function unescapeSegment(text: string): string {
  const plain = unescaped(text);
  if (plain === undefined) throw badPath();
  return plain;
}
