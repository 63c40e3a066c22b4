/** Serves the management API: event subscriptions, topics, operations, the provider and role assignments. */
import type { Brand } from '../../../contract/profile.ts';
import { withoutUndefined } from '../../../contract/without-undefined.ts';
import type { ManagementTarget } from '../../rules/management-path.ts';
import { isSubscriptionName, readSubscriptionBody, schemaConflict } from '../../rules/record-body.ts';
import { scopeContains, topicOf } from '../../../router-protocol/scope.ts';
import type { Scope } from '../../../router-protocol/scope.ts';
import { isObject } from '../../../domain/json.ts';
import type { JsonObject } from '../../../domain/json.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Directory } from '../../identity/directory.ts';
import { ROLE_WORDS } from '../../../ports/local-router.ts';
import { maskedMappings, recordOf } from '../../subscriptions/stored-subscription.ts';
import type { StoredSubscription } from '../../subscriptions/stored-subscription.ts';
import type { Operations } from '../../subscriptions/operations.ts';
import type { Subscriptions } from '../../subscriptions/subscriptions.ts';
import type { Topics } from '../../topics/topics.ts';
import { WireError } from '../../rules/wire-error.ts';
import type { Authorization } from './authorization.ts';
import { listed } from './listing.ts';
import { bodyOf, invalid, notAllowed, nothingHere } from './request.ts';
import type { Answer, Ask } from './request.ts';
import { TopicManagement } from './topic-management.ts';

export interface ManagementDependencies {
  readonly access: Authorization;
  readonly directory: Directory;
  readonly subscriptions: Subscriptions;
  readonly topics: Topics;
  readonly operations: Operations;
  readonly clock: Clock;
  readonly namespace: string;
  readonly profile: Brand;
  readonly allowInsecureSubscribers: boolean;
  /** Base address of this API. */
  readonly base: () => string;
  readonly endpointOf: (topic: string) => string;
  readonly removeTopic: (name: string) => boolean;
}

type Target<K extends ManagementTarget['kind']> = Extract<ManagementTarget, { readonly kind: K }>;

/** Region of every resource of this router. */
const LOCATION = 'local';

const UPDATABLE = [
  'destination',
  'filter',
  'labels',
  'eventDeliverySchema',
  'retryPolicy',
  'deadLetterDestination',
  'expirationTimeUtc',
] as const;

/**
 * Methods of the management API. Each answers for one kind of resource, or throws the WireError that is
 * answered.
 */
export class Management {
  readonly #deps: ManagementDependencies;
  readonly #topics: TopicManagement;

  constructor(deps: ManagementDependencies) {
    this.#deps = deps;
    this.#topics = new TopicManagement(deps);
  }

  async subscription(ask: Ask, target: Target<'subscription'>): Promise<Answer> {
    const { access, subscriptions, namespace } = this.#deps;
    access.needsRegistration(target.scope.subscriptionId);
    const right = ask.method === 'GET' ? 'read' : ask.method === 'DELETE' ? 'delete' : 'write';
    access.needsRole(ask.caller, `eventSubscriptions/${right}`, target.scope.text);
    const kept = subscriptions.find(target.scope, target.name);
    if (target.action !== undefined) return this.#action(ask, target.action, this.#need(kept, target));
    switch (ask.method) {
      case 'GET':
        return { status: 200, body: recordOf(this.#need(kept, target), namespace) };
      case 'PUT':
        return this.#put(ask, target, propertiesOf(bodyOf(ask.request)));
      case 'PATCH': {
        const changes = bodyOf(ask.request);
        const before = this.#need(kept, target).desired;
        const given = UPDATABLE.filter((name) => changes[name] !== undefined);
        return this.#put(ask, target, {
          ...before,
          ...Object.fromEntries(given.map((name) => [name, changes[name]])),
        });
      }
      case 'DELETE':
        return { status: kept !== undefined && subscriptions.remove(kept.id) ? 200 : 204 };
      default:
        throw notAllowed('GET, PUT, PATCH, DELETE');
    }
  }

  async subscriptions(ask: Ask, scope: Scope): Promise<Answer> {
    if (ask.method !== 'GET') throw notAllowed('GET');
    this.#deps.access.needsRole(ask.caller, 'eventSubscriptions/read', scope.text);
    const records = this.#deps.subscriptions
      .list()
      .filter((kept) => kept.scope.key === scope.key)
      .map((kept) => recordOf(kept, this.#deps.namespace));
    return {
      status: 200,
      body: listed(records, ask.query, this.#deps.base() + (ask.request.raw.url ?? '')),
    };
  }

  /** Lists the event subscriptions of one region or of one type of topics, at the scope and below it. */
  async selected(ask: Ask, { scope, location, topicType }: Target<'selected'>): Promise<Answer> {
    if (ask.method !== 'GET') throw notAllowed('GET');
    const { access, subscriptions, namespace, base } = this.#deps;
    access.needsRole(ask.caller, 'eventSubscriptions/read', scope.text);
    const isHere = location === undefined || location.toLowerCase() === LOCATION;
    const records = subscriptions
      .list()
      .filter((kept) => isHere && scopeContains(scope.key, kept.scope.key))
      .filter((kept) => topicType === undefined || isOfType(kept.scope, topicType))
      .map((kept) => recordOf(kept, namespace));
    return { status: 200, body: listed(records, ask.query, base() + (ask.request.raw.url ?? '')) };
  }

  get namespace(): string {
    return this.#deps.namespace;
  }

  topic(ask: Ask, target: Target<'topic'>): Promise<Answer> {
    return this.#topics.one(ask, target);
  }

  topics(ask: Ask, target: Target<'topics'>): Promise<Answer> {
    return this.#topics.list(ask, target);
  }

  async operation(ask: Ask, id: string): Promise<Answer> {
    if (ask.method !== 'GET') throw notAllowed('GET');
    const operation = this.#deps.operations.get(id);
    if (operation === undefined) throw new WireError(404, 'ResourceNotFound', `There is no operation ${id}.`);
    const { status, error } = operation;
    const body = { id: ask.request.raw.url, name: id, status, ...withoutUndefined({ error }) };
    return { status: 200, body, headers: status === 'InProgress' ? { 'retry-after': '1' } : {} };
  }

  async provider(ask: Ask, target: Target<'provider'>): Promise<Answer> {
    const { access, namespace } = this.#deps;
    const { subscriptionId, action } = target;
    if (action === 'register' || action === 'unregister') {
      if (ask.method !== 'POST') throw notAllowed('POST');
      access.needsRole(ask.caller, action, `/subscriptions/${subscriptionId}`);
      access.register(subscriptionId, action === 'register');
    } else if (action !== undefined) throw nothingHere();
    else if (ask.method !== 'GET') throw notAllowed('GET');
    const registrationState = access.isRegistered(subscriptionId) ? 'Registered' : 'NotRegistered';
    return {
      status: 200,
      body: { id: `/subscriptions/${subscriptionId}/providers/${namespace}`, namespace, registrationState },
    };
  }

  /** Assigns a role to the client whose object id or client id is the principal. */
  async role(ask: Ask, target: Target<'role'>): Promise<Answer> {
    if (ask.method !== 'PUT') throw notAllowed('PUT');
    const { access, directory } = this.#deps;
    access.needsRole(ask.caller, 'roleAssignments/write', target.scope.text);
    const properties = propertiesOf(bodyOf(ask.request));
    const principal = textOf(properties, 'principalId');
    const definition = textOf(properties, 'roleDefinitionId');
    const role = (['event-subscription-contributor', 'contributor', 'data-sender'] as const).find((name) =>
      definition.endsWith(`/${ROLE_WORDS[name].id}`),
    );
    const clientId = directory.clientOfPrincipal(principal);
    if (role === undefined)
      throw new WireError(400, 'RoleDefinitionDoesNotExist', 'The role definition is not known here.');
    if (clientId === undefined)
      throw new WireError(400, 'PrincipalNotFound', `There is no principal ${principal}.`);
    access.maySetRole(ask.caller, role, target.scope.text);
    directory.grant({ clientId, role, scope: target.scope.key });
    const id = `${target.scope.text}/providers/Microsoft.Authorization/roleAssignments/${target.id}`;
    return { status: 201, body: { id, name: target.id, properties } };
  }

  async #put(ask: Ask, target: Target<'subscription'>, properties: unknown): Promise<Answer> {
    const { access, topics, subscriptions, clock, namespace, profile } = this.#deps;
    if (!isSubscriptionName(target.name, profile)) {
      throw invalid('The name of an event subscription must be 3 to 64 letters and digits.');
    }
    const read = readSubscriptionBody(properties, {
      nowMs: clock.now(),
      allowInsecureSubscribers: this.#deps.allowInsecureSubscribers,
    });
    if (!read.ok) throw invalid(read.complaint);
    const name = topicOf(target.scope);
    if (name !== undefined) {
      const topic = topics.at(target.scope.text);
      if (topic === undefined) {
        throw new WireError(
          404,
          'ResourceNotFound',
          `The Resource '${namespace}/topics/${name}' was not found.`,
        );
      }
      const conflict = schemaConflict(topic.inputSchema, read.value.eventDeliverySchema);
      if (conflict !== undefined) throw invalid(conflict);
    }
    access.needsApplication(ask.caller, read.value);
    const { kept, operation } = await subscriptions.put(target.scope, target.name, read.value);
    const statusPath = `/subscriptions/${target.scope.subscriptionId}/providers/${namespace}/locations/local/operationsStatus/${operation.id}`;
    return {
      status: 201,
      body: recordOf(kept, namespace),
      headers: {
        'azure-asyncoperation': `${this.#deps.base()}${statusPath}?api-version=${ask.apiVersion}`,
        'retry-after': '1',
      },
    };
  }

  async #action(ask: Ask, action: string, kept: StoredSubscription): Promise<Answer> {
    if (ask.method !== 'POST') throw notAllowed('POST');
    const { endpointUrl, deliveryAttributeMappings = [] } = kept.desired.destination.properties;
    switch (action.toLowerCase()) {
      case 'getfullurl':
        return { status: 200, body: { endpointUrl } };
      case 'getdeliveryattributes':
        return { status: 200, body: { value: maskedMappings(deliveryAttributeMappings) } };
      default:
        throw nothingHere();
    }
  }

  #need(kept: StoredSubscription | undefined, target: Target<'subscription'>): StoredSubscription {
    if (kept !== undefined) return kept;
    const resource = `${this.#deps.namespace}/eventSubscriptions/${target.name}`;
    throw new WireError(
      404,
      'ResourceNotFound',
      `The Resource '${resource}' under scope '${target.scope.text}' was not found.`,
    );
  }
}

/**
 * Whether a resource has the type: `Microsoft.Storage.StorageAccounts` names a namespace and a type of
 * resources.
 */
function isOfType({ kind, resource }: Scope, topicType: string): boolean {
  const wanted = topicType.toLowerCase();
  if (resource !== undefined) return wanted === `${resource.namespace}.${resource.type}`.toLowerCase();
  return (
    wanted ===
    (kind === 'subscription' ? 'microsoft.resources.subscriptions' : 'microsoft.resources.resourcegroups')
  );
}

function propertiesOf(body: JsonObject): unknown {
  return body['properties'];
}

/** A member as lower-case text; "" if it is none. */
function textOf(value: unknown, name: string): string {
  const member = isObject(value) ? value[name] : undefined;
  return typeof member === 'string' ? member.toLowerCase() : '';
}
