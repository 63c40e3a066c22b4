/** The router's topics with their keys; every change is stored. */
import { randomBytes } from 'node:crypto';
import { INPUT_SCHEMAS } from '../../contract/event-router/words.ts';
import type { InputSchema, InputSchemaMapping, TopicRecord } from '../../contract/event-router/wire.ts';
import type { RouterTopic } from '../../contract/event-router/local-router.ts';
import { topicResourceId } from '../../router-protocol/scope.ts';
import type { RouterStore } from '../store/store.ts';
import { hintOf } from '../secrets.ts';

export interface StoredTopic {
  readonly name: string;
  readonly resourceId: string;
  readonly inputSchema: InputSchema;
  readonly inputSchemaMapping: InputSchemaMapping | null;
  readonly key1: string;
  readonly key2: string;
  readonly disabled: boolean;
  readonly disableLocalAuth: boolean;
  readonly tags: Readonly<Record<string, string>>;
}

export interface TopicRequest {
  readonly name: string;
  /** Resource id; absent: the topic is in the resource group of topics without an assignment. */
  readonly resourceId?: string;
  readonly inputSchema?: InputSchema;
  readonly inputSchemaMapping?: InputSchemaMapping | null;
  readonly key1?: string;
  readonly disableLocalAuth?: boolean;
  readonly tags?: Readonly<Record<string, string>>;
  readonly disabled?: boolean;
}

export interface TopicGroup {
  readonly subscriptionId: string;
  readonly resourceGroup: string;
}

type Rejection = RouterTopic['rejections'][number];

const NAME = /^[A-Za-z0-9-]{3,50}$/;
const TAKEN = /^(microsoft|eventgrid|system)/i;
const MAX_REJECTIONS = 20;
const UNASSIGNED_GROUP: TopicGroup = {
  subscriptionId: '00000000-0000-0000-0000-000000000000',
  resourceGroup: 'local',
};

/** Why a topic cannot have this name; undefined: it can. */
export function topicNameComplaint(name: string): string | undefined {
  if (!NAME.test(name)) return 'A topic name must be 3 to 50 letters, digits and hyphens.';
  return TAKEN.test(name) ? 'A topic name must not begin with Microsoft, EventGrid or System.' : undefined;
}

/** Topics by name, which is unique in the router, so that two topics never share a path. */
export class Topics {
  readonly #store: RouterStore;
  readonly #namespace: string;
  readonly #changed: () => void;
  readonly #topics = new Map<string, StoredTopic>();
  /** Subscription and resource group of topics without an assignment. */
  #defaultGroup = UNASSIGNED_GROUP;
  readonly #counts = new Map<string, { accepted: number; rejected: number; rejections: Rejection[] }>();

  constructor(store: RouterStore, namespace: string, changed: () => void) {
    this.#store = store;
    this.#namespace = namespace;
    this.#changed = changed;
    for (const { key, value } of store.kept('topic')) if (isTopic(value)) this.#topics.set(key, value);
  }

  list(): readonly StoredTopic[] {
    return [...this.#topics.values()];
  }

  get(name: string): StoredTopic | undefined {
    return this.#topics.get(name.toLowerCase());
  }

  at(resourceId: string): StoredTopic | undefined {
    return this.list().find((topic) => topic.resourceId.toLowerCase() === resourceId.toLowerCase());
  }

  /** Creates a topic, or changes the members of the request. The name has to be valid. */
  put(request: TopicRequest): StoredTopic {
    const before = this.get(request.name);
    const topic: StoredTopic = {
      name: before?.name ?? request.name,
      resourceId: request.resourceId ?? before?.resourceId ?? this.#defaultIdOf(request.name),
      inputSchema: request.inputSchema ?? before?.inputSchema ?? 'CloudEventSchemaV1_0',
      inputSchemaMapping: request.inputSchemaMapping ?? before?.inputSchemaMapping ?? null,
      key1: request.key1 ?? before?.key1 ?? newKey(),
      key2: before?.key2 ?? newKey(),
      disabled: request.disabled ?? before?.disabled ?? false,
      disableLocalAuth: request.disableLocalAuth ?? before?.disableLocalAuth ?? false,
      tags: request.tags ?? before?.tags ?? {},
    };
    this.#set(topic);
    return topic;
  }

  /** Whether the topic has no assigned group. */
  isUnassigned(topic: StoredTopic): boolean {
    const unassigned = topicResourceId({ ...UNASSIGNED_GROUP, topic: topic.name }, this.#namespace);
    return topic.resourceId.toLowerCase() === unassigned.toLowerCase();
  }

  /**
   * Moves every topic without an assignment, and each new one, to a group.
   * @returns names of the topics that moved
   */
  assignRest(group: TopicGroup): readonly string[] {
    this.#defaultGroup = group;
    const moved = this.list().filter((topic) => this.isUnassigned(topic));
    for (const { name } of moved) this.put({ name, resourceId: this.#defaultIdOf(name) });
    return moved.map(({ name }) => name);
  }

  regenerate(name: string, which: 'key1' | 'key2'): StoredTopic | undefined {
    const topic = this.get(name);
    if (topic === undefined) return undefined;
    const changed = { ...topic, [which]: newKey() };
    this.#set(changed);
    return changed;
  }

  remove(name: string): boolean {
    const key = name.toLowerCase();
    if (!this.#topics.delete(key)) return false;
    this.#counts.delete(key);
    this.#store.keep('topic', key, undefined);
    this.#changed();
    return true;
  }

  countAccepted(name: string, events: number): void {
    this.#countOf(name).accepted += events;
    this.#changed();
  }

  countRejected(name: string, rejection: Rejection): void {
    const count = this.#countOf(name);
    count.rejected += 1;
    count.rejections = [rejection, ...count.rejections].slice(0, MAX_REJECTIONS);
    this.#changed();
  }

  shown(topic: StoredTopic, endpoints: readonly string[]): RouterTopic {
    const { accepted, rejected, rejections } = this.#countOf(topic.name);
    return {
      name: topic.name,
      resourceId: topic.resourceId,
      endpoints,
      inputSchema: topic.inputSchema,
      disabled: topic.disabled,
      disableLocalAuth: topic.disableLocalAuth,
      keyHints: { key1: hintOf(topic.key1), key2: hintOf(topic.key2) },
      accepted,
      rejected,
      rejections: [...rejections],
    };
  }

  /** The record on the management wire. */
  record(topic: StoredTopic, endpoint: string): TopicRecord {
    return {
      id: topic.resourceId,
      name: topic.name,
      type: `${this.#namespace}/topics`,
      location: 'local',
      tags: topic.tags,
      properties: {
        endpoint,
        inputSchema: topic.inputSchema,
        inputSchemaMapping: topic.inputSchemaMapping,
        publicNetworkAccess: topic.disabled ? 'Disabled' : 'Enabled',
        disableLocalAuth: topic.disableLocalAuth,
        provisioningState: 'Succeeded',
        metricResourceId: topic.resourceId,
      },
    };
  }

  #defaultIdOf(name: string): string {
    return topicResourceId({ ...this.#defaultGroup, topic: name }, this.#namespace);
  }

  #countOf(name: string): { accepted: number; rejected: number; rejections: Rejection[] } {
    const key = name.toLowerCase();
    const count = this.#counts.get(key) ?? { accepted: 0, rejected: 0, rejections: [] };
    this.#counts.set(key, count);
    return count;
  }

  #set(topic: StoredTopic): void {
    const key = topic.name.toLowerCase();
    this.#topics.set(key, topic);
    this.#store.keep('topic', key, topic);
    this.#changed();
  }
}

function newKey(): string {
  return randomBytes(32).toString('base64');
}

function isTopic(value: unknown): value is StoredTopic {
  return (
    typeof value === 'object' &&
    value !== null &&
    'inputSchema' in value &&
    INPUT_SCHEMAS.some((schema) => schema === value.inputSchema)
  );
}
