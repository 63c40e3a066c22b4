/** Topics in the management API: put, read, list, keys. */
import { INPUT_SCHEMAS } from '../../../contract/event-router/words.ts';
import type { InputSchema, InputSchemaMapping } from '../../../contract/event-router/wire.ts';
import { withoutUndefined } from '../../../contract/without-undefined.ts';
import { readInputMapping } from '../../rules/input-mapping.ts';
import type { ManagementTarget } from '../../rules/management-path.ts';
import { topicResourceId } from '../../../router-protocol/scope.ts';
import { isObject } from '../../../domain/json.ts';
import type { JsonObject } from '../../../domain/json.ts';
import { topicNameComplaint } from '../../topics/topics.ts';
import type { StoredTopic, Topics } from '../../topics/topics.ts';
import { WireError } from '../../rules/wire-error.ts';
import type { Authorization } from './authorization.ts';
import { listed } from './listing.ts';
import { bodyOf, invalid, notAllowed, nothingHere } from './request.ts';
import type { Answer, Ask } from './request.ts';

export interface TopicManagementDependencies {
  readonly access: Authorization;
  readonly topics: Topics;
  readonly namespace: string;
  readonly base: () => string;
  readonly endpointOf: (topic: string) => string;
  /** Removes a topic; false: it does not exist. */
  readonly removeTopic: (name: string) => boolean;
}

type One = Extract<ManagementTarget, { readonly kind: 'topic' }>;
type Many = Extract<ManagementTarget, { readonly kind: 'topics' }>;

export class TopicManagement {
  readonly #deps: TopicManagementDependencies;

  constructor(deps: TopicManagementDependencies) {
    this.#deps = deps;
  }

  async one(ask: Ask, target: One): Promise<Answer> {
    const { access, topics, namespace } = this.#deps;
    const { subscriptionId, group: resourceGroup, name } = target;
    const id = topicResourceId({ subscriptionId, resourceGroup, topic: name }, namespace);
    access.needsRegistration(subscriptionId);
    access.needsRole(ask.caller, `topics/${actionOf(ask, target)}`, id);
    if (target.action !== undefined) return this.#keys(ask, target.action, this.#need(id, name));
    switch (ask.method) {
      case 'GET':
        return { status: 200, body: this.#record(this.#need(id, name)) };
      case 'PUT': {
        const body = bodyOf(ask.request);
        if (typeof body['location'] !== 'string') throw invalid('location is missing.');
        return this.#put(id, name, body);
      }
      case 'PATCH': {
        const before = this.#need(id, name);
        return this.#put(id, before.name, bodyOf(ask.request));
      }
      case 'DELETE':
        // Stock clients accept only 202 and 204 here.
        if (topics.at(id) !== undefined) this.#deps.removeTopic(name);
        return { status: 204 };
      default:
        throw notAllowed('GET, PUT, PATCH, DELETE');
    }
  }

  async list(ask: Ask, target: Many): Promise<Answer> {
    if (ask.method !== 'GET') throw notAllowed('GET');
    const { access, topics, base } = this.#deps;
    const group = target.group === undefined ? '' : `/resourceGroups/${target.group}`;
    const scope = `/subscriptions/${target.subscriptionId}${group}`;
    access.needsRole(ask.caller, 'topics/read', scope);
    const records = topics
      .list()
      .filter(({ resourceId }) => resourceId.toLowerCase().startsWith(`${scope}/`.toLowerCase()))
      .map((topic) => this.#record(topic));
    return { status: 200, body: listed(records, ask.query, base() + (ask.request.raw.url ?? '')) };
  }

  #put(id: string, name: string, body: JsonObject): Answer {
    const { topics } = this.#deps;
    const complaint = topicNameComplaint(name);
    if (complaint !== undefined) throw invalid(complaint);
    const taken = topics.get(name);
    if (taken !== undefined && taken.resourceId.toLowerCase() !== id.toLowerCase()) {
      throw new WireError(409, 'Conflict', `The topic name ${name} is used at ${taken.resourceId} already.`);
    }
    const properties = isObject(body['properties']) ? body['properties'] : {};
    const schema = schemaOf(properties['inputSchema'], taken?.inputSchema);
    if (taken !== undefined && schema !== undefined && schema !== taken.inputSchema) {
      throw invalid('properties.inputSchema cannot be changed.');
    }
    const mapping = mappingOf(properties['inputSchemaMapping']);
    const access = properties['publicNetworkAccess'];
    const topic = topics.put({
      name,
      resourceId: taken?.resourceId ?? id,
      inputSchema: schema ?? taken?.inputSchema ?? 'EventGridSchema',
      ...withoutUndefined({ inputSchemaMapping: mapping }),
      ...(typeof properties['disableLocalAuth'] === 'boolean'
        ? { disableLocalAuth: properties['disableLocalAuth'] }
        : {}),
      ...(typeof access === 'string' ? { disabled: access === 'Disabled' } : {}),
      ...(isTags(body['tags']) ? { tags: body['tags'] } : {}),
    });
    return { status: 201, body: this.#record(topic) };
  }

  #keys(ask: Ask, action: string, topic: StoredTopic): Answer {
    if (ask.method !== 'POST') throw notAllowed('POST');
    switch (action.toLowerCase()) {
      case 'listkeys':
        return { status: 200, body: { key1: topic.key1, key2: topic.key2 } };
      case 'regeneratekey': {
        const { keyName } = bodyOf(ask.request);
        if (keyName !== 'key1' && keyName !== 'key2') throw invalid('keyName must be key1 or key2.');
        const changed = this.#deps.topics.regenerate(topic.name, keyName) ?? topic;
        return { status: 200, body: { key1: changed.key1, key2: changed.key2 } };
      }
      default:
        throw nothingHere();
    }
  }

  #need(id: string, name: string): StoredTopic {
    const topic = this.#deps.topics.at(id);
    if (topic !== undefined) return topic;
    const resource = `${this.#deps.namespace}/topics/${name}`;
    throw new WireError(404, 'ResourceNotFound', `The Resource '${resource}' was not found.`);
  }

  #record(topic: StoredTopic): ReturnType<Topics['record']> {
    return this.#deps.topics.record(topic, this.#deps.endpointOf(topic.name));
  }
}

/** Last part of the action for which a request needs a role. */
function actionOf({ method }: Ask, { action }: One): string {
  if (action !== undefined) return `${action}/action`;
  return method === 'GET' ? 'read' : 'write';
}

function schemaOf(given: unknown, before: InputSchema | undefined): InputSchema | undefined {
  if (given === undefined) return before;
  const schema = INPUT_SCHEMAS.find((name) => name === given);
  if (schema === undefined)
    throw invalid(`properties.inputSchema must be one of ${INPUT_SCHEMAS.join(', ')}.`);
  return schema;
}

function mappingOf(given: unknown): InputSchemaMapping | null | undefined {
  if (given === undefined || given === null) return given;
  const read = readInputMapping(given);
  if (!read.ok) throw invalid(read.complaint);
  return read.value;
}

function isTags(value: unknown): value is Record<string, string> {
  return isObject(value) && Object.values(value).every((tag) => typeof tag === 'string');
}
