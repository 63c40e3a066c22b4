/** Messages held at `publish`: released by hand or by time, dropped, expired. They have no deliveries yet. */
import type { MessageChanges } from '../../contract/publish.ts';
import { errorText } from '../../contract/error-text.ts';
import { Refusal } from '../../domain/refusal.ts';
import { isExpired } from '../../domain/ttl.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { LiveMessage } from '../state/live.ts';
import { editHeld } from './held-edit.ts';
import type { Acceptance } from './acceptance.ts';
import type { ComponentPublish } from './component-publish.ts';
import { publishFailure } from './publish-checks.ts';
import type { PublishChecks } from './publish-checks.ts';
import type { SharedServices } from '../common-services.ts';
import { msOf } from '../time/time.ts';

export interface HeldAtPublishDependencies {
  readonly deliveries: Deliveries;
  readonly checks: PublishChecks;
  readonly acceptance: Acceptance;
  readonly componentPublish: ComponentPublish;
}

export class HeldAtPublish {
  readonly #shared: SharedServices;
  readonly #deliveries: Deliveries;
  readonly #checks: PublishChecks;
  readonly #acceptance: Acceptance;
  readonly #componentPublish: ComponentPublish;
  readonly #releasing = new Map<string, Promise<void>>();

  constructor(
    shared: SharedServices,
    { deliveries, checks, acceptance, componentPublish }: HeldAtPublishDependencies,
  ) {
    this.#shared = shared;
    this.#deliveries = deliveries;
    this.#checks = checks;
    this.#acceptance = acceptance;
    this.#componentPublish = componentPublish;
  }

  /**
   * Sets the timers of the TTL and of the hold's automatic release.
   * @param releaseAtMs ms since 1970
   */
  arm(message: LiveMessage, releaseAtMs: number | undefined): void {
    const { timers } = this.#shared;
    message.cancelTimers();
    const { expiresAt } = message.row;
    if (expiresAt !== undefined) message.arm(timers, msOf(expiresAt), () => this.#ttlPassed(message));
    if (releaseAtMs !== undefined) message.arm(timers, releaseAtMs, () => void this.#releaseByTime(message));
  }

  /**
   * Publishes the message with `changes`. Throws Refusal; then it stays held, with the reason. A second release joins the running one; one
   * with changes waits for its end, because the running one ignores them.
   */
  async release(message: LiveMessage, changes?: MessageChanges): Promise<void> {
    const { messageId } = message;
    for (;;) {
      const underWay = this.#releasing.get(messageId);
      if (underWay === undefined) break;
      if (changes === undefined) return underWay;
      await underWay.catch(() => undefined);
    }
    const releasing = this.#release(message, changes).finally(() => this.#releasing.delete(messageId));
    this.#releasing.set(messageId, releasing);
    return releasing;
  }

  /** Drops the message. Throws Refusal TRANSITION_NOT_ALLOWED if it was released just now. */
  async drop(message: LiveMessage): Promise<void> {
    // A failed release is reported to its own caller; here only its end counts.
    await this.#releasing.get(message.messageId)?.catch(() => undefined);
    mustBeHeld(message);
    await this.#end(message, 'dropped');
  }

  async #release(message: LiveMessage, changes: MessageChanges | undefined): Promise<void> {
    mustBeHeld(message);
    const { appId, pubsubname, heldBy } = message.row;
    const topic = changes?.topic ?? message.row.topic;
    if (await this.#expire(message)) return;
    const ready = this.#checks.component(appId, pubsubname, topic);
    if (changes !== undefined) {
      this.#checks.authorise(ready, appId, topic);
      this.#checks.checkContentType({ pubsubname, topic }, changes.contentType);
      await this.#change(message, changes);
      mustBeHeld(message);
    }
    const releasedFrom = heldBy === undefined ? message.releasedFrom : [...message.releasedFrom, heldBy];
    if (await this.#acceptance.isCaughtNext(message, releasedFrom)) return;
    mustBeHeld(message);
    const accepted = await this.#componentPublish.send(ready, message, { releasedFrom });
    if (accepted.failed !== undefined) throw publishFailure(pubsubname, topic, accepted.failed);
    this.#leave(message);
  }

  /** Writes the changes to the journal first, so that the history has the message as published. */
  async #change(message: LiveMessage, changes: MessageChanges): Promise<void> {
    const { live, timers } = this.#shared;
    const { pubsubname, topic, expiresAt } = message.row;
    const before = live.bodyBytes(message);
    const edited = editHeld(this.#shared, message, await live.wire(message), changes);
    const noRoom = live.backlog.fullWith(message.row, live.sizeOf(edited.content.wire) - before);
    if (noRoom !== undefined) throw publishFailure(pubsubname, topic, noRoom);
    try {
      await this.#deliveries.rewrite(message, edited);
    } catch (error) {
      const reason = errorText(error);
      throw publishFailure(pubsubname, topic, reason);
    }
    const { expiresAt: next } = message.row;
    if (next === undefined || next === expiresAt) return;
    message.arm(timers, msOf(next), () => this.#ttlPassed(message));
  }

  /**
   * Expires the message if its TTL has passed.
   * @returns whether the TTL has passed
   */
  async #expire(message: LiveMessage): Promise<boolean> {
    const { expiresAt, stage } = message.row;
    if (expiresAt === undefined || stage !== 'held') return false;
    if (!isExpired(msOf(expiresAt), this.#shared.clock.now())) return false;
    this.#shared.log.write('warn', 'holds', 'The message expired while it was held.', {
      messageId: message.messageId,
      rule: 'ttl.expired',
    });
    await this.#end(message, 'expired');
    return true;
  }

  async #end(message: LiveMessage, stage: 'dropped' | 'expired'): Promise<void> {
    const written = this.#deliveries.patchMessage(message, { stage, heldBy: undefined });
    this.#deliveries.published(message);
    this.#leave(message);
    await written;
  }

  #ttlPassed(message: LiveMessage): void {
    const releasing = this.#releasing.get(message.messageId);
    // A message that is being released expires only if its publish is refused.
    if (releasing === undefined) void this.#expire(message);
    else
      releasing.then(
        () => undefined,
        () => this.#expire(message),
      );
  }

  async #releaseByTime(message: LiveMessage): Promise<void> {
    if (!isHeld(message)) return;
    try {
      await this.release(message);
    } catch (error) {
      if (message.isRemoved) return;
      const reason = errorText(error);
      this.#shared.log.write('error', 'holds', `A held message could not be released: ${reason}`, {
        messageId: message.messageId,
      });
    }
  }

  #leave(message: LiveMessage): void {
    message.cancelTimers();
    this.#shared.live.removeIfFinished(message);
  }
}

/** Whether the message is still held: not published, dropped, expired or removed meanwhile. */
export function isHeld({ row, isRemoved }: LiveMessage): boolean {
  return row.stage === 'held' && !isRemoved;
}

/** Throws Refusal TRANSITION_NOT_ALLOWED. */
function mustBeHeld(message: LiveMessage): void {
  if (isHeld(message)) return;
  throw new Refusal(
    'TRANSITION_NOT_ALLOWED',
    { reason: 'the message is no longer held' },
    { data: { state: message.row.stage ?? 'published', messageId: message.messageId } },
  );
}
