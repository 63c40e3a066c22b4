/** Parses a path of the management API into the resource and the request for it. */
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { Scope } from '../../router-protocol/scope.ts';
import { parseScope } from '../../router-protocol/scope.ts';
import type { WirePath } from './wire-path.ts';

export type ManagementTarget =
  | { readonly kind: 'subscription'; readonly scope: Scope; readonly name: string; readonly action?: string }
  | { readonly kind: 'subscriptions'; readonly scope: Scope }
  /** Event subscriptions at or below a scope, of one region or one type of topics. */
  | {
      readonly kind: 'selected';
      readonly scope: Scope;
      readonly location?: string;
      readonly topicType?: string;
    }
  /** Types of events that a resource sends. */
  | { readonly kind: 'eventTypes' }
  /** The provider's operations, or its types of topics. */
  | { readonly kind: 'operations' }
  | { readonly kind: 'topicTypes'; readonly name?: string; readonly events?: true }
  /** A kind of resource that the service has and this router does not. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'topic';
      readonly subscriptionId: string;
      readonly group: string;
      readonly name: string;
      readonly action?: string;
    }
  | { readonly kind: 'topics'; readonly subscriptionId: string; readonly group?: string }
  | { readonly kind: 'operation'; readonly subscriptionId: string; readonly id: string }
  | { readonly kind: 'provider'; readonly subscriptionId: string; readonly action?: string }
  | { readonly kind: 'role'; readonly scope: Scope; readonly id: string };

/** Parses a path. Undefined: no resource has such a path. `namespace` is that of the router. */
export function readManagementPath(path: WirePath, namespace: string): ManagementTarget | undefined {
  const { segments } = path;
  const at = (index: number): string => segments[index]?.toLowerCase() ?? '';
  const space = namespace.toLowerCase();
  const providers = segments.findLastIndex((segment) => segment.toLowerCase() === 'providers');
  if (providers < 0) return undefined;
  const tail = segments.slice(providers + 2);
  const head = `/${segments.slice(0, providers).join('/')}`;
  if (at(providers + 2) === 'roleassignments' && tail.length === 2) {
    const scope = scopeOf(head, namespace);
    return scope === undefined ? undefined : { kind: 'role', scope, id: tail[1] ?? '' };
  }
  if (at(providers + 1) !== space) return undefined;
  if (providers === 0) return offerTarget(tail);
  if (at(providers + 2) === 'eventsubscriptions') return subscriptionTarget(head, namespace, tail);
  if (at(providers + 2) === 'eventtypes' && tail.length === 1) return { kind: 'eventTypes' };
  const ofTopic = topicSubscriptionTarget(head, namespace, tail);
  if (ofTopic !== undefined) return ofTopic;
  const selected = selectedTarget(head, namespace, tail);
  if (selected !== undefined) return selected;
  if (tail.length === 1 && NONE_HERE.has(at(providers + 2))) return { kind: 'none' };
  return at(0) === 'subscriptions' ? ownTarget(segments, providers) : undefined;
}

const NONE_HERE: ReadonlySet<string> = new Set(['domains', 'systemtopics', 'partnertopics', 'namespaces']);

/** Targets directly below the provider, without a subscription. */
function offerTarget([first = '', name, events, ...more]: readonly string[]): ManagementTarget | undefined {
  if (more.length > 0) return undefined;
  switch (first.toLowerCase()) {
    case 'operations':
      return name === undefined ? { kind: 'operations' } : undefined;
    case 'topictypes':
      if (name === undefined) return { kind: 'topicTypes' };
      if (events === undefined) return { kind: 'topicTypes', name };
      return events.toLowerCase() === 'eventtypes' ? { kind: 'topicTypes', name, events: true } : undefined;
    default:
      return undefined;
  }
}

/** Targets below `topics/{topic}/eventSubscriptions…`, which are the records of the topic's own scope. */
function topicSubscriptionTarget(
  head: string,
  namespace: string,
  [type = '', topic = '', member = '', ...rest]: readonly string[],
): ManagementTarget | undefined {
  if (type.toLowerCase() !== 'topics' || member.toLowerCase() !== 'eventsubscriptions') return undefined;
  return subscriptionTarget(`${head}/providers/${namespace}/topics/${topic}`, namespace, [member, ...rest]);
}

/**
 * Targets of `[locations/{location}/][topicTypes/{type}/]eventSubscriptions` below a subscription or a
 * resource group.
 */
function selectedTarget(
  head: string,
  namespace: string,
  tail: readonly string[],
): ManagementTarget | undefined {
  const rest = [...tail];
  const taken = (word: string): string | undefined =>
    rest.length > 1 && rest[0]?.toLowerCase() === word ? rest.splice(0, 2)[1] : undefined;
  const location = taken('locations');
  const topicType = taken('topictypes');
  const scope = scopeOf(head, namespace);
  if (scope === undefined || rest.length !== 1 || rest[0]?.toLowerCase() !== 'eventsubscriptions')
    return undefined;
  return {
    kind: 'selected',
    scope,
    ...withoutUndefined({ location, topicType }),
  };
}

function subscriptionTarget(
  head: string,
  namespace: string,
  tail: readonly string[],
): ManagementTarget | undefined {
  const scope = scopeOf(head, namespace);
  const [, name, action] = tail;
  if (scope === undefined || tail.length > 3) return undefined;
  if (name === undefined) return { kind: 'subscriptions', scope };
  return { kind: 'subscription', scope, name, ...withoutUndefined({ action }) };
}

/** Targets for topics, operations and the provider itself, below a subscription or a resource group. */
function ownTarget(segments: readonly string[], providers: number): ManagementTarget | undefined {
  const [, subscriptionId = '', groups, group] = segments;
  const [first = '', second, third, fourth, ...more] = segments.slice(providers + 2);
  const type = first.toLowerCase();
  if (more.length > 0) return undefined;
  if (providers === 2) {
    if (type === 'topics' && second === undefined) return { kind: 'topics', subscriptionId };
    if (type === 'locations' && third?.toLowerCase() === 'operationsstatus' && fourth !== undefined) {
      return { kind: 'operation', subscriptionId, id: fourth };
    }
    if (second !== undefined) return undefined;
    return { kind: 'provider', subscriptionId, ...(type === '' ? {} : { action: type }) };
  }
  if (providers !== 4 || groups?.toLowerCase() !== 'resourcegroups' || group === undefined) return undefined;
  if (type !== 'topics' || fourth !== undefined) return undefined;
  if (second === undefined) return { kind: 'topics', subscriptionId, group };
  return {
    kind: 'topic',
    subscriptionId,
    group,
    name: second,
    ...withoutUndefined({ action: third }),
  };
}

function scopeOf(text: string, namespace: string): Scope | undefined {
  const parsed = parseScope(text, namespace);
  return parsed.ok ? parsed.value : undefined;
}
