/** Copies on a dead-letter topic: same component, identical bytes, a message of their own (behaviour 5.3). */
import { errorText } from '../../contract/error-text.ts';
import type { MessageRow } from '../../contract/message.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Acceptance } from '../publishing/acceptance.ts';
import type { PublishChecks } from '../publishing/publish-checks.ts';
import type { LiveDelivery } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';

export type CopyResult =
  | { readonly ok: true; readonly topic: string; readonly messageId: string }
  | { readonly ok: false; readonly topic: string; readonly reason: string };

const CIRCLE = 'the message has been on that topic already, and no app was called since';

type Origin = NonNullable<MessageRow['deadLetterOf']>;

interface Earlier {
  readonly row: MessageRow;
  readonly attemptCount: number;
}

export interface DeadLetterDependencies {
  /** With the messages that are hidden: their copies go on, so they are looked for too. */
  readonly journal: Pick<Journal, 'get'>;
  readonly checks: PublishChecks;
  readonly acceptance: Acceptance;
}

export class DeadLetters {
  readonly #shared: SharedServices;
  readonly #deps: DeadLetterDependencies;

  constructor(shared: SharedServices, deps: DeadLetterDependencies) {
    this.#shared = shared;
    this.#deps = deps;
  }

  /**
   * Publishes the copy. Never rejects: a refusal is logged and returned with its reason.
   * @param isByHand a person requests it: it may go to a topic that the message has been on
   */
  async copy(d: LiveDelivery, topic: string, isByHand = false): Promise<CopyResult> {
    let countAgain: () => void = () => undefined;
    const onAccepted = (): void => void (countAgain = this.#shared.live.backlog.replace(d));
    try {
      if (!isByHand && (await this.#goesInCircle(d, topic))) throw new Error(CIRCLE);
      const messageId = await this.#publish(d, topic, onAccepted);
      d.noteDeadLetter(topic, messageId);
      return { ok: true, topic, messageId };
    } catch (error) {
      countAgain();
      const reason = errorText(error);
      this.#shared.log.write(
        'error',
        'dead-letter',
        `The copy for ${topic} could not be published: ${reason}`,
        {
          messageId: d.message.messageId,
          deliveryId: d.deliveryId,
        },
      );
      return { ok: false, topic, reason };
    }
  }

  /**
   * Whether the message has been on this topic already and no app was called since. Nothing would end such a circle: each copy creates the
   * next one at once.
   */
  async #goesInCircle(d: LiveDelivery, topic: string): Promise<boolean> {
    if (d.attemptCount > 0) return false;
    if (d.message.row.topic === topic) return true;
    let origin = d.message.row.deadLetterOf;
    while (origin !== undefined) {
      const before = await this.#earlier(origin);
      if (before === undefined || before.attemptCount > 0) return false;
      if (before.row.topic === topic) return true;
      origin = before.row.deadLetterOf;
    }
    return false;
  }

  /** The message that was copied, with the attempts of the delivery that caused it; undefined: it was removed. */
  async #earlier({ messageId, deliveryId }: Origin): Promise<Earlier | undefined> {
    const live = this.#shared.live.message(messageId);
    if (live !== undefined) {
      const made = live.deliveries.find((d) => d.deliveryId === deliveryId);
      return { row: live.row, attemptCount: made?.attemptCount ?? 0 };
    }
    const kept = await this.#deps.journal.get(messageId);
    if (kept === undefined) return undefined;
    const made = kept.deliveries.find(({ delivery }) => delivery.deliveryId === deliveryId);
    return { row: kept.row, attemptCount: made?.delivery.attemptCount ?? 0 };
  }

  /** Publishes the copy. The publishing scopes of the app apply as to any publish; the bytes keep their original topic and id. */
  async #publish(d: LiveDelivery, topic: string, onAccepted: () => void): Promise<string> {
    const { row, metadata, givenContentType } = d.message;
    const { pubsubname } = d.subscription;
    const { checks, acceptance } = this.#deps;
    const ready = checks.component(d.appId, pubsubname, topic);
    checks.authorise(ready, d.appId, topic);
    const accepted = await acceptance.accept(
      ready,
      {
        appId: d.appId,
        pubsubname,
        topic,
        source: 'dead-letter',
        wrapped: {
          kind: row.raw ? 'raw' : 'own',
          wire: await this.#shared.live.wireOf(d),
          contentType: row.contentType,
          flags: [],
          ...(row.eventId === undefined ? {} : { eventId: row.eventId }),
          ...(row.eventType === undefined ? {} : { eventType: row.eventType }),
          ...(row.subject === undefined ? {} : { subject: row.subject }),
          ...(row.traceId === undefined ? {} : { traceId: row.traceId }),
        },
        givenContentType,
        metadata,
        deadLetterOf: { messageId: row.messageId, deliveryId: d.deliveryId, topic: firstTopic(row) },
      },
      topic === row.topic || topic === firstTopic(row) ? 'returning-dead-letter' : 'dead-letter',
      onAccepted,
    );
    if (accepted.failed !== undefined) throw new Error(accepted.failed);
    return accepted.messageId;
  }
}

/** The topic that a message was published to, before it became a dead letter of one or more topics. */
export function firstTopic({ topic, deadLetterOf }: Pick<MessageRow, 'topic' | 'deadLetterOf'>): string {
  return deadLetterOf?.topic ?? topic;
}

/** Note of the transition that goes with a copy. */
export function copyNote(result: CopyResult): string {
  return result.ok
    ? `A copy was published to ${result.topic}: message ${result.messageId}.`
    : `The copy for ${result.topic} could not be published: ${result.reason}`;
}
