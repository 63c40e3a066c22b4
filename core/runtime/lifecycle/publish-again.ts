/** Republishes messages of the last run that their component may not have received, once it accepts publishes. */
import { clause, errorText } from '../../contract/error-text.ts';
import type { PublishAgainWait } from '../../contract/message.ts';
import { backoffMs } from '../../domain/backoff.ts';
import type { Cancel } from '../../ports/clock.ts';
import type { LastSubscriptions } from '../apps/last-subscriptions.ts';
import type { Components } from '../components/components.ts';
import type { Intake } from '../delivering/intake.ts';
import type { ComponentPublish } from '../publishing/component-publish.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { LiveMessage } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import { iso } from '../time/time.ts';

export interface PublishAgainDependencies {
  readonly components: Pick<Components, 'pubsub' | 'notReady'>;
  readonly deliveries: Deliveries;
  readonly componentPublish: Pick<ComponentPublish, 'send'>;
  readonly lastSubscriptions: Pick<LastSubscriptions, 'of'>;
  readonly intake: Pick<Intake, 'restore'>;
}

/** Reason for a new round: a change of the component or its files, its connection, or only the time. */
export type WhatChanged = 'component' | 'connection' | 'time';

/** A component that refuses messages. */
interface Trouble {
  readonly reason: string;
  /** Number of consecutive rounds that ended with a refusal. */
  readonly rounds: number;
  readonly nextTryMs: number;
}

const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;
/**
 * Number of rounds that a new connection starts at once. A message may itself end each connection, which must not repeat without pauses.
 */
const ROUNDS_AT_ONCE = 3;
/** Number of refusals after which a message no longer blocks those behind it. */
const KEEPS_BACK = 3;
/** Maximum number of refusals of one component in a round. */
const MAX_REFUSALS = 10;

export class PublishAgain {
  readonly #shared: Pick<SharedServices, 'clock' | 'timers' | 'log' | 'live'>;
  readonly #deps: PublishAgainDependencies;
  /** Messages whose component is not ready or refuses them, oldest first, with their number of refusals. */
  readonly #waiting = new Map<LiveMessage, number>();
  readonly #troubles = new Map<string, Trouble>();
  /** Components with a message waiting since the recovery: those behind it wait too, or they would overtake it. */
  readonly #keepsBack = new Set<string>();
  #timer: Cancel | undefined;
  /** The last round; the next one follows it. */
  #lastRound: Promise<void> = Promise.resolve();

  constructor(
    shared: Pick<SharedServices, 'clock' | 'timers' | 'log' | 'live'>,
    deps: PublishAgainDependencies,
  ) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /**
   * Publishes a message during the recovery, at least once: an app may get it twice, but none misses it. Its publisher may have its answer,
   * so the message waits if the component is not ready, may accept it later, or has another waiting message.
   * @returns whether it was published
   */
  async publish(message: LiveMessage): Promise<boolean> {
    const component = componentOf(message);
    const mayTry = !this.#keepsBack.has(component) && this.#isReachable(message);
    const result = mayTry ? await this.#try(message) : 'refused';
    if (result !== 'refused') return result === 'published';
    this.#keepsBack.add(component);
    await this.#keepWaiting(message);
    if (mayTry) this.#arm();
    return false;
  }

  /** Called when the recovery has passed all messages: those that only waited for an earlier one continue. */
  recovered(): Promise<void> {
    this.#keepsBack.clear();
    return this.goOn('time');
  }

  /** Publishes waiting messages that can go on now. A second call follows the running one. */
  goOn(changed: WhatChanged): Promise<void> {
    this.#lastRound = this.#lastRound.then(() => this.#round(changed));
    return this.#lastRound;
  }

  /** The reason why a message waits; undefined: it does not wait for a republish. */
  waitOf(message: LiveMessage): PublishAgainWait | undefined {
    if (!this.#waiting.has(message)) return undefined;
    const { appId, pubsubname } = message.row;
    const ready = this.#deps.components.pubsub(appId, pubsubname);
    if (ready === undefined) {
      const reason = this.#deps.components.notReady(appId, pubsubname);
      return { reason: reason ?? `There is no component ${pubsubname} now.` };
    }
    const lost = ready.pubsub.lost?.();
    const reason = lost?.reason ?? this.#troubles.get(componentOf(message))?.reason;
    if (reason === undefined) return undefined;
    const nextMs = lost === undefined ? this.#troubles.get(componentOf(message))?.nextTryMs : lost.nextTryMs;
    return nextMs === undefined ? { reason } : { reason, nextTryAt: iso(nextMs) };
  }

  async #round(changed: WhatChanged): Promise<void> {
    const refusals = new Map<string, number>();
    const mayTry = new Map<string, boolean>();
    for (const [message, before] of [...this.#waiting]) {
      if (message.isRemoved) this.#waiting.delete(message);
      const component = componentOf(message);
      // Decided once a round: its first refusal sets the time of the next round.
      if (!mayTry.has(component)) mayTry.set(component, this.#mayTry(message, changed));
      if (message.isRemoved || mayTry.get(component) !== true) continue;
      if ((await this.#try(message, refusals.has(component))) !== 'refused') {
        this.#waiting.delete(message);
        continue;
      }
      await this.#keepWaiting(message);
      this.#waiting.set(message, before + 1);
      const now = (refusals.get(component) ?? 0) + 1;
      refusals.set(component, now);
      if (before + 1 < KEEPS_BACK || now === MAX_REFUSALS) mayTry.set(component, false);
    }
    for (const [component, may] of mayTry)
      if (may && !refusals.has(component)) this.#troubles.delete(component);
    this.#arm();
  }

  /** Whether its component is ready and connected. */
  #isReachable({ row: { appId, pubsubname } }: LiveMessage): boolean {
    const ready = this.#deps.components.pubsub(appId, pubsubname);
    return ready !== undefined && ready.pubsub.lost?.() === undefined;
  }

  /** Whether its component may get a publish now. */
  #mayTry(message: LiveMessage, changed: WhatChanged): boolean {
    if (!this.#isReachable(message)) return false;
    const trouble = this.#troubles.get(componentOf(message));
    if (trouble === undefined || changed === 'component') return true;
    if (changed === 'connection' && trouble.rounds < ROUNDS_AT_ONCE) return true;
    return trouble.nextTryMs <= this.#shared.clock.now();
  }

  /** @param isSameRound whether its component has refused a message in this round */
  async #try(message: LiveMessage, isSameRound = false): Promise<'published' | 'ended' | 'refused'> {
    const { components, componentPublish } = this.#deps;
    const { appId, pubsubname, stage } = message.row;
    const ready = components.pubsub(appId, pubsubname);
    if (ready === undefined) return 'refused';
    if (stage === 'waiting') this.#endWait(message);
    if (!ready.pubsub.features.redelivers) {
      const failed = await this.#restoreDeliveries(message);
      if (failed !== undefined) {
        this.#noteRefusal(message, failed, isSameRound);
        return 'refused';
      }
    }
    // Published again even if it has deliveries: some subscriptions may have none, and the others recognise the message.
    const { failed, isForGood } = await componentPublish.send(ready, message, { isAgain: true });
    if (failed === undefined) return 'published';
    if (isForGood === true) {
      this.#endForGood(message, failed);
      return 'ended';
    }
    this.#noteRefusal(message, failed, isSameRound);
    return 'refused';
  }

  /**
   * Creates the deliveries that the message had before the restart and that had not reached the disk.
   * @returns why that is not possible
   */
  async #restoreDeliveries(message: LiveMessage): Promise<string | undefined> {
    const { lastSubscriptions, intake } = this.#deps;
    const earlier = lastSubscriptions.of(message.row);
    if (earlier.length === 0) return undefined;
    try {
      const wire = message.wire ?? (await this.#shared.live.wire(message));
      for (const one of earlier) intake.restore(message, one, wire);
      return undefined;
    } catch (error) {
      return errorText(error);
    }
  }

  /** Ends the wait of a message that the component will never accept: a person decides. */
  #endForGood(message: LiveMessage, failed: string): void {
    const { messageId, row } = message;
    const { pubsubname } = row;
    const hasDeliveries = message.deliveries.length > 0;
    const flag = `After a restart component ${pubsubname} refused it for good: ${clause(failed)}. Its publisher may have been told that it was accepted.`;
    void this.#deps.deliveries.patchMessage(message, {
      // A message with deliveries was in the component; only subscriptions without one miss it.
      stage: hasDeliveries ? undefined : 'refused',
      waitingFor: undefined,
      flags: [...flagsWithout(message, waitFlag(pubsubname)), flag],
    });
    this.#deps.deliveries.published(message);
    const text = `${pubsubname} refuses a message from before the restart for good: ${clause(failed)}. It is not published, and stays in the history: a replay publishes it again.`;
    this.#shared.log.write('warn', 'recovery', text, { messageId });
  }

  #noteRefusal(message: LiveMessage, failed: string, isSameRound: boolean): void {
    const component = componentOf(message);
    const { clock, log } = this.#shared;
    const before = this.#troubles.get(component);
    const rounds = (before?.rounds ?? 0) + (isSameRound ? 0 : 1);
    const nextTryMs = clock.now() + backoffMs(rounds, FIRST_PAUSE_MS, MAX_PAUSE_MS);
    this.#troubles.set(component, { reason: failed, rounds, nextTryMs });
    if (before?.reason === failed) return;
    const text = `${message.row.pubsubname} did not accept a message from before the restart, which waits for another try: ${clause(failed)}.`;
    log.write('warn', 'recovery', text, { messageId: message.messageId });
  }

  /** Sets one timer, for the earliest component. A lost or unready component reports its return, so it needs no timer. */
  #arm(): void {
    this.#timer?.();
    const waiting = new Map([...this.#waiting.keys()].map((message) => [componentOf(message), message]));
    let nextMs = Infinity;
    for (const [component, { nextTryMs }] of this.#troubles) {
      const message = waiting.get(component);
      if (message === undefined) this.#troubles.delete(component);
      else if (this.#isReachable(message)) nextMs = Math.min(nextMs, nextTryMs);
    }
    this.#timer =
      nextMs === Infinity ? undefined : this.#shared.timers.at(nextMs, () => void this.goOn('time'));
  }

  async #keepWaiting(message: LiveMessage): Promise<void> {
    this.#waiting.set(message, this.#waiting.get(message) ?? 0);
    // After another restart the row says so already. If it names apps, it says the wrong thing.
    if (message.row.stage === 'waiting' && message.row.waitingFor === undefined) return;
    const flag = waitFlag(message.row.pubsubname);
    const flags = [...flagsWithout(message, flag), flag];
    await this.#deps.deliveries.patchMessage(message, { stage: 'waiting', waitingFor: undefined, flags });
  }

  #endWait(message: LiveMessage): void {
    const flags = flagsWithout(message, waitFlag(message.row.pubsubname));
    void this.#deps.deliveries.patchMessage(message, {
      stage: undefined,
      flags: flags.length === 0 ? undefined : flags,
    });
  }
}

/** Key of the component as the message's app sees it: another app may have another one of this name. */
function componentOf({ row: { appId, pubsubname } }: LiveMessage): string {
  return JSON.stringify([appId, pubsubname]);
}

function waitFlag(pubsubname: string): string {
  return `Sidelight ended before it knew that component ${pubsubname} had this message. It is published again once the component is ready.`;
}

function flagsWithout({ row: { flags = [] } }: LiveMessage, flag: string): readonly string[] {
  return flags.filter((one) => one !== flag);
}
