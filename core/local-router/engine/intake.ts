/** Turns published events into deliveries: one per subscription whose filter the event passes. */
import { errorText } from '../../contract/error-text.ts';
import { envelopeOf } from '../rules/event-mapping.ts';
import { evaluateFilter } from '../rules/event-filter.ts';
import type { PublishedEvent } from '../rules/published.ts';
import type { FullProperties } from '../rules/record-body.ts';
import { lifeMs } from '../rules/schedule.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IdSource } from '../../ports/ids.ts';
import type { StoredSubscription } from '../subscriptions/stored-subscription.ts';
import type { StoredTopic } from '../topics/topics.ts';
import { WireError } from '../rules/wire-error.ts';
import type { Entry, KeptEvent } from './entry.ts';
import type { Ledger } from './ledger.ts';
import type { Records } from './records.ts';

export type Target = StoredSubscription & { readonly active: FullProperties };

export interface IntakeDependencies {
  readonly records: Records;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly ids: IdSource;
  readonly backlog: number;
  readonly scale: () => number;
  /** Whether a breakpoint holds an event with these members. */
  readonly holds: (envelope: Readonly<Record<string, unknown>>) => boolean;
  /** Called with deliveries that are in the store and may start. */
  readonly entered: (entries: readonly Entry[]) => void;
}

/**
 * Time for which a refusal is shown. With a full backlog deliveries end and events are accepted many times a
 * second.
 */
const SHOWN_MS = 5000;

export class Intake {
  readonly #deps: IntakeDependencies;
  #deliveries: number;
  #events: number;
  #refusedMs = -Infinity;

  constructor(deps: IntakeDependencies) {
    this.#deps = deps;
    const { delivery, event } = deps.records.numbers();
    this.#deliveries = delivery;
    this.#events = event;
  }

  /**
   * Why events are refused because the backlog is full; undefined: they are accepted. The reason stays for
   * `SHOWN_MS` after the last refusal.
   */
  get refuses(): string | undefined {
    const { clock, ledger, backlog } = this.#deps;
    if (ledger.open < backlog && clock.now() >= this.#refusedMs + SHOWN_MS) return undefined;
    return `the event router's limit of ${backlog} unfinished deliveries is reached`;
  }

  /**
   * Accepts events; resolves when events and deliveries are on disk.
   * @param holds which deliveries wait for a person; default: those that a breakpoint matches
   * @throws WireError 503 when the store cannot be written or too much is unfinished; then nothing was accepted
   */
  async take(
    topic: Pick<StoredTopic, 'name' | 'resourceId' | 'inputSchemaMapping'>,
    published: readonly PublishedEvent[],
    targets: readonly Target[],
    holds = this.#deps.holds,
  ): Promise<readonly Entry[]> {
    const { clock, ledger, records } = this.#deps;
    const now = clock.now();
    const events: { no: number; topic: string; event: KeptEvent }[] = [];
    const entries: Entry[] = [];
    for (const one of published) {
      const facts = { id: this.#deps.ids.uuid(), time: new Date(now).toISOString() };
      const envelope = envelopeOf(one, { ...topic, ...facts });
      const matching = targets.filter(({ active }) => evaluateFilter(active.filter ?? {}, envelope).matches);
      if (matching.length === 0) continue;
      const no = (this.#events += 1);
      const event = { schema: one.schema, text: one.text, resourceId: topic.resourceId, ...facts };
      events.push({ no, topic: topic.name, event });
      for (const target of matching)
        entries.push(
          this.#entry(target, { no, topic: topic.name, envelope, one, now, held: holds(envelope) }),
        );
    }
    if (entries.length === 0) return [];
    if (ledger.open + entries.length > this.#deps.backlog) {
      this.#refusedMs = now;
      throw new WireError(503, 'ServiceUnavailable', 'Too many deliveries are unfinished.', {
        headers: { 'retry-after': '10' },
      });
    }
    try {
      await records.accept(events, entries, now);
    } catch (error) {
      const said = errorText(error);
      throw new WireError(503, 'ServiceUnavailable', `The event could not be stored: ${said}.`);
    }
    for (const entry of entries) {
      ledger.enter(entry, true);
      if (entry.state === 'held')
        ledger.held(entry, { cause: 'user', rule: 'user.hold', note: 'breakpoint' });
    }
    this.#deps.entered(entries.filter(({ state }) => state === 'queued'));
    return entries;
  }

  #entry(
    { key, id, name, active }: Target,
    facts: {
      readonly no: number;
      readonly topic: string;
      readonly envelope: Readonly<Record<string, unknown>>;
      readonly one: PublishedEvent;
      readonly now: number;
      readonly held: boolean;
    },
  ): Entry {
    const { maxDeliveryAttempts, eventTimeToLiveInMinutes } = active.retryPolicy;
    return {
      no: (this.#deliveries += 1),
      id: this.#deps.ids.next('delivery'),
      event: facts.no,
      lane: key,
      subscriptionId: id,
      subscriptionName: name,
      topic: facts.topic,
      eventId: shown(facts.envelope['id']),
      eventType: shown(facts.envelope['type'] ?? facts.envelope['eventType']),
      subject: shown(facts.envelope['subject']),
      bytes: Buffer.byteLength(facts.one.text),
      publishedMs: facts.now,
      state: facts.held ? 'held' : 'queued',
      attempts: 0,
      roundStart: 0,
      maxAttempts: maxDeliveryAttempts,
      expiresMs: facts.now + lifeMs(eventTimeToLiveInMinutes, this.#deps.scale()),
      dueMs: facts.now,
      rule: facts.held ? 'user.hold' : 'policy.accepted',
      seq: 0,
    };
  }
}

/** A member for a list, as a text of limited length. */
function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 512) : '';
}
