/**
 * Registers what a component needs in the convenience modes: its client, its roles, its topics, its ingress
 * rule.
 */
import { parseScope, topicOf } from '../router-protocol/scope.ts';
import type { Scope } from '../router-protocol/scope.ts';
import type { RouterTenant } from '../ports/local-router.ts';
import type { RouterDependencies } from './dependencies.ts';
import { topicNameComplaint } from './topics/topics.ts';

type Input = NonNullable<RouterTenant['input']>;

/** Registers a component. Idempotent. Resolves with the changes in words. */
export async function registerComponent(
  deps: RouterDependencies,
  tenant: RouterTenant,
): Promise<readonly string[]> {
  const done: string[] = [];
  const { input } = tenant;
  if (input !== undefined) {
    register(deps, tenant.component, input, done);
    grant(deps, input, done);
    scopeTopic(deps, input.scope, done);
    await rule(deps, input, done);
  }
  outputTopic(deps, tenant, done);
  for (const text of done) deps.note(`${tenant.component}: ${text}`);
  return done;
}

function register(deps: RouterDependencies, component: string, input: Input, done: string[]): void {
  if (deps.options.settings.identity !== 'auto') return;
  const { tenantId, clientId, clientSecret } = input;
  const changed = deps.directory.register({ tenantId, clientId, clientSecret, displayName: component });
  if (changed) done.push(`client ${clientId} registered in tenant ${tenantId}`);
}

function grant(deps: RouterDependencies, input: Input, done: string[]): void {
  const { settings } = deps.options;
  if (settings.rbac !== 'auto') return;
  const { directory } = deps;
  const { clientId, scope } = input;
  const grants = [
    { clientId, role: 'event-subscription-contributor', scope },
    { clientId, role: 'webhook-subscriber', scope: clientId },
    { clientId: settings.routerApplicationId, role: 'webhook-subscriber', scope: clientId },
  ] as const;
  for (const one of grants) {
    if (directory.grant(one)) done.push(`role ${one.role} granted to ${one.clientId} on ${one.scope}`);
  }
}

/** Creates the topic of a scope if it does not exist, for events in the form that the binding posts. */
function scopeTopic(deps: RouterDependencies, text: string, done: string[]): void {
  const parsed = parseScope(text, deps.options.settings.namespace);
  const name = parsed.ok ? topicOf(parsed.value) : undefined;
  if (!parsed.ok) return;
  if (name === undefined) {
    assignRest(deps, parsed.value, done);
    return;
  }
  if (topicNameComplaint(name) !== undefined) return;
  const before = deps.topics.get(name);
  if (before?.resourceId.toLowerCase() === parsed.value.key) return;
  if (before !== undefined && !deps.topics.isUnassigned(before)) {
    deps.note(
      `the topic ${name} is at ${before.resourceId} already; its events do not reach the scope ${text}`,
    );
    return;
  }
  done.push(before === undefined ? `topic ${name} created` : `topic ${name} placed at ${text}`);
  deps.topics.put({ name, resourceId: parsed.value.text });
}

/** For a scope that is a subscription or resource group, assigns all topics to it that have no group. */
function assignRest(deps: RouterDependencies, scope: Scope, done: string[]): void {
  if (scope.kind === 'resource') return;
  const { subscriptionId, resourceGroup = 'local' } = scope;
  for (const name of deps.topics.assignRest({ subscriptionId, resourceGroup })) {
    done.push(`topic ${name} placed in ${scope.text}`);
  }
}

/** Gives the topic of `topicEndpoint` the component's key as its first key. */
function outputTopic(deps: RouterDependencies, tenant: RouterTenant, done: string[]): void {
  const { topicEndpoint, accessKey } = tenant;
  if (topicEndpoint === undefined || accessKey === undefined || !URL.canParse(topicEndpoint)) return;
  const url = new URL(topicEndpoint);
  const name = topicAt(deps, url);
  if (name === undefined || topicNameComplaint(name) !== undefined) return;
  const before = deps.topics.get(name);
  if (before?.key1 === accessKey || before?.key2 === accessKey) return;
  if (before === undefined) done.push(`topic ${name} created`);
  done.push(`key1 of topic ${name} set to the component's access key`);
  deps.topics.put({ name, key1: accessKey });
}

/**
 * Name of the topic to which an address of this router belongs; undefined: the address belongs to another
 * server.
 */
function topicAt(deps: RouterDependencies, url: URL): string | undefined {
  const byPort = Object.entries(deps.addresses.topicPorts).find(
    ([, base]) => new URL(base).port === url.port,
  );
  if (byPort !== undefined) return byPort[0];
  if (url.port !== new URL(deps.addresses.router).port) return undefined;
  return /^\/topics\/([^/]+)\/api\/events\/?$/.exec(url.pathname)?.[1];
}

function portOf(url: URL): string {
  return url.port === '' ? '443' : url.port;
}

async function rule(deps: RouterDependencies, input: Input, done: string[]): Promise<void> {
  const { settings } = deps.options;
  if (!settings.ingress.enabled) return;
  const publicUrl = new URL(input.subscriberEndpoint);
  if (publicUrl.pathname === '/') publicUrl.pathname = '/api/events';
  const before = deps.ingress.status().rules.length;
  const shown = await deps.ingress.ensureRule(publicUrl, new URL(`http://127.0.0.1:${input.handshakePort}`));
  if (shown.verdict !== 'ok') {
    deps.note(
      `the local authority may not sign for ${publicUrl.hostname}; make a new one (sidelight router cert --rotate-ca) and trust it`,
      'EVR-TLS-04',
    );
  }
  if (deps.ingress.status().rules.length === before) return;
  if (deps.ingress.url !== '' && portOf(publicUrl) !== portOf(new URL(deps.ingress.url))) {
    deps.note(
      `subscriberEndpoint names port ${portOf(publicUrl)}, but the ingress listens on ${portOf(new URL(deps.ingress.url))}`,
      'EVR-ING-01',
    );
  }
  done.push(`ingress rule ${publicUrl.host}${publicUrl.pathname} to port ${input.handshakePort}`);
}
