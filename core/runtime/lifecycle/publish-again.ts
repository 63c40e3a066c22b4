/** Messages of the run before, of which it is not known whether their component had them: each is published again once that component is ready. */
import { clause } from '../../contract/error-text.ts';
import type { Components } from '../components/components.ts';
import type { Publisher } from '../publishing/publisher.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { LiveMessage } from '../state/live.ts';
import type { Shared } from '../common.ts';

export interface PublishAgainDependencies {
  readonly components: Pick<Components, 'pubsub'>;
  readonly deliveries: Deliveries;
  readonly publisher: Pick<Publisher, 'handOver'>;
  readonly log: Pick<Shared['log'], 'write'>;
}

export class PublishAgain {
  readonly #deps: PublishAgainDependencies;
  /** Messages whose component is not ready, oldest first. */
  readonly #waiting = new Set<LiveMessage>();
  /** One round after another. */
  #going: Promise<void> = Promise.resolve();

  constructor(deps: PublishAgainDependencies) {
    this.#deps = deps;
  }

  /**
   * Publishes it, at least once: an app may get it twice, but none misses it. Its publisher may have been answered, so it waits where the
   * component is not ready, or refuses it. @returns whether it was published
   */
  async publish(message: LiveMessage): Promise<boolean> {
    const { components, publisher } = this.#deps;
    const { appId, pubsubname, stage } = message.row;
    const ready = components.pubsub(appId, pubsubname);
    if (ready !== undefined) {
      if (stage === 'waiting') this.#noLongerWaits(message);
      // Also where it has deliveries: some subscriptions may have none, and the others know the message again.
      const { failed } = await publisher.handOver(ready, message, { isAgain: true });
      if (failed === undefined) return true;
      this.#sayRefused(message, failed);
    }
    await this.#waits(message);
    return false;
  }

  /** Publishes what waited for a component that is ready now. */
  goOn(): Promise<void> {
    this.#going = this.#going.then(() => this.#goOn());
    return this.#going;
  }

  async #goOn(): Promise<void> {
    const refused = new Set<string>();
    for (const message of [...this.#waiting]) {
      const { appId, pubsubname } = message.row;
      const isMissing = this.#deps.components.pubsub(appId, pubsubname) === undefined;
      if (!message.gone && (isMissing || refused.has(pubsubname))) continue;
      this.#waiting.delete(message);
      if (!message.gone && !(await this.publish(message))) refused.add(pubsubname);
    }
  }

  async #waits(message: LiveMessage): Promise<void> {
    this.#waiting.add(message);
    // After a further restart the row says so already.
    if (message.row.stage === 'waiting') return;
    const flag = waitFlag(message.row.pubsubname);
    const flags = [...flagsWithout(message, flag), flag];
    await this.#deps.deliveries.patchMessage(message, { stage: 'waiting', waitingFor: undefined, flags });
  }

  #sayRefused({ messageId, row: { pubsubname } }: LiveMessage, failed: string): void {
    const text = `${pubsubname} did not take a message from before the restart, which waits for another try: ${clause(failed)}.`;
    this.#deps.log.write('warn', 'recovery', text, { messageId });
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
