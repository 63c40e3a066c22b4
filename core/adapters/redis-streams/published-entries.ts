/** State of the entries that this instance published: delivered to this consumer or to another one, or lost by the server. */
import { errorText } from '../../contract/error-text.ts';
import type { Log } from '../../ports/log.ts';
import type { NotHandedOver } from '../not-handed-over.ts';
import { isReply } from './connection.ts';
import { isGroupMissing } from './group.ts';
import type { Group } from './group.ts';
import type { StreamEntry } from './layout.ts';

export interface PublishedEntriesDependencies {
  readonly group: Pick<Group, 'names' | 'isAlone' | 'has' | 'arePending'>;
  /** Entries that this instance published and nobody here has read yet: the server may have lost them. */
  readonly notHandedOver: NotHandedOver;
  /** Whether each publish trims its stream. */
  readonly trims: boolean;
  /** Called with messages that this instance published and the server lost before it delivered them. */
  readonly onLost: (messageIds: readonly string[]) => void;
  /** Does the work after a delay, and handles its error. */
  readonly later: (ms: number, work: () => Promise<void>) => void;
  readonly log: Log;
}

/** Time after an empty read until Redis is asked about entries that this consumer did not receive. */
const ASK_MS = 1_000;
/** Maximum number of remembered ids of entries that arrived before the reply to their publish, or that others published; the oldest go. */
const MAX_SEEN_FIRST = 10_000;

export class PublishedEntries {
  readonly #deps: PublishedEntriesDependencies;
  readonly #notHandedOver: NotHandedOver;
  readonly #seenFirst = new Set<string>();
  /** Mark of the newest read that found nothing more. */
  #passed = 0;
  #isAsking = false;
  /** Last error of Redis to a question, so that it is logged once. */
  #lastLogged = '';

  constructor(deps: PublishedEntriesDependencies) {
    this.#deps = deps;
    this.#notHandedOver = deps.notHandedOver;
  }

  /** Called with the reply to a publish: the entry is in the stream. The entry itself may have arrived before this reply. */
  added(id: string, messageId: string): void {
    if (!this.#seenFirst.delete(id)) this.#notHandedOver.published(id, messageId);
  }

  /** Called with entries that this consumer has received. */
  seen(given: readonly StreamEntry[]): void {
    for (const { id } of given) {
      if (this.#notHandedOver.seen(id)) continue;
      this.#seenFirst.add(id);
      if (this.#seenFirst.size > MAX_SEEN_FIRST) this.#forgetOldest();
    }
  }

  /** Mark of the newest publish; take it before a read is sent. */
  mark(): number {
    return this.#notHandedOver.mark();
  }

  /** Called when a read that was sent at this mark found nothing more: another consumer has received the missing entries, or nobody. */
  passed(mark: number): void {
    this.#passed = mark;
    if (this.#isAsking || !this.#notHandedOver.hasBefore(mark)) return;
    this.#isAsking = true;
    this.#deps.later(ASK_MS, async () => {
      this.#isAsking = false;
      await this.#ask(this.#passed);
    });
  }

  /** Reports entries that are no longer in the stream: the server may have lost them, and then nobody will receive them. */
  async askForLost(): Promise<void> {
    this.#seenFirst.clear();
    // A group that was created again delivers all entries of the stream again.
    this.#passed = 0;
    if (this.#notHandedOver.size === 0) return;
    const { group, onLost } = this.#deps;
    const messageIds = await this.#notHandedOver.lost(async (ids) => group.has(ids));
    if (messageIds.length > 0) onLost(messageIds);
  }

  async #ask(mark: number): Promise<void> {
    try {
      await this.#settle(mark);
    } catch (error) {
      // The user of Redis may lack the permission to ask. Then all entries count as delivered to others.
      if (!isReply(error) || isGroupMissing(error)) throw error;
      this.#notHandedOver.caughtUp(mark);
      const line = `Sidelight cannot ask Redis what became of entries that other consumers may have: ${errorText(error)}`;
      if (line !== this.#lastLogged) this.#deps.log.write('warn', 'redis', line);
      this.#lastLogged = line;
    }
  }

  async #settle(mark: number): Promise<void> {
    const { group, trims, onLost } = this.#deps;
    const isAlone = await group.isAlone();
    // A stream loses its oldest entries first, or all. If others read too, one answer is enough for the entries that they received.
    if (!isAlone && (await this.#isOldestThere())) {
      this.#notHandedOver.caughtUp(mark);
      return;
    }
    const lost = await this.#notHandedOver.lost(async (ids) => group.has(ids), mark);
    const there = this.#notHandedOver.caughtUp(mark);
    if (isAlone) this.#logPassedOver(await group.arePending(there));
    if (lost.length === 0) return;
    // If publishes trim the stream, another consumer may have received an entry that was trimmed since.
    if (isAlone || !trims) onLost(lost);
    else
      this.#logLeft(lost.length, ['is trimmed', 'are trimmed'], 'Another consumer of the group may have had');
  }

  async #isOldestThere(): Promise<boolean> {
    const { oldest, hasReplaced } = this.#notHandedOver;
    if (hasReplaced) return false;
    return oldest === undefined || (await this.#deps.group.has([oldest]))[0] === true;
  }

  /**
   * Logs entries that no consumer will receive.
   * @param pending for each existing entry that this consumer did not receive: whether a consumer works on it
   */
  #logPassedOver(pending: readonly boolean[]): void {
    const count = pending.filter((isPending) => !isPending).length;
    if (count === 0) return;
    const how =
      'Somebody has moved the group forward (XGROUP SETID or CREATE), or a consumer that has left had';
    this.#logLeft(count, ['is in Redis still', 'are in Redis still'], how);
  }

  #logLeft(count: number, is: readonly [one: string, several: string], who: string): void {
    const { topic, group } = this.#deps.group.names;
    const text =
      count === 1
        ? `1 message of ${topic} that was published here and never handed to ${group} here ${is[0]}. ${who} it. It stays in the history, and a replay delivers it.`
        : `${count} messages of ${topic} that were published here and never handed to ${group} here ${is[1]}. ${who} them. They stay in the history, and a replay delivers them.`;
    this.#deps.log.write('warn', 'redis', text);
  }

  #forgetOldest(): void {
    for (const oldest of this.#seenFirst) {
      this.#seenFirst.delete(oldest);
      return;
    }
  }
}
