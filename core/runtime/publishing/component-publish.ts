/** Publishes a stored message to its component, and notes what became of it. */
import { theApp } from '../../contract/app-text.ts';
import { errorText } from '../../contract/error-text.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { Wire } from '../../domain/codec.ts';
import { lastMade, SMALL_BODY_BYTES } from '../../domain/last-made.ts';
import { noMessage } from '../../domain/no-message.ts';
import { PublishFailure } from '../../ports/pubsub.ts';
import type { SharedServices } from '../common-services.ts';
import type { Components, ReadyPubSub } from '../components/components.ts';
import type { App } from '../state/app.ts';
import type { Apps } from '../state/apps.ts';
import type { Deliveries } from '../state/delivery.ts';
import { laneName } from '../state/live.ts';
import type { LiveMessage } from '../state/live.ts';
import type { Policies } from '../state/policies.ts';
import type { Waits } from '../time/waits.ts';
import { publishTo } from './outbound.ts';

export interface Accepted {
  readonly messageId: string;
  /** Why the component refused a message that was accepted and stored; absent: it did not. */
  readonly failed?: string;
  /** Set if a retry cannot succeed. */
  readonly isForGood?: true;
}

interface SendOptions {
  readonly releasedFrom?: readonly string[];
  /** The component has, or may have, received it before a restart: a refusal now changes nothing. */
  readonly isAgain?: boolean;
  readonly wire?: Wire | undefined;
}

/** State of a message before its publish to the component. */
interface BeforeSend {
  readonly isHeld: boolean;
  readonly heldBy: string | undefined;
  /** Holds that have released it now. */
  readonly releasedFrom: readonly string[] | undefined;
  readonly isAgain: boolean;
}

export interface ComponentPublishDependencies {
  readonly apps: Apps;
  readonly components: Components;
  readonly deliveries: Deliveries;
  readonly policies: Policies;
  /** Pauses between attempts to publish. */
  readonly waits: Waits;
}

export class ComponentPublish {
  readonly #shared: SharedServices;
  readonly #apps: Apps;
  readonly #components: Components;
  readonly #deliveries: Deliveries;
  readonly #policies: Policies;
  readonly #waits: Waits;

  constructor(
    shared: SharedServices,
    { apps, components, deliveries, policies, waits }: ComponentPublishDependencies,
  ) {
    this.#shared = shared;
    this.#apps = apps;
    this.#components = components;
    this.#deliveries = deliveries;
    this.#policies = policies;
    this.#waits = waits;
  }

  /** Apps to whose group the broker will deliver a message of this topic; undefined: none, or the component is in this process. */
  expectedBy({ name, pubsub }: ReadyPubSub, topic: string): readonly string[] | undefined {
    if (!pubsub.features.redelivers) return undefined;
    const apps = this.#apps.all.filter(
      ({ appId, lanes }) =>
        lanes.get(laneName({ appId, pubsubname: name, topic }))?.active !== undefined &&
        this.#components.pubsub(appId, name)?.pubsub === pubsub,
    );
    return apps.length === 0 ? undefined : apps.map(({ appId }) => appId);
  }

  /**
   * Publishes a stored message to its component. A refused message gets stage `refused`, or stays held. Never rejects.
   * @param more `isAgain`; `releasedFrom`: holds that have released a held message now; `wire`: its body, if it is in memory
   */
  send(
    ready: ReadyPubSub,
    message: LiveMessage,
    { releasedFrom, isAgain = false, wire: atHand }: SendOptions = {},
  ): Accepted | Promise<Accepted> {
    const waiting = ready.pubsub.features.keepsHistory ? [] : this.#undiscovered(message.row.pubsubname);
    const before: BeforeSend = {
      isHeld: message.row.stage === 'held',
      heldBy: message.row.heldBy,
      releasedFrom,
      isAgain,
    };
    if (before.isHeld) this.#updateExpectedBy(ready, message);
    // Noted before the publish, so that an app that is discovered meanwhile finds the message.
    if (waiting.length > 0) {
      void this.#deliveries.patchMessage(message, {
        ...(before.isHeld ? {} : { stage: 'waiting' }),
        waitingFor: waiting.map((app) => app.appId),
      });
    }
    const wire = atHand ?? message.wire;
    if (wire === undefined) return this.#sendStored(ready, message, before);
    const sent = this.#sendBytes(ready, message, wire);
    return sent === undefined
      ? this.#accepted(ready, message, before)
      : this.#settled(ready, message, before, sent);
  }

  /**
   * Updates which apps the broker will deliver to: a held message may have a new topic, or its topic new subscriptions. Without any, the
   * old list stays while the list of some app is awaited.
   */
  #updateExpectedBy(ready: ReadyPubSub, message: LiveMessage): void {
    const { pubsubname, topic, expectedBy: before } = message.row;
    const expectedBy = this.expectedBy(ready, topic);
    if (expectedBy === undefined && (before === undefined || this.#undiscovered(pubsubname).length > 0))
      return;
    void this.#deliveries.patchMessage(message, { expectedBy });
  }

  /** Publishes a message whose body only the journal has. */
  async #sendStored(ready: ReadyPubSub, message: LiveMessage, before: BeforeSend): Promise<Accepted> {
    const read = async (): Promise<void> => {
      const wire = await this.#shared.live.wire(message);
      if (message.isRemoved) throw noMessage(message.messageId);
      return this.#sendBytes(ready, message, wire);
    };
    return this.#settled(ready, message, before, read());
  }

  /** Waits for the component's answer. Rejects with Refusal NOT_FOUND if a held message was removed meanwhile and is not published. */
  async #settled(
    ready: ReadyPubSub,
    message: LiveMessage,
    before: BeforeSend,
    sent: Promise<void>,
  ): Promise<Accepted> {
    try {
      await sent;
    } catch (error) {
      if (before.isHeld && message.isRemoved) throw noMessage(message.messageId);
      const isForGood = error instanceof PublishFailure && error.isForGood;
      return this.#refused(message, before, { failed: errorText(error), isForGood });
    }
    return this.#accepted(ready, message, before);
  }

  /** Publishes the bytes to the component; undefined: done. An error thrown by the component becomes a rejection. */
  #sendBytes(ready: ReadyPubSub, message: LiveMessage, wire: Wire): Promise<void> | undefined {
    const { row, messageId, metadata } = message;
    const outbound = { messageId, topic: row.topic, wire, contentType: row.contentType, metadata };
    if (row.sizeBytes <= SMALL_BODY_BYTES) lastMade.outbound = outbound;
    const policy = this.#policies.outboundFor(row.appId, ready.name);
    try {
      return publishTo(ready.pubsub, outbound, this.#shared, { policy, waits: this.#waits });
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #refused(
    message: LiveMessage,
    { isHeld, heldBy, isAgain }: BeforeSend,
    { failed, isForGood }: { readonly failed: string; readonly isForGood: boolean },
  ): Accepted {
    if (isAgain) return { messageId: message.messageId, failed, ...(isForGood ? { isForGood } : {}) };
    void this.#deliveries.patchMessage(message, {
      stage: isHeld ? 'held' : 'refused',
      heldBy: isHeld ? heldBy : undefined,
      waitingFor: undefined,
      flags: [...(message.row.flags ?? []), `The component refused it: ${failed}`],
    });
    if (!isHeld) this.#deliveries.published(message);
    return { messageId: message.messageId, failed };
  }

  /** Called when the component has the message. */
  #accepted(ready: ReadyPubSub, message: LiveMessage, { isHeld, releasedFrom }: BeforeSend): Accepted {
    if (isHeld) {
      void this.#deliveries.patchMessage(message, {
        stage: message.row.waitingFor === undefined ? undefined : 'waiting',
        heldBy: undefined,
        ...(releasedFrom === undefined ? {} : { releasedFrom }),
      });
    }
    if (
      message.deliveries.length === 0 &&
      message.row.waitingFor === undefined &&
      message.row.expectedBy === undefined
    )
      this.#shared.signals.emit('withoutSubscription', message);
    if (ready.pubsub.features.redelivers) this.#shared.expected.add(message);
    this.#noteExpected(message.row);
    this.#deliveries.published(message);
    return { messageId: message.messageId };
  }

  /** Stores that the broker delivers messages of the topic to a group: the next start counts such messages one by one. */
  #noteExpected({ pubsubname, topic, expectedBy }: MessageRow): void {
    if (expectedBy === undefined) return;
    const { metrics, observedTopics } = this.#shared;
    if (metrics.expected(pubsubname, topic)) observedTopics.changed();
  }

  /** The part of a refusal that says for which app the messages of a component wait; "" where they wait for none. */
  awaitedApp(pubsubname: string): string {
    const app = this.#undiscovered(pubsubname).find(({ isListAwaited }) => isListAwaited);
    const ready = app === undefined ? undefined : this.#components.pubsub(app.appId, pubsubname);
    // A broker keeps the messages itself.
    if (app === undefined || ready?.pubsub.features.keepsHistory !== false) return '';
    return `; messages wait for ${theApp(app.appId)}, which has not reported its subscriptions at ${app.discovery.url}`;
  }

  /** Apps that may use this component, and whose list is awaited or for which the component is being replaced. */
  #undiscovered(pubsubname: string): readonly App[] {
    return this.#apps.all.filter(
      (app) =>
        (app.isListAwaited || app.suspended.has(pubsubname)) &&
        this.#components.pubsub(app.appId, pubsubname) !== undefined,
    );
  }
}
