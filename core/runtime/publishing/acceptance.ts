/** Accepts messages: gives them a number, holds or journals them, and passes them on to their component. */
import { errorText } from '../../contract/error-text.ts';
import type { Hold } from '../../contract/hold.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { Caught } from '../../domain/hold.ts';
import { lastMade, SMALL_BODY_BYTES } from '../../domain/last-made.ts';
import type { JournalRecord } from '../../ports/journal.ts';
import type { SharedServices } from '../common-services.ts';
import type { ReadyPubSub } from '../components/components.ts';
import type { Size } from '../../domain/backlog.ts';
import { sizeOf } from '../state/backlog.ts';
import type { Deliveries } from '../state/delivery.ts';
import type { Holds } from '../state/holds.ts';
import { liveWithout } from '../state/live.ts';
import type { LiveMessage } from '../state/live.ts';
import type { Waits } from '../time/waits.ts';
import type { Accepted, ComponentPublish } from './component-publish.ts';
import { PublishRemarks } from './publish-remarks.ts';
import { newMessage } from './new-message.ts';
import type { AcceptFacts } from './new-message.ts';
import { publishFailure } from './publish-checks.ts';

/** A message that is accepted: a publish, a copy on a dead-letter topic, or such a copy that comes back to its topic. */
type AcceptedKind = 'publish' | 'dead-letter' | 'returning-dead-letter';

/** Flag of a message that its broker had accepted before the disk failed. */
const NOT_SYNCED =
  'Its publisher got an error because the disk failed. The component already had the message.';

/** Time that a refusal stays visible: a full backlog still accepts single publishes, many times a second. */
const SHOWN_MS = 5000;

export interface AcceptanceDependencies {
  readonly deliveries: Deliveries;
  readonly holds: Holds;
  readonly componentPublish: ComponentPublish;
  /** Pauses between attempts to publish; they end when the runtime stops. */
  readonly waits: Waits;
}

export class Acceptance {
  readonly #shared: SharedServices;
  readonly #deliveries: Deliveries;
  readonly #holds: Holds;
  readonly #componentPublish: ComponentPublish;
  readonly #waits: Waits;
  readonly #remarks: PublishRemarks;
  #lastNumber = 0;
  /** Last refusal for a full backlog. */
  #refused = { reason: '', atMs: -Infinity };

  constructor(
    shared: SharedServices,
    { deliveries, holds, componentPublish, waits }: AcceptanceDependencies,
  ) {
    this.#shared = shared;
    this.#deliveries = deliveries;
    this.#holds = holds;
    this.#componentPublish = componentPublish;
    this.#waits = waits;
    this.#remarks = new PublishRemarks(shared.log);
  }

  get stopping(): boolean {
    return this.#waits.ended;
  }

  /** Refuses further publishes. A publish that waits for another attempt ends with the error of the last one. */
  stop(): void {
    this.#waits.end();
  }

  continueFrom(lastNumber: number): void {
    this.#lastNumber = lastNumber;
  }

  /** Takes the number of a message that is made later. */
  takeNumber(): number {
    this.#lastNumber += 1;
    return this.#lastNumber;
  }

  /** Number of the newest message. */
  get lastNumber(): number {
    return this.#lastNumber;
  }

  /** Why this publish is refused now; undefined: it is accepted. */
  closedReason(facts: AcceptFacts): string | undefined {
    if (this.stopping) return 'the sidecar is stopping';
    const full = this.#shared.live.backlog.full(facts, this.#sizeOf(facts));
    return full === undefined ? undefined : full + this.#componentPublish.awaitedApp(facts.pubsubname);
  }

  #sizeOf({ wrapped, metadata }: AcceptFacts): Size {
    return sizeOf(metadata, this.#shared.live.sizeOf(wrapped.wire));
  }

  /**
   * Why publishes are refused because the backlog is full; undefined: they are accepted. The last reason stays for some seconds, because a
   * full backlog accepts single publishes in between.
   */
  get refuses(): string | undefined {
    const { reason, atMs } = this.#refused;
    const { live, clock } = this.#shared;
    return live.backlog.fullForAll ?? (clock.now() < atMs + SHOWN_MS ? reason : undefined);
  }

  /**
   * Journals the message, then publishes it to the component. Throws Refusal, or rejects with it, only if nothing was stored.
   * @param onAccepted called once there is room for it, before it is counted
   */
  accept(
    ready: ReadyPubSub,
    facts: AcceptFacts,
    kind: AcceptedKind = 'publish',
    onAccepted?: () => void,
  ): Accepted | Promise<Accepted> {
    const closed = kind === 'publish' ? this.closedReason(facts) : this.#noCopyReason(facts, kind);
    if (closed !== undefined) {
      if (kind === 'publish' && !this.stopping)
        this.#refused = { reason: closed, atMs: this.#shared.clock.now() };
      throw publishFailure(facts.pubsubname, facts.topic, closed);
    }
    onAccepted?.();
    const message = this.#message(facts);
    if (message.row.flags !== undefined) this.#remarks.note(message.row);
    if (message.row.sizeBytes <= SMALL_BODY_BYTES) {
      lastMade.facts = facts;
      lastMade.message = message;
    }
    const { live } = this.#shared;
    const expectedBy = this.#componentPublish.expectedBy(ready, facts.topic);
    if (expectedBy !== undefined) message.changeRow({ ...message.row, expectedBy });
    const hold = this.#holdAtPublish(message);
    if (hold === undefined && ready.pubsub.features.redelivers)
      return this.#journalWhilePublishing(
        ready,
        message,
        facts,
        live.backlog.begin(message, live.bodyBytes(message)),
      );
    const kept = this.#journal(message);
    if (kept !== undefined) return this.#acceptAfterJournal(ready, message, facts, { hold, kept });
    return this.#publishOrHold(ready, message, facts, hold);
  }

  /** Continues with a message that the journal has. */
  #publishOrHold(
    ready: ReadyPubSub,
    message: LiveMessage,
    facts: AcceptFacts,
    hold: Hold | undefined,
  ): Accepted | Promise<Accepted> {
    const { wire } = message;
    this.#show(message, facts, this.#countAccepted);
    if (hold === undefined) return this.#componentPublish.send(ready, message, { wire });
    this.#announceHeld(message, hold);
    return { messageId: message.messageId };
  }

  /** Does what `#publishOrHold` does, for a journal that answers later; until then the message counts as being accepted. */
  async #acceptAfterJournal(
    ready: ReadyPubSub,
    message: LiveMessage,
    facts: AcceptFacts,
    { hold, kept }: { readonly hold: Hold | undefined; readonly kept: Promise<void> },
  ): Promise<Accepted> {
    const { live } = this.#shared;
    const accepted = live.backlog.begin(message, live.bodyBytes(message));
    try {
      await kept;
    } catch (error) {
      throw publishFailure(facts.pubsubname, facts.topic, errorText(error));
    } finally {
      accepted();
    }
    return this.#publishOrHold(ready, message, facts, hold);
  }

  /** Why a copy is refused. A copy that comes back to its topic needs room like a publish, or this topic could fill all the room. */
  #noCopyReason(facts: AcceptFacts, kind: Exclude<AcceptedKind, 'publish'>): string | undefined {
    const { pubsubname, topic, deadLetterOf } = facts;
    const { backlog } = this.#shared.live;
    return kind === 'returning-dead-letter'
      ? backlog.fullForReturn({ pubsubname, topic: deadLetterOf?.topic ?? topic }, this.#sizeOf(facts))
      : backlog.fullForCopies;
  }

  /**
   * Writes the message to the journal and publishes it to a broker at the same time; the publisher waits for both. After a kill the journal
   * has every message that the broker has. A loss of power may break that, but then the publisher has no answer yet.
   * @param accepted called once the message is counted as waiting, or is refused
   */
  async #journalWhilePublishing(
    ready: ReadyPubSub,
    message: LiveMessage,
    facts: AcceptFacts,
    accepted: () => void,
  ): Promise<Accepted> {
    const { wire } = message;
    let published: Accepted | Promise<Accepted> | undefined;
    const publish = (): Accepted | Promise<Accepted> => {
      accepted();
      this.#show(message, facts, this.#countAccepted);
      published = this.#componentPublish.send(ready, message, { wire });
      return published;
    };
    try {
      const kept = this.#journal(message, [], () => void publish());
      if (kept !== undefined) await kept;
    } catch (error) {
      accepted();
      await published;
      if (published !== undefined) this.#deliveries.flag(message, NOT_SYNCED);
      throw publishFailure(facts.pubsubname, facts.topic, errorText(error));
    }
    return await (published ?? publish());
  }

  /** The hold that catches a message before it is stored. */
  #holdAtPublish(message: LiveMessage): Hold | undefined {
    const caught = this.#holds.any('publish') ? this.#holds.atPublish(message) : undefined;
    if (caught !== undefined) message.changeRow(heldRow(message.row, caught));
    return caught?.hold;
  }

  /** Counts and shows a stored message. */
  #show(message: LiveMessage, facts: AcceptFacts, count: (facts: AcceptFacts) => void): void {
    const { callers, live, events } = this.#shared;
    if (facts.caller !== undefined) callers.note(message.messageId, facts.caller);
    live.add(message);
    count(facts);
    events.addRow(message.row.number, () => message.row);
  }

  readonly #countAccepted = ({ pubsubname, topic, batchId }: AcceptFacts): void => {
    this.#shared.metrics.accepted(pubsubname, topic, batchId !== undefined);
  };

  readonly #countObserved = ({ pubsubname, topic, tap, appId, batchId }: AcceptFacts): void => {
    const { metrics, observedTopics } = this.#shared;
    if (metrics.observed({ pubsubname, topic }, tap ?? appId, batchId !== undefined))
      observedTopics.changed();
  };

  #announceHeld(message: LiveMessage, { releaseAfterMs }: Hold): void {
    const { clock, signals } = this.#shared;
    const releaseAtMs = releaseAfterMs === undefined ? undefined : clock.now() + releaseAfterMs;
    signals.emit('heldAtPublish', { message, releaseAtMs });
  }

  /**
   * Whether another hold catches a message that one has released; it then stays held by that one.
   * @param releasedFrom holds that have released it now
   */
  async isCaughtNext(message: LiveMessage, releasedFrom: readonly string[]): Promise<boolean> {
    if (!this.#holds.any('publish')) return false;
    const mustRead = this.#holds.mustRead('publish', message);
    const wire = mustRead ? await this.#shared.live.wire(message) : undefined;
    const caught = this.#holds.atPublish(message, releasedFrom, wire);
    if (caught === undefined) return false;
    const { hold } = caught;
    const { flags } = heldRow(message.row, caught);
    const written = this.#deliveries.patchMessage(message, {
      heldBy: hold.holdId,
      releasedFrom,
      ...(flags === undefined ? {} : { flags }),
    });
    this.#announceHeld(message, hold);
    await written;
    return true;
  }

  /** Takes in a message that another sidecar or tool has published to the broker: stored like the others, never published here. */
  async adopt(facts: AcceptFacts): Promise<LiveMessage> {
    const message = this.#message(facts);
    message.notePublished();
    try {
      await this.#journal(message, [{ kind: 'message.published', messageId: message.messageId }]);
    } catch (error) {
      throw publishFailure(facts.pubsubname, facts.topic, errorText(error));
    }
    this.#show(message, facts, this.#countAccepted);
    // Until its first delivery, which is made next; there is none if the subscription has just gone.
    this.#shared.metrics.countWithout(message.row, undefined, liveWithout(message));
    return message;
  }

  /**
   * Records a message that passed a tap. It is written in the background.
   * @param onWritten called when it is in the history, and nothing else of it is still to be written
   */
  observe(facts: AcceptFacts, onWritten: (message: LiveMessage) => void): LiveMessage {
    const message = this.#message(facts);
    message.notePublished();
    const { row, wire, metadata, givenContentType, messageId } = message;
    message.beginRecord();
    this.#shared.writer.later(
      [
        { kind: 'message.accepted', message: { row, wire: wire ?? '', metadata, givenContentType } },
        { kind: 'message.published', messageId },
      ],
      () => {
        if (message.endRecord() === 0) onWritten(message);
      },
    );
    this.#show(message, facts, this.#countObserved);
    return message;
  }

  /**
   * Stores the message; undefined: done.
   * @param ahead as in `Writer.accept`
   */
  #journal(
    message: LiveMessage,
    more: readonly JournalRecord[] = [],
    ahead?: () => void,
  ): Promise<void> | undefined {
    const { row, wire, metadata, givenContentType, releasedFrom } = message;
    const kept = { row, wire: wire ?? '', metadata, givenContentType };
    const stored = releasedFrom.length === 0 ? kept : { ...kept, releasedFrom };
    const record: JournalRecord = { kind: 'message.accepted', message: stored };
    if (row.sizeBytes <= SMALL_BODY_BYTES) lastMade.accepted = record;
    return this.#shared.writer.accept([record, ...more], ahead);
  }

  #message(facts: AcceptFacts): LiveMessage {
    const { ids, clock, codec } = this.#shared;
    return newMessage(facts, {
      messageId: facts.messageId ?? ids.next('message'),
      number: facts.number ?? this.takeNumber(),
      nowMs: facts.atMs ?? clock.now(),
      codec,
    });
  }
}

function heldRow(row: MessageRow, { hold, undecided }: Caught): MessageRow {
  const flags = undecided === undefined ? row.flags : [...(row.flags ?? []), undecided];
  return { ...row, stage: 'held', heldBy: hold.holdId, ...(flags === undefined ? {} : { flags }) };
}
