/** Messages of the run before, of which it is not known whether their component had them: each is published again once that component is ready. */
import type { Components } from '../components/components.ts';
import type { Publisher } from '../publishing/publisher.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { LiveMessage } from '../state/live.ts';

export interface PublishAgainDependencies {
  readonly components: Pick<Components, 'pubsub'>;
  readonly deliveries: Deliveries;
  readonly publisher: Pick<Publisher, 'handOver'>;
}

export class PublishAgain {
  readonly #deps: PublishAgainDependencies;
  /** Those whose component is not ready, oldest first. */
  readonly #waiting = new Set<LiveMessage>();
  /** One round after another. */
  #going: Promise<void> = Promise.resolve();

  constructor(deps: PublishAgainDependencies) {
    this.#deps = deps;
  }

  /**
   * Publishes it, at least once: an app may get it twice, but none misses it. Its publisher may have been answered, so it waits where the
   * component is not ready. @returns whether it was published
   */
  async publish(message: LiveMessage): Promise<boolean> {
    const { components, deliveries, publisher } = this.#deps;
    const { appId, pubsubname, stage } = message.row;
    const ready = components.pubsub(appId, pubsubname);
    if (ready === undefined) {
      this.#waiting.add(message);
      const flag = waitFlag(pubsubname);
      const flags = flagsWithout(message, flag);
      // After a further restart the row says so already.
      if (stage !== 'waiting')
        await deliveries.patchMessage(message, { stage: 'waiting', flags: [...flags, flag] });
      return false;
    }
    if (stage === 'waiting') this.#noLongerWaits(message);
    // A broker that had it has handed it over meanwhile.
    if (message.deliveries.length > 0) deliveries.published(message);
    else await publisher.handOver(ready, message);
    return true;
  }

  /** Publishes what waited for a component that is ready now. */
  goOn(): Promise<void> {
    this.#going = this.#going.then(() => this.#goOn());
    return this.#going;
  }

  async #goOn(): Promise<void> {
    for (const message of this.#waiting) {
      const { appId, pubsubname } = message.row;
      if (!message.gone && this.#deps.components.pubsub(appId, pubsubname) === undefined) continue;
      this.#waiting.delete(message);
      if (!message.gone) await this.publish(message);
    }
  }

  #noLongerWaits(message: LiveMessage): void {
    const flags = flagsWithout(message, waitFlag(message.row.pubsubname));
    void this.#deps.deliveries.patchMessage(message, {
      stage: undefined,
      flags: flags.length === 0 ? undefined : flags,
    });
  }
}

function waitFlag(pubsubname: string): string {
  return `Sidelight ended before it knew that component ${pubsubname} had this message. It is published again once the component is ready.`;
}

function flagsWithout({ row: { flags = [] } }: LiveMessage, flag: string): readonly string[] {
  return flags.filter((one) => one !== flag);
}
