/** Replay: publishes an old message as a new one, to its topic or to one delivery's subscription only. */
import { withoutDelivery } from '../../contract/attention.ts';
import { errorText } from '../../contract/error-text.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { ReplayChanges } from '../../contract/publish.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { CLOUDEVENT_CONTENT_TYPE, kindOf } from '../../domain/content-type.ts';
import { editMessage, withExpiration, withId } from '../../domain/edit-message.ts';
import { holdsOfOriginal, holdTitle, mayCatch } from '../../domain/hold.ts';
import { describe } from '../../domain/inbound.ts';
import { MAX_NAME_LENGTH, isCutText } from '../../domain/name-length.ts';
import { noMessage } from '../../domain/no-message.ts';
import { Refusal, refusalOf } from '../../domain/refusal.ts';
import { changedComplaint } from '../../domain/envelope.ts';
import { expirationAttribute, expiryOf, readTtl } from '../../domain/ttl.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { Wire } from '../../domain/codec.ts';
import type { TapSender } from '../../ports/tap.ts';
import type { App } from '../state/app.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { Holds } from '../state/holds.ts';
import type { Intake } from '../delivering/intake.ts';
import type { LiveMessage } from '../state/live.ts';
import type { AcceptFacts } from '../publishing/new-message.ts';
import type { Acceptance } from '../publishing/acceptance.ts';
import type { Accepted } from '../publishing/component-publish.ts';
import { publishFailure } from '../publishing/publish-checks.ts';
import type { PublishChecks } from '../publishing/publish-checks.ts';
import type { Serving } from '../apps/serving.ts';
import type { SharedServices } from '../common-services.ts';
import type { Targets } from './targets.ts';

export interface ReplayDependencies {
  readonly targets: Targets;
  readonly checks: PublishChecks;
  readonly acceptance: Acceptance;
  readonly intake: Intake;
  readonly serving: Serving;
  readonly deliveries: Deliveries;
  readonly holds: Pick<Holds, 'list'>;
  readonly app: (appId: string) => App | undefined;
  readonly taps: {
    /** Sender of a tap; undefined: there is no such tap now. */ senderOf(tap: string): TapSender | undefined;
  };
}

export interface Replayed extends Accepted {
  /** Names of holds that are on and not used up, and let the new message pass; absent: there are none. */
  readonly passedHolds?: readonly string[];
}

export class Replay {
  readonly #shared: SharedServices;
  readonly #deps: ReplayDependencies;

  constructor(shared: SharedServices, deps: ReplayDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /** @param to "topic" (default, of `changes.pubsubname` where there is one) or a deliveryId: same route, no other subscriber sees it */
  async replay(
    messageId: string,
    changes: ReplayChanges | undefined,
    to: string | undefined,
  ): Promise<Replayed> {
    const original = await this.#deps.targets.message(messageId);
    if (original === undefined) throw noMessage(messageId);
    try {
      const facts = await this.#facts(original, changes ?? {});
      await this.#turn(original);
      const send = original.row.tap === undefined ? undefined : this.#deps.taps.senderOf(original.row.tap);
      if (send !== undefined) return await this.#throughSidecar(send, facts, to);
      if (to === undefined || to === 'topic') {
        const accepted = await this.#toTopic(facts);
        await this.#noteReplay(original, accepted.messageId);
        return { ...accepted, ...this.#passed(facts) };
      }
      // A delivery belongs to its subscription, so the component cannot change.
      return await this.#toDelivery(original, { ...facts, pubsubname: original.row.pubsubname }, to);
    } finally {
      this.#deps.targets.release(original);
    }
  }

  /** Names of the holds that could catch it and let it pass, because they caught its original. */
  #passed({ releasedFrom = [] }: AcceptFacts): Pick<Replayed, 'passedHolds'> {
    const passed = this.#deps.holds
      .list()
      .filter((hold) => mayCatch(hold) && releasedFrom.includes(hold.holdId));
    return passed.length === 0 ? {} : { passedHolds: passed.map(holdTitle) };
  }

  /** Observed messages are published by the sidecar behind their tap. */
  async #throughSidecar(send: TapSender, facts: AcceptFacts, to: string | undefined): Promise<Accepted> {
    const { pubsubname, topic, metadata, wrapped, replayOf = '' } = facts;
    if (to !== undefined && to !== 'topic') {
      const reason = 'The sidecar behind the tap chooses who gets it: it can only be replayed to its topic.';
      throw new Refusal('INVALID_PARAMS', { reason }, { field: 'to', expected: '"topic"' });
    }
    // The new message would be recorded nowhere.
    const { trouble } = this.#shared.writer;
    if (trouble !== undefined) throw publishFailure(pubsubname, topic, trouble);
    const contentType = wrapped.kind === 'raw' ? wrapped.contentType : CLOUDEVENT_CONTENT_TYPE;
    try {
      const body = wrapped.wire;
      return { messageId: await send({ pubsubname, topic, body, contentType, metadata, replayOf }) };
    } catch (error) {
      throw publishFailure(pubsubname, topic, errorText(error));
    }
  }

  async #toTopic(facts: AcceptFacts): Promise<Accepted> {
    const { appId, pubsubname, topic } = facts;
    const ready = this.#deps.checks.component(appId, pubsubname, topic);
    this.#deps.checks.authorise(ready, appId, topic);
    const accepted = await this.#deps.acceptance.accept(ready, facts);
    if (accepted.failed !== undefined) throw publishFailure(pubsubname, topic, accepted.failed);
    return accepted;
  }

  async #toDelivery(original: LiveMessage, facts: AcceptFacts, deliveryId: string): Promise<Accepted> {
    const target = original.deliveries.find((d) => d.deliveryId === deliveryId);
    const app = target && this.#deps.app(target.appId);
    if (target === undefined || app === undefined) {
      throw new Refusal(
        'NOT_FOUND',
        { reason: `The message has no delivery ${deliveryId}.` },
        { field: 'to', expected: '"topic" or a deliveryId of the message' },
      );
    }
    const { acceptance, intake, serving, deliveries } = this.#deps;
    const closed = acceptance.closedReason(facts);
    if (closed !== undefined) throw publishFailure(facts.pubsubname, facts.topic, closed);
    const message = await acceptance.adopt({ ...facts, replayTo: target.appId });
    // A delivery that had a route repeats it; one without a route chooses one now.
    if (target.route.path !== '') intake.repeat(app, target, message, facts.wrapped.wire);
    else intake.create(app, serving.laneOf(app, target), message, undefined, facts.wrapped.wire);
    // The act is answered once the new deliveries have a record.
    await deliveries.placing(message);
    return { messageId: message.messageId };
  }

  /** What no app got is not left over any more once it was replayed. */
  async #noteReplay(original: LiveMessage, replayedAs: string): Promise<void> {
    const { row, deliveries } = original;
    if (deliveries.length > 0 || row.stage !== undefined || withoutDelivery(row) !== 'none') return;
    await this.#deps.deliveries.patchMessage(original, { replayedAs });
  }

  /** An event to which only a sidecar behind a tap gives its id gets one here. */
  #identified({ row, givenContentType }: LiveMessage, wire: Wire, { attributes = {} }: ReplayChanges): Wire {
    const isKnown = row.tap === undefined || row.eventId !== undefined;
    // An app's own event goes on as the app made it.
    if (isKnown || kindOf(givenContentType) === 'cloudevent' || 'id' in attributes) return wire;
    return withId(wire, row.raw, this.#shared.ids.uuid(), this.#shared.codec);
  }

  /** Waits before a large message is read once more. */
  async #turn({ row }: LiveMessage): Promise<void> {
    const room = this.#shared.bodyTurns.room(row.sizeBytes);
    if (room !== undefined) await room;
  }

  async #facts(original: LiveMessage, changes: ReplayChanges): Promise<AcceptFacts> {
    const { codec, profile, clock } = this.#shared;
    const { row } = original;
    const complaint = changes.metadata && changedComplaint(changes.metadata, profile);
    if (complaint !== undefined) throw refusalOf(complaint);
    this.#deps.checks.checkContentType(row, changes.contentType);
    mustHaveContentType(row, changes);
    const metadata = changes.metadata ?? original.metadata;
    const stored = await this.#shared.live.wire(original);
    await this.#turn(original);
    const changed = editMessage({ wire: stored, raw: row.raw, contentType: row.contentType }, changes, codec);
    // The time to live starts again, because a copy that is expired from the start would be useless.
    const expiresAtMs = row.raw ? undefined : expiryOf(readTtl(metadata, profile), clock.now());
    const wire = withExpiration(
      this.#identified(original, changed.wire, changes),
      row.raw,
      expiresAtMs === undefined ? undefined : expirationAttribute(expiresAtMs),
      codec,
    );
    await this.#turn(original);
    const envelope = describe(wire, row.raw, codec).envelope ?? {};
    const text = (name: string): string | undefined =>
      typeof envelope[name] === 'string' ? envelope[name] : undefined;
    const [eventId, eventType, subject] = [text('id'), text('type'), text('subject')];
    const wrapped: Wrapped = {
      kind: row.raw ? 'raw' : 'own',
      wire,
      contentType: changed.contentType,
      flags: [],
      ...withoutUndefined({ eventId, eventType, subject, traceId: row.traceId, expiresAtMs }),
    };
    const held = { heldBy: row.heldBy, releasedFrom: original.releasedFrom };
    const holds = holdsOfOriginal(held, original.deliveries);
    return {
      appId: row.appId,
      pubsubname: changes.pubsubname ?? row.pubsubname,
      topic: changes.topic ?? row.deadLetterOf?.topic ?? row.topic,
      source: 'replay',
      wrapped,
      givenContentType: changes.contentType ?? original.givenContentType,
      metadata,
      replayOf: row.messageId,
      releasedFrom: [...holds],
    };
  }
}

/** Throws if a raw message had a content type that is longer than what is kept of it. An event has its own. */
function mustHaveContentType(
  { raw, contentType, pubsubname, topic }: MessageRow,
  changes: ReplayChanges,
): void {
  if (!raw || changes.contentType !== undefined || !isCutText(contentType)) return;
  const reason = `the content type of the message has more than ${MAX_NAME_LENGTH} characters, and only its start was kept: give another one`;
  throw publishFailure(pubsubname, topic, reason);
}
