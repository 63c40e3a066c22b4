/** Scopes of event subscriptions: the four shapes, their identity, and the paths built from them. */
import type { EvrCode, ScopeKind } from '../contract/event-router/wire.ts';
import { no, ok } from '../domain/result.ts';
import type { Result } from '../domain/result.ts';

/** A parsed scope. Members are kept as written; `key` is equal for two spellings of one scope. */
export interface Scope {
  readonly kind: ScopeKind;
  /** Text as written, without a trailing slash. */
  readonly text: string;
  /** Identity of the scope, in lower case. */
  readonly key: string;
  readonly subscriptionId: string;
  readonly resourceGroup?: string;
  /** Namespace, type and name of a resource, also of a topic. */
  readonly resource?: { readonly namespace: string; readonly type: string; readonly name: string };
  /** True if a slash at the end was written that the form does not have. */
  readonly trailingSlash: boolean;
}

export interface ScopeComplaint {
  readonly code: Extract<EvrCode, 'EVR-CFG-51' | 'EVR-CFG-52'>;
  readonly reason: string;
}

const ID = /^[A-Za-z0-9-]{1,64}$/;
const GROUP = /^[A-Za-z0-9\-_.()]{0,89}[A-Za-z0-9\-_()]$/;
const NAMESPACE = /^[A-Za-z0-9]+(\.[A-Za-z0-9]+)+$/;
const TYPE = /^[A-Za-z0-9]{1,80}$/;
const NAME = /^[^/?#%\\{}\u0000-\u001f\u007f]{1,260}$/;
const TOPIC = /^[A-Za-z0-9-]{3,50}$/;
const SHAPES =
  'does not match any scope shape: /subscriptions/{id}/, …/resourceGroups/{group}, …/providers/{namespace}/{type}/{name}, …/providers/{router namespace}/topics/{topic}';

/**
 * Reads a scope. Keywords match in any letter case; exactly one leading slash is required.
 * @param namespace of the router, "Cloud.EventRouter" by default
 */
export function parseScope(text: string, namespace: string): Result<Scope, ScopeComplaint> {
  if (/\{[^/]*\}/.test(text)) {
    return no({ code: 'EVR-CFG-52', reason: `contains an unreplaced placeholder {…}: ${text}` });
  }
  if (!text.startsWith('/')) return no({ code: 'EVR-CFG-51', reason: SHAPES });
  const trailingSlash = text.endsWith('/');
  const whole = trailingSlash ? text.slice(0, -1) : text;
  const parts = whole.slice(1).split('/');
  const base = { text: whole, key: whole.toLowerCase() };
  const found = shapeOf(parts, namespace);
  if (found === undefined) return no({ code: 'EVR-CFG-51', reason: SHAPES });
  return ok({ ...base, ...found, trailingSlash: trailingSlash && found.kind !== 'subscription' });
}

/** Name of the topic of a scope of kind "topic". */
export function topicOf(scope: Scope): string | undefined {
  return scope.kind === 'topic' ? scope.resource?.name : undefined;
}

/**
 * Path of an event subscription on the management API, with one slash between segments and the name
 * percent-encoded. `name` empty: the path of the list.
 */
export function subscriptionPath(scope: Scope, namespace: string, name = ''): string {
  const tail = name === '' ? '' : `/${encodeURIComponent(name)}`;
  return `/${scope.text}/providers/${namespace}/eventSubscriptions${tail}`.replaceAll(/\/{2,}/g, '/');
}

/** Resource id of a topic in a subscription and resource group. */
export function topicResourceId(
  ids: { readonly subscriptionId: string; readonly resourceGroup: string; readonly topic: string },
  namespace: string,
): string {
  return `/subscriptions/${ids.subscriptionId}/resourceGroups/${ids.resourceGroup}/providers/${namespace}/topics/${ids.topic}`;
}

/** Id of an event subscription's record. Two spellings of one scope and name have equal ids in lower case. */
export function recordId(scope: Scope, namespace: string, name: string): string {
  return `${scope.text}/providers/${namespace}/eventSubscriptions/${name}`;
}

/** Whether `inner` is `outer` or lies inside it. Both are scope keys (lower case). */
export function scopeContains(outer: string, inner: string): boolean {
  return outer === '/' || inner === outer || inner.startsWith(`${outer}/`);
}

/** Whether events of the topic with this resource id belong to the scope. */
export function scopeTakesTopic(scope: Scope, resourceId: string): boolean {
  return scopeContains(scope.key, resourceId.toLowerCase());
}

type Shape = Pick<Scope, 'kind' | 'subscriptionId' | 'resourceGroup' | 'resource'>;

function shapeOf(parts: readonly string[], namespace: string): Shape | undefined {
  const [subscriptions, subscriptionId, groups, resourceGroup, providers, space, type, name] = parts;
  if (!same(subscriptions, 'subscriptions') || !matches(subscriptionId, ID)) return undefined;
  if (parts.length === 2) return { kind: 'subscription', subscriptionId };
  if (!same(groups, 'resourcegroups') || !matches(resourceGroup, GROUP)) return undefined;
  if (parts.length === 4) return { kind: 'resourceGroup', subscriptionId, resourceGroup };
  if (parts.length !== 8 || !same(providers, 'providers')) return undefined;
  if (!matches(space, NAMESPACE) || !matches(type, TYPE) || !matches(name, NAME)) return undefined;
  const resource = { namespace: space, type, name };
  if (same(space, namespace.toLowerCase()) && same(type, 'topics')) {
    return matches(name, TOPIC) ? { kind: 'topic', subscriptionId, resourceGroup, resource } : undefined;
  }
  if (name === '.' || name === '..') return undefined;
  return { kind: 'resource', subscriptionId, resourceGroup, resource };
}

function same(part: string | undefined, lower: string): boolean {
  return part?.toLowerCase() === lower;
}

function matches(part: string | undefined, pattern: RegExp): part is string {
  return part !== undefined && pattern.test(part);
}
