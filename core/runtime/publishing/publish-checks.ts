/** Checks of a publish before it is accepted (behaviour 1.2): component, topic, content type, envelope, permission. */
import { shortened } from '../../contract/cut-place.ts';
import { mayPublish } from '../../domain/access.ts';
import { tooLongName } from '../../domain/name-length.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import { Refusal, BEYOND_LIMIT } from '../../domain/refusal.ts';
import type { PublishRequest } from '../api.ts';
import type { SharedServices } from '../common-services.ts';
import type { Components, ReadyPubSub } from '../components/components.ts';
import { pubsubNotFound } from '../components/not-found.ts';
import type { PubsubTopic } from '../state/backlog.ts';
import { wrapRequest } from './wrap-request.ts';

export class PublishChecks {
  readonly #shared: SharedServices;
  readonly #components: Components;

  constructor(shared: SharedServices, components: Components) {
    this.#shared = shared;
    this.#components = components;
  }

  /** Whether a component of this name is ready for the app. */
  has(appId: string, pubsubname: string): boolean {
    return this.#components.pubsub(appId, pubsubname) !== undefined;
  }

  /** The component of a publish. Throws Refusal if the component or the topic cannot be used. */
  component(appId: string, pubsubname: string, topic: string): ReadyPubSub {
    if (pubsubname === '')
      throw new Refusal(
        'ERR_PUBSUB_EMPTY',
        {},
        { field: 'pubsubname', expected: 'the name of a pub/sub component' },
      );
    const ready = this.#components.pubsub(appId, pubsubname);
    if (ready === undefined) throw pubsubNotFound(this.#components, { appId, pubsubname, topic });
    if (topic === '')
      throw new Refusal('ERR_TOPIC_EMPTY', { pubsubname }, { field: 'topic', expected: 'a topic' });
    const tooLong = tooLongName('a topic', topic);
    // The answer has the reason after the topic and is cut to a maximum length, so the topic is shortened.
    if (tooLong !== undefined) throw beyondLimit(pubsubname, shortened(topic, 100), tooLong);
    return ready;
  }

  /** Throws Refusal ERR_PUBSUB_REQUEST_METADATA, ERR_PUBSUB_CLOUD_EVENTS_SER or ERR_PUBSUB_PUBLISH_MESSAGE. */
  wrap(request: Omit<PublishRequest, 'source'>): Wrapped {
    this.checkContentType(request, request.contentType);
    return wrapRequest(this.#shared, request);
  }

  /** Throws Refusal ERR_PUBSUB_PUBLISH_MESSAGE for one that is too long. */
  checkContentType({ pubsubname, topic }: PubsubTopic, contentType = ''): void {
    const tooLong = tooLongName('a content type', contentType);
    if (tooLong !== undefined) throw beyondLimit(pubsubname, topic, tooLong);
  }

  authorise(ready: ReadyPubSub, appId: string, topic: string): void {
    if (mayPublish(ready.scopes, appId, topic)) return;
    throw new Refusal('ERR_PUBSUB_FORBIDDEN', { topic, appId, pubsubname: ready.name }, { field: 'topic' });
  }
}

export function publishFailure(pubsubname: string, topic: string, reason: string): Refusal {
  return new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', { topic, pubsubname, reason });
}

/** The refusal of a publish that is beyond a limit itself: a mistake of the caller with the code of a failure. */
export function beyondLimit(pubsubname: string, topic: string, reason: string): Refusal {
  return new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', { topic, pubsubname, reason }, { variant: BEYOND_LIMIT });
}
