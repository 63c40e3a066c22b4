/** A publish from request to answer: checks in the reference's order, then acceptance (behaviour 1.2). */
import type { Mutable } from '../../contract/mutable.ts';
import { TOO_LARGE } from '../../domain/json-body.ts';
import { lastMade, SMALL_BODY_BYTES } from '../../domain/last-made.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { PublishRequest } from '../api.ts';
import type { SharedServices } from '../common-services.ts';
import type { PubsubTopic } from '../state/backlog.ts';
import { ByteBudget } from '../state/byte-budget.ts';
import type { Acceptance } from './acceptance.ts';
import type { Accepted } from './component-publish.ts';
import type { AcceptFacts } from './new-message.ts';
import { beyondLimit, publishFailure } from './publish-checks.ts';
import type { PublishChecks } from './publish-checks.ts';

/** Maximum size of the bodies of all running publish requests. */
const REQUESTS_BYTES = 32 * 1024 * 1024;

export interface PublisherDependencies {
  readonly checks: PublishChecks;
  readonly acceptance: Acceptance;
}

export class Publisher {
  readonly #shared: SharedServices;
  readonly #deps: PublisherDependencies;
  /** Memory for the bodies of all publish requests; one that finds no room waits. */
  readonly bodies = new ByteBudget(REQUESTS_BYTES);

  constructor(shared: SharedServices, deps: PublisherDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /**
   * Publishes a request. Returns no promise if nothing has to be awaited: each message in memory passes here, and a promise costs more than
   * the checks.
   * @throws Refusal, also as rejection: the rows of "Publish" in the interface, codes of behaviour 1.6
   */
  publish(request: PublishRequest): Accepted | Promise<Accepted> {
    const { bodies } = this;
    const bytes = request.body.length;
    if (bytes <= SMALL_BODY_BYTES) lastMade.publishRequest = request;
    if (this.#shared.bodyTurns.takesTurn(bytes) || !bodies.enterNow(bytes))
      return bodies
        .run(bytes, () => this.#acceptInTurn(request))
        .then((accepted) => this.#answered(request, accepted));
    let accepted: Accepted | Promise<Accepted>;
    try {
      accepted = this.#accept(request);
    } catch (error) {
      bodies.leave(bytes);
      throw error;
    }
    if (accepted instanceof Promise)
      return accepted.finally(() => bodies.leave(bytes)).then((one) => this.#answered(request, one));
    bodies.leave(bytes);
    return this.#answered(request, accepted);
  }

  /** The event that a publish would give its component; nothing is published. Throws the refusals of the checks. */
  preview(request: Omit<PublishRequest, 'source'>): Wrapped {
    const { checks } = this.#deps;
    const ready = checks.component(request.appId, request.pubsubname, request.topic);
    const wrapped = checks.wrap(request);
    checks.authorise(ready, request.appId, request.topic);
    return wrapped;
  }

  /** Answer to the publisher, once the apps are not far behind. Throws Refusal if the component refused the message. */
  #answered(request: PublishRequest, accepted: Accepted): Accepted | Promise<Accepted> {
    if (accepted.failed !== undefined)
      throw publishFailure(request.pubsubname, request.topic, accepted.failed);
    // A publish from the console does not wait for an app that is behind.
    const wait = request.source === 'console' ? undefined : this.waitForApps(request, accepted.messageId);
    return wait === undefined ? accepted : wait.then(() => accepted);
  }

  /**
   * Resolves when the apps that get the message are not far behind, after 250 ms at most.
   * @param messageId id of an accepted message
   */
  waitForApps(of: PubsubTopic, messageId: string | undefined): Promise<void> | undefined {
    const { backpressure, live } = this.#shared;
    return backpressure.room(of, messageId === undefined ? undefined : live.message(messageId));
  }

  async #acceptInTurn(request: PublishRequest): Promise<Accepted> {
    const room = this.#shared.bodyTurns.room(request.body.length);
    if (room !== undefined) await room;
    return this.#accept(request);
  }

  #accept(request: PublishRequest): Accepted | Promise<Accepted> {
    const { checks, acceptance } = this.#deps;
    const ready = checks.component(request.appId, request.pubsubname, request.topic);
    if (request.isBeginning === true) throw beyondLimit(request.pubsubname, request.topic, TOO_LARGE);
    const wrapped = checks.wrap(request);
    checks.authorise(ready, request.appId, request.topic);
    // Rare members are set one by one, which is far cheaper than spreading an object for each of them.
    const facts: Mutable<AcceptFacts> = {
      appId: request.appId,
      pubsubname: request.pubsubname,
      topic: request.topic,
      source: request.source,
      wrapped,
      givenContentType: request.contentType ?? '',
      metadata: request.metadata,
    };
    if (request.replayOf !== undefined) facts.replayOf = request.replayOf;
    if (request.releasedFrom !== undefined) facts.releasedFrom = request.releasedFrom;
    if (request.caller !== undefined) facts.caller = request.caller;
    return acceptance.accept(ready, facts);
  }
}
