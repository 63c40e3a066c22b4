/** What a person does with deliveries by hand: retry, drop, hold, release, dead-letter. */
import type { Changed, DeliveryTarget } from '../contract/console.ts';
import type { DeliveryState } from '../contract/delivery.ts';
import type { Answer } from '../contract/mock-app.ts';
import type { MessageChanges } from '../contract/publish.ts';
import { changeMessage } from '../domain/change.ts';
import { Refusal } from '../domain/refusal.ts';
import { isExpired } from '../domain/ttl.ts';
import type { App } from './app.ts';
import type { Attempts } from './attempts.ts';
import type { Components } from './components.ts';
import { copyNote } from './dead-letters.ts';
import type { DeadLetters } from './dead-letters.ts';
import { notAllowed } from './delivery.ts';
import type { Deliveries } from './delivery.ts';
import { heldAnswerFrom } from './held-answer.ts';
import type { Intake } from './intake.ts';
import type { LiveDelivery, LiveMessage } from './live.ts';
import type { Outcomes } from './outcome.ts';
import type { Policies } from './policies.ts';
import type { Publisher } from './publisher.ts';
import type { Serving } from './serving.ts';
import type { Shared } from './shared.ts';
import type { Targets } from './targets.ts';

export interface ManualParts {
  readonly targets: Targets;
  readonly deliveries: Deliveries;
  readonly outcomes: Outcomes;
  readonly attempts: Attempts;
  readonly deadLetters: DeadLetters;
  readonly publisher: Publisher;
  readonly components: Components;
  readonly policies: Policies;
  readonly intake: Intake;
  readonly serving: Serving;
  readonly app: (appId: string) => App | undefined;
}

const RETRIABLE = new Set<DeliveryState>(['retrying', 'parked', 'dropped', 'expired', 'dead-lettered']);
const DROPPABLE = new Set<DeliveryState>(['queued', 'held', 'retrying', 'parked']);
const HOLDABLE = new Set<DeliveryState>(['queued', 'retrying']);
const RELEASABLE = new Set<DeliveryState>(['held', 'attempting']);
const DEAD_LETTERABLE = new Set<DeliveryState>(['queued', 'held', 'retrying', 'parked', 'dropped']);

export class Manual {
  readonly #shared: Shared;
  readonly #parts: ManualParts;

  constructor(shared: Shared, parts: ManualParts) {
    this.#shared = shared;
    this.#parts = parts;
  }

  retry(target: DeliveryTarget): Promise<Changed> {
    return this.#each(target, RETRIABLE, (d) => this.#retry(d));
  }

  drop(target: DeliveryTarget): Promise<Changed> {
    return this.#each(
      target,
      DROPPABLE,
      (d) => this.#parts.deliveries.apply(d, { type: 'user.drop' }),
      async (message) => {
        await this.#parts.deliveries.patchMessage(message, { stage: 'dropped', heldBy: undefined });
        this.#parts.deliveries.published(message);
      },
    );
  }

  hold(target: DeliveryTarget): Promise<Changed> {
    return this.#each(target, HOLDABLE, (d) => {
      const done = this.#parts.deliveries.apply(d, { type: 'user.hold' });
      d.heldAt = 'delivery';
      return done;
    });
  }

  /** `changes` are for one delivery and its later attempts; `answer` is for a held response. */
  release(target: DeliveryTarget, changes?: MessageChanges, answer?: Answer): Promise<Changed> {
    return this.#each(
      target,
      RELEASABLE,
      (d) => this.#release(d, changes, answer),
      (message) => this.releaseMessage(message),
    );
  }

  deadLetter(target: DeliveryTarget, topic?: string): Promise<Changed> {
    return this.#each(target, DEAD_LETTERABLE, async (d) => {
      const to = this.#parts.outcomes.deadLetterTopic(d) ?? topic;
      if (d.state === null || !DEAD_LETTERABLE.has(d.state)) throw notAllowed(d, 'user.dead-letter');
      if (to === undefined) {
        throw new Refusal(
          'INVALID_PARAMS',
          { reason: 'the subscription has no dead-letter topic: topic must be given' },
          { field: 'topic', expected: 'a topic' },
        );
      }
      const copy = await this.#parts.deadLetters.copy(d, to);
      if (!copy.ok)
        throw new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', {
          topic: to,
          pubsubname: d.subscription.pubsubname,
          reason: copy.reason,
        });
      await this.#parts.deliveries.apply(d, { type: 'user.dead-letter' }, { note: copyNote(copy) });
    });
  }

  /** Publishes a message that a hold at `publish` stopped; refused by the component it stays held, with the reason. */
  async releaseMessage(message: LiveMessage): Promise<void> {
    const { appId, pubsubname, topic, heldBy } = message.row;
    const ready = this.#parts.publisher.component(appId, pubsubname, topic);
    const accepted = await this.#parts.publisher.handOver(ready, message);
    if (accepted.failed !== undefined)
      throw this.#parts.publisher.failure(pubsubname, topic, accepted.failed);
    if (heldBy !== undefined) message.releasedFrom = [...message.releasedFrom, heldBy];
    if (message.row.stage === 'held')
      await this.#parts.deliveries.patchMessage(message, { stage: undefined, heldBy: undefined });
    this.#shared.live.removeIfFinished(message);
  }

  /** Lets everything go that this hold caught. */
  async releaseHeldBy(holdId: string): Promise<void> {
    for (const message of this.#shared.live.staged()) {
      if (message.row.stage === 'held' && message.row.heldBy === holdId) await this.releaseMessage(message);
    }
    for (const d of [...this.#shared.live.deliveries()]) {
      if (d.heldBy === holdId && (d.state === 'held' || d.heldAnswer !== undefined))
        await this.#release(d, undefined, undefined);
    }
  }

  async #retry(d: LiveDelivery): Promise<void> {
    if (d.state === null || !RETRIABLE.has(d.state)) throw notAllowed(d, 'user.retry');
    await this.#routeAnew(d);
    const policy = this.#parts.policies.retryFor(d.subscription.pubsubname, d.message.row.topic);
    if (d.state !== 'retrying') d.roundStart = d.attemptCount;
    d.maxAttempts = policy.maxAttempts === 0 ? 0 : d.roundStart + policy.maxAttempts;
    // A person who retries an expired message wants it delivered: the TTL that has passed is waived.
    if (isExpired(d.expiresAtMs, this.#shared.clock.now())) d.expiresAtMs = undefined;
    await this.#parts.deliveries.apply(d, { type: 'user.retry' });
  }

  /** Chooses a route for a delivery that has none; refused with the reason when there still is none. */
  async #routeAnew(d: LiveDelivery): Promise<void> {
    if (d.route.path !== '') return;
    const app = this.#parts.app(d.appId);
    const active = app && this.#parts.serving.laneOf(app, d).active;
    if (active === undefined) throw notRouted(d, 'the app no longer subscribes to the topic');
    const wire = d.changedWire ?? (await this.#shared.live.wire(d.message));
    const found = this.#parts.intake.place(active.subscription, active, d.message, wire);
    if (found.kind === 'none')
      throw notRouted(d, 'no rule matches and the subscription has no default route');
    if (found.kind === 'undeliverable') throw notRouted(d, found.note);
    d.route = found.route;
  }

  async #release(
    d: LiveDelivery,
    changes: MessageChanges | undefined,
    answer: Answer | undefined,
  ): Promise<void> {
    if (d.heldAnswer !== undefined) {
      const changed =
        answer === undefined ? undefined : heldAnswerFrom(answer, d.entryId, this.#shared.codec);
      await this.#parts.attempts.releaseAnswer(d, changed);
      return;
    }
    if (d.state !== 'held') throw notAllowed(d, 'user.release');
    if (changes !== undefined) {
      const wire = d.changedWire ?? (await this.#shared.live.wire(d.message));
      d.changedWire = changeMessage(
        { wire, raw: d.message.row.raw, contentType: d.message.row.contentType },
        withoutTopic(changes),
        this.#shared.codec,
      ).wire;
    }
    if (d.heldBy !== undefined) d.releasedFrom = [...d.releasedFrom, d.heldBy];
    await this.#parts.deliveries.apply(
      d,
      { type: 'user.release' },
      changes === undefined ? {} : { note: 'Released with changes.' },
    );
  }

  async #each(
    target: DeliveryTarget,
    states: ReadonlySet<DeliveryState>,
    act: (d: LiveDelivery) => Promise<void>,
    actOnMessage?: (message: LiveMessage) => Promise<void>,
  ): Promise<Changed> {
    const found = await this.#parts.targets.find(target, states);
    const refused: { deliveryId: string; code: string; state: string }[] = found.unknown.map(
      (deliveryId) => ({
        deliveryId,
        code: 'NOT_FOUND',
        state: '',
      }),
    );
    let changed = 0;
    for (const d of found.deliveries) {
      try {
        if (d.busy !== undefined) await d.busy;
        await act(d);
        changed += 1;
      } catch (error) {
        if (!(error instanceof Refusal) || found.single) throw error;
        refused.push({ deliveryId: d.deliveryId, code: error.code, state: d.state ?? 'queued' });
      } finally {
        this.#shared.live.removeIfFinished(d.message);
      }
    }
    if (actOnMessage !== undefined) {
      for (const message of found.messages) {
        await actOnMessage(message);
        changed += 1;
      }
    }
    return refused.length === 0 ? { changed } : { changed, refused };
  }
}

/** A delivery cannot change its topic: that would be another message. */
function withoutTopic({ topic: _topic, ...changes }: MessageChanges): MessageChanges {
  return changes;
}

function notRouted(d: LiveDelivery, why: string): Refusal {
  return new Refusal(
    'TRANSITION_NOT_ALLOWED',
    { reason: `it has no route: ${why}` },
    { data: { state: d.state ?? 'queued', deliveryId: d.deliveryId } },
  );
}
