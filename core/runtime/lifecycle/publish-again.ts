/** Messages of the run before, of which it is not known whether their component had them: each is published again once that component takes it. */
import { clause } from '../../contract/error-text.ts';
import type { PublishAgainWait } from '../../contract/message.ts';
import type { Cancel } from '../../ports/clock.ts';
import type { Components } from '../components/components.ts';
import type { Publisher } from '../publishing/publisher.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { LiveMessage } from '../state/live.ts';
import type { Shared } from '../common.ts';
import { iso } from '../time/time.ts';

export interface PublishAgainDependencies {
  readonly components: Pick<Components, 'pubsub' | 'notReady'>;
  readonly deliveries: Deliveries;
  readonly publisher: Pick<Publisher, 'handOver'>;
}

/** What may have changed: the component or its files, its connection, or only the time. */
export type WhatChanged = 'component' | 'connection' | 'time';

/** A component that refuses messages. */
interface Trouble {
  readonly reason: string;
  /** Rounds in a row that ended with a refusal. */
  readonly rounds: number;
  readonly nextTryMs: number;
}

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Rounds that a new connection starts at once. A message may itself end each connection, which must not go on without a pause. */
const ROUNDS_AT_ONCE = 3;
/** Refusals after which a message no longer keeps back those behind it. */
const KEEPS_BACK = 3;
/** Most refusals of one component in a round. */
const MOST_REFUSALS = 10;

export class PublishAgain {
  readonly #shared: Pick<Shared, 'clock' | 'timers' | 'log'>;
  readonly #deps: PublishAgainDependencies;
  /** Messages whose component is not ready, or refuses them, oldest first; how often it did. */
  readonly #waiting = new Map<LiveMessage, number>();
  readonly #troubles = new Map<string, Trouble>();
  /** Components of which a message waits since the recovery: those behind it wait too, or they would go out before it. */
  readonly #keepsBack = new Set<string>();
  #timer: Cancel | undefined;
  /** One round after another. */
  #going: Promise<void> = Promise.resolve();

  constructor(shared: Pick<Shared, 'clock' | 'timers' | 'log'>, deps: PublishAgainDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /**
   * Publishes it during the recovery, at least once: an app may get it twice, but none misses it. Its publisher may have been answered, so it
   * waits where the component is not ready, refuses it and may take it later, or has another that waits. @returns whether it was published
   */
  async publish(message: LiveMessage): Promise<boolean> {
    const component = componentOf(message);
    const mayTry = !this.#keepsBack.has(component) && this.#isReachable(message);
    const result = mayTry ? await this.#try(message) : 'refused';
    if (result !== 'refused') return result === 'published';
    this.#keepsBack.add(component);
    await this.#waits(message);
    if (mayTry) this.#arm();
    return false;
  }

  /** The recovery has given all messages: those that only waited for one before them go on. */
  recovered(): Promise<void> {
    this.#keepsBack.clear();
    return this.goOn('time');
  }

  /** Publishes what waited and can go on now. Calls join. */
  goOn(changed: WhatChanged): Promise<void> {
    this.#going = this.#going.then(() => this.#goOn(changed));
    return this.#going;
  }

  /** What a message waits for; undefined: it does not wait to be published again. */
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

  async #goOn(changed: WhatChanged): Promise<void> {
    const refusals = new Map<string, number>();
    const mayTry = new Map<string, boolean>();
    for (const [message, before] of [...this.#waiting]) {
      if (message.gone) this.#waiting.delete(message);
      const component = componentOf(message);
      // Decided once a round: the first refusal of it sets the time of the next one.
      if (!mayTry.has(component)) mayTry.set(component, this.#mayTry(message, changed));
      if (message.gone || mayTry.get(component) !== true) continue;
      if ((await this.#try(message, refusals.has(component))) !== 'refused') {
        this.#waiting.delete(message);
        continue;
      }
      await this.#waits(message);
      this.#waiting.set(message, before + 1);
      const now = (refusals.get(component) ?? 0) + 1;
      refusals.set(component, now);
      if (before + 1 < KEEPS_BACK || now === MOST_REFUSALS) mayTry.set(component, false);
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

  /** Whether its component may be asked now. */
  #mayTry(message: LiveMessage, changed: WhatChanged): boolean {
    if (!this.#isReachable(message)) return false;
    const trouble = this.#troubles.get(componentOf(message));
    if (trouble === undefined || changed === 'component') return true;
    if (changed === 'connection' && trouble.rounds < ROUNDS_AT_ONCE) return true;
    return trouble.nextTryMs <= this.#shared.clock.now();
  }

  /** @param isSameRound this round had a refusal of its component before */
  async #try(message: LiveMessage, isSameRound = false): Promise<'published' | 'ended' | 'refused'> {
    const { components, publisher } = this.#deps;
    const { appId, pubsubname, stage } = message.row;
    const ready = components.pubsub(appId, pubsubname);
    if (ready === undefined) return 'refused';
    if (stage === 'waiting') this.#noLongerWaits(message);
    // Also where it has deliveries: some subscriptions may have none, and the others know the message again.
    const { failed, isForGood } = await publisher.handOver(ready, message, { isAgain: true });
    if (failed === undefined) return 'published';
    if (isForGood === true) {
      this.#ends(message, failed);
      return 'ended';
    }
    this.#refused(message, failed, isSameRound);
    return 'refused';
  }

  /** The component will never take it: a person decides. */
  #ends(message: LiveMessage, failed: string): void {
    const { messageId, row } = message;
    const { pubsubname } = row;
    const hasDeliveries = message.deliveries.length > 0;
    const flag = `After a restart component ${pubsubname} refused it for good: ${clause(failed)}. Its publisher may have been told that it was accepted.`;
    void this.#deps.deliveries.patchMessage(message, {
      // What has deliveries was in the component, and only those that have none miss it.
      stage: hasDeliveries ? undefined : 'refused',
      waitingFor: undefined,
      flags: [...flagsWithout(message, waitFlag(pubsubname)), flag],
    });
    this.#deps.deliveries.published(message);
    const text = `${pubsubname} refuses a message from before the restart for good: ${clause(failed)}. It is not published, and stays in the history: a replay publishes it again.`;
    this.#shared.log.write('warn', 'recovery', text, { messageId });
  }

  #refused(message: LiveMessage, failed: string, isSameRound: boolean): void {
    const component = componentOf(message);
    const { clock, log } = this.#shared;
    const before = this.#troubles.get(component);
    const rounds = (before?.rounds ?? 0) + (isSameRound ? 0 : 1);
    const nextTryMs = clock.now() + Math.min(FIRST_PAUSE_MS * 2 ** (rounds - 1), LONGEST_PAUSE_MS);
    this.#troubles.set(component, { reason: failed, rounds, nextTryMs });
    if (before?.reason === failed) return;
    const text = `${message.row.pubsubname} did not take a message from before the restart, which waits for another try: ${clause(failed)}.`;
    log.write('warn', 'recovery', text, { messageId: message.messageId });
  }

  /** One timer, for the component whose turn comes first. One that is lost or not ready tells when it is back, so no time counts for it. */
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

  async #waits(message: LiveMessage): Promise<void> {
    this.#waiting.set(message, this.#waiting.get(message) ?? 0);
    // After a further restart the row says so already. With apps it says that they are waited for, which is not so.
    if (message.row.stage === 'waiting' && message.row.waitingFor === undefined) return;
    const flag = waitFlag(message.row.pubsubname);
    const flags = [...flagsWithout(message, flag), flag];
    await this.#deps.deliveries.patchMessage(message, { stage: 'waiting', waitingFor: undefined, flags });
  }

  #noLongerWaits(message: LiveMessage): void {
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
