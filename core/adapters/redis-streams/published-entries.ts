/** What became of the entries that were published here: this consumer was given them, another one was, or the server has lost them. */
import { errorText } from '../../contract/error-text.ts';
import type { Log } from '../../ports/log.ts';
import type { NotHandedOver } from '../not-handed-over.ts';
import { isReply } from './connection.ts';
import { isGroupMissing } from './group.ts';
import type { Group } from './group.ts';
import type { StreamEntry } from './layout.ts';

export interface PublishedEntriesDependencies {
  readonly group: Pick<Group, 'names' | 'isAlone' | 'has' | 'arePending'>;
  /** Entries that were published here and not read yet: the server may have lost them. */
  readonly notHandedOver: NotHandedOver;
  /** Streams are trimmed with publishes. */
  readonly trims: boolean;
  /** Told of messages that were published here and that the server lost before it handed them over. */
  readonly onLost: (messageIds: readonly string[]) => void;
  /** Does the work after so many milliseconds, and handles its error. */
  readonly later: (ms: number, work: () => Promise<void>) => void;
  readonly log: Log;
}

/** Time after a read that found nothing more, until Redis is asked what became of entries that this consumer was not given. */
const ASK_MS = 1_000;
/** Ids of entries that came before the answer to their publish, or that others published; the oldest are forgotten. */
const MOST_SEEN_FIRST = 10_000;

export class PublishedEntries {
  readonly #deps: PublishedEntriesDependencies;
  readonly #notHandedOver: NotHandedOver;
  readonly #seenFirst = new Set<string>();
  /** The mark at which the newest read was sent that found nothing more. */
  #passed = 0;
  #isAsking = false;
  /** The last refusal of a question, so that it is logged once. */
  #told = '';

  constructor(deps: PublishedEntriesDependencies) {
    this.#deps = deps;
    this.#notHandedOver = deps.notHandedOver;
  }

  /** The answer to a publish: the entry is in the stream. The entry itself may have come before its answer. */
  added(id: string, messageId: string): void {
    if (!this.#seenFirst.delete(id)) this.#notHandedOver.published(id, messageId);
  }

  /** This consumer was given these entries. */
  seen(given: readonly StreamEntry[]): void {
    for (const { id } of given) {
      if (this.#notHandedOver.seen(id)) continue;
      this.#seenFirst.add(id);
      if (this.#seenFirst.size > MOST_SEEN_FIRST) this.#forgetOldest();
    }
  }

  /** To be taken before a read is sent. */
  mark(): number {
    return this.#notHandedOver.mark();
  }

  /** A read that was sent at this mark found nothing more: what this consumer was not given somebody else was, or nobody. */
  passed(mark: number): void {
    this.#passed = mark;
    if (this.#isAsking || !this.#notHandedOver.hasBefore(mark)) return;
    this.#isAsking = true;
    this.#deps.later(ASK_MS, async () => {
      this.#isAsking = false;
      await this.#ask(this.#passed);
    });
  }

  /** Reports what is no longer in the stream: the server may have lost it, and then nobody will receive it. */
  async askForLost(): Promise<void> {
    this.#seenFirst.clear();
    // In a group that was made again, what is there is handed over again.
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
      // A user of Redis may not be allowed to ask. Then all counts as handed to others.
      if (!isReply(error) || isGroupMissing(error)) throw error;
      this.#notHandedOver.caughtUp(mark);
      const line = `Sidelight cannot ask Redis what became of entries that other consumers may have: ${errorText(error)}`;
      if (line !== this.#told) this.#deps.log.write('warn', 'redis', line);
      this.#told = line;
    }
  }

  async #settle(mark: number): Promise<void> {
    const { group, trims, onLost } = this.#deps;
    const isAlone = await group.isAlone();
    // A stream loses its oldest entries first, or all. Where others read too, one answer is enough for what they were given.
    if (!isAlone && (await this.#isOldestThere())) {
      this.#notHandedOver.caughtUp(mark);
      return;
    }
    const lost = await this.#notHandedOver.lost(async (ids) => group.has(ids), mark);
    const there = this.#notHandedOver.caughtUp(mark);
    if (isAlone) this.#tellPassedOver(await group.arePending(there));
    if (lost.length === 0) return;
    // Where publishes trim the stream, another consumer may have had an entry that has gone since.
    if (isAlone || !trims) onLost(lost);
    else
      this.#tellLeft(
        lost.length,
        ['is trimmed', 'are trimmed'],
        'Another consumer of the group may have had',
      );
  }

  async #isOldestThere(): Promise<boolean> {
    const { oldest, hasReplaced } = this.#notHandedOver;
    if (hasReplaced) return false;
    return oldest === undefined || (await this.#deps.group.has([oldest]))[0] === true;
  }

  /** @param pending for each entry that is there and that this consumer was not given: whether somebody works on it */
  #tellPassedOver(pending: readonly boolean[]): void {
    const count = pending.filter((isPending) => !isPending).length;
    if (count === 0) return;
    const how =
      'Somebody has moved the group forward (XGROUP SETID or CREATE), or a consumer that has left had';
    this.#tellLeft(count, ['is in Redis still', 'are in Redis still'], how);
  }

  #tellLeft(count: number, is: readonly [one: string, several: string], who: string): void {
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
