/**
 * Bulk publish: all entries are checked before the first is published; then each is published on its own (behaviour 3). A request of very
 * many entries takes several turns of the event loop.
 */
import type { Origin } from '../../contract/message.ts';
import type { FailedEntry } from '../../contract/publish.ts';
import { checkSteps, overMaxBytes, readSteps, refusedEntries } from '../../domain/bulk-publish.ts';
import type { BulkPublishEntry, GivenEntries } from '../../domain/bulk-publish.ts';
import { mayBeRefused, metadataComplaint } from '../../domain/envelope.ts';
import { Refusal, refusalOf } from '../../domain/refusal.ts';
import { stepsOfSize } from '../../domain/step-turns.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { PublishBulkRequest } from '../api.ts';
import type { Acceptance } from './acceptance.ts';
import type { PublishChecks } from './publish-checks.ts';
import type { Publisher } from './publisher.ts';
import type { SharedServices } from '../common-services.ts';
import { ByteBudget } from '../state/byte-budget.ts';

/** Maximum number of entries published at the same time, and number of steps after which other work may have its turn; large entries are several. */
const IN_PARALLEL = 100;

/** Factor for the memory of JSON entries: a small one becomes an object and texts of many times its size. */
const TEXT_GROWTH = 16;
/** Memory of a given entry without its texts: its members, its event's bytes, and their places in lists. */
const ENTRY_MEMORY = 600;
const NO_METADATA = {};

/** Memory of a bulk request above which it waits for other large ones alone, because publishing it takes seconds. */
const LARGE_BYTES = 4 * 1024 * 1024;
/** Maximum memory of all large bulk requests that are being published. */
const ALL_LARGE_BYTES = 32 * 1024 * 1024;

export interface BulkResult {
  readonly messageIds: readonly string[];
  readonly failedEntries: readonly FailedEntry[];
}

/** Events that were made before the first entry is published. */
interface Ahead {
  readonly wrapped: Map<BulkPublishEntry, Wrapped>;
  /** Report on all entries if one of these events could not be made. */
  refused?: readonly FailedEntry[];
}

export interface BulkPublisherDependencies {
  readonly checks: PublishChecks;
  readonly acceptance: Acceptance;
  readonly publisher: Publisher;
}

export class BulkPublisher {
  readonly #shared: SharedServices;
  readonly #checks: PublishChecks;
  readonly #acceptance: Acceptance;
  readonly #publisher: Publisher;
  /** Memory for large requests, for which single publishes do not wait. */
  readonly #large = new ByteBudget(ALL_LARGE_BYTES);

  constructor(shared: SharedServices, { checks, acceptance, publisher }: BulkPublisherDependencies) {
    this.#shared = shared;
    this.#checks = checks;
    this.#acceptance = acceptance;
    this.#publisher = publisher;
  }

  /**
   * Publishes a bulk request. Failed entries are in the result. Throws Refusal if nothing was published: unknown component, no topic,
   * unreadable body or metadata, forbidden topic. Rejects with the reason of its signal if that is aborted before the first entry is published.
   */
  async publish(request: PublishBulkRequest): Promise<BulkResult> {
    const memory = memoryOf(request.body);
    const budget = memory > LARGE_BYTES ? this.#large : this.#publisher.bodies;
    const result = await budget.run(memory, () => this.#publish(request), request.signal);
    if (request.source !== 'console') await this.#publisher.waitForApps(request, result.messageIds.at(-1));
    return result;
  }

  async #publish(request: PublishBulkRequest): Promise<BulkResult> {
    const { appId, pubsubname, topic, metadata } = request;
    const ready = this.#component(appId, pubsubname, topic);
    const { profile } = this.#shared;
    // The metadata is checked before the body, as in a single publish.
    const unusable = metadataComplaint(metadata, profile);
    if (unusable !== undefined) throw refusalOf(unusable, { appId, pubsubname, topic });
    const { signal } = request;
    const entries: BulkPublishEntry[] = [];
    const reading = this.#inTurns(this.#read(request, entries), signal);
    if (reading !== undefined) await reading;
    this.#checks.authorise(ready, appId, topic);
    if (entries.length === 0) return { messageIds: [], failedEntries: [] };
    const ahead: Ahead = { wrapped: new Map() };
    const wrapping = this.#inTurns(this.#wrapAhead(request, entries, ahead), signal);
    if (wrapping !== undefined) await wrapping;
    if (ahead.refused !== undefined) return { messageIds: [], failedEntries: ahead.refused };
    const size = entries.reduce((sum, { body }) => sum + body.length, 0);
    const tooMuch = overMaxBytes(size, metadata, profile);
    if (tooMuch !== undefined) {
      return { messageIds: [], failedEntries: entries.map(({ entryId }) => ({ entryId, error: tooMuch })) };
    }
    const batchId = this.#shared.ids.next('batch');
    const messageIds: string[] = [];
    const failedEntries: FailedEntry[] = [];
    for (let from = 0; from < entries.length;) {
      const some = nextOf(entries, from);
      from += some.length;
      await Promise.all(
        some.map(async (entry) => {
          const wrapped = ahead.wrapped.get(entry) ?? this.#wrap(request, entry);
          ahead.wrapped.delete(entry);
          const error = await this.#one(request, ready, entry, wrapped, batchId, messageIds);
          if (error !== undefined) failedEntries.push({ entryId: entry.entryId, error });
        }),
      );
      if (from < entries.length) await this.#pause(some.reduce((sum, { body }) => sum + stepsOf(body), 0));
    }
    return { messageIds, failedEntries };
  }

  /**
   * Makes steps, of which a request may have 100,000: the first ones at once, so that a small request keeps its place among other publishes,
   * and more in each of the next turns. What follows large ones has a turn of its own too. Undefined: all are made, and they were small.
   */
  #inTurns(steps: Iterator<number>, signal: AbortSignal | undefined): Promise<void> | undefined {
    const some = makeSome(steps);
    return some.isLast && some.made < IN_PARALLEL ? undefined : this.#makeMore(steps, some, signal);
  }

  async #makeMore(steps: Iterator<number>, first: SomeSteps, signal: AbortSignal | undefined): Promise<void> {
    for (let some = first; ; some = makeSome(steps)) {
      await this.#pause(some.made);
      signal?.throwIfAborted();
      if (some.isLast) return;
    }
  }

  /** Counts steps that were made; resolves when a turn of the event loop has room for more. */
  async #pause(made: number): Promise<void> {
    const { turns } = this.#shared;
    turns.made(made);
    await turns.room(0);
  }

  /** Adds the entries, one in each step. Throws Refusal for the first mistake. */
  *#read({ body, ...request }: PublishBulkRequest, entries: BulkPublishEntry[]): Generator<number, void> {
    const { appId, pubsubname, topic, metadata, isBeginning = false } = request;
    const { profile, codec } = this.#shared;
    const context = { appId, pubsubname, topic, metadata, profile, codec, isBeginning };
    for (const step of isGiven(body) ? checkSteps(body, context) : readSteps(body, context)) {
      if (typeof step === 'number') {
        yield step;
        continue;
      }
      if (!step.ok) throw refusalOf(step.complaint, { appId, pubsubname, topic });
      entries.push(step.value);
      yield step.value.body.length;
    }
  }

  #component(appId: string, pubsubname: string, topic: string): ReturnType<PublishChecks['component']> {
    try {
      return this.#checks.component(appId, pubsubname, topic);
    } catch (error) {
      // The bulk row has a text of its own for an unknown component (interface: 400; behaviour 1.6).
      if (error instanceof Refusal && error.code === 'ERR_PUBSUB_NOT_FOUND') {
        const variant = error.variant === undefined ? 'bulk' : `bulk-${error.variant}`;
        throw new Refusal('ERR_PUBSUB_NOT_FOUND', error.params, { variant, field: 'pubsubname' });
      }
      throw error;
    }
  }

  /** Makes the events that may be refused, before any entry is published. The others are made as they are published, which takes less memory. */
  *#wrapAhead(
    request: PublishBulkRequest,
    entries: readonly BulkPublishEntry[],
    ahead: Ahead,
  ): Generator<number, void> {
    for (const entry of entries) {
      this.#checks.checkContentType(request, entry.contentType);
      try {
        // Metadata of the request were checked, and entries without their own have the same object.
        const own = entry.metadata === request.metadata ? NO_METADATA : entry.metadata;
        if (mayBeRefused({ contentType: entry.contentType, metadata: own }))
          ahead.wrapped.set(entry, this.#wrap(request, entry));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === 'ERR_PUBSUB_REQUEST_METADATA') throw ofEntry(error, entry.entryId);
        // Over gRPC one bad entry refuses the request; over HTTP the report names every entry.
        if (error.code !== 'ERR_PUBSUB_CLOUD_EVENTS_SER' || isGiven(request.body)) throw error;
        const ids = entries.map(({ entryId }) => entryId);
        ahead.refused = refusedEntries(ids, entry.entryId, 'cannot create cloudevent');
        return;
      }
      yield ahead.wrapped.has(entry) ? entry.body.length : 0;
    }
  }

  #wrap(request: PublishBulkRequest, { metadata, body, contentType }: BulkPublishEntry): Wrapped {
    const { appId, pubsubname, topic, traceparent, tracestate, misplacedTtl } = request;
    return this.#checks.wrap({
      appId,
      pubsubname,
      topic,
      metadata,
      body,
      contentType,
      ...(traceparent === undefined ? {} : { traceparent }),
      ...(tracestate === undefined ? {} : { tracestate }),
      ...(misplacedTtl === undefined ? {} : { misplacedTtl }),
    });
  }

  /** Publishes one entry; resolves with the reason if it failed. */
  async #one(
    request: PublishBulkRequest,
    ready: ReturnType<PublishChecks['component']>,
    entry: BulkPublishEntry,
    wrapped: Wrapped,
    batchId: string,
    messageIds: string[],
  ): Promise<string | undefined> {
    try {
      const accepted = await this.#acceptance.accept(ready, {
        appId: request.appId,
        pubsubname: request.pubsubname,
        topic: request.topic,
        source: BULK_ORIGINS[request.source] ?? request.source,
        wrapped,
        givenContentType: entry.contentType,
        metadata: entry.metadata,
        batchId,
        ...(request.flags === undefined ? {} : { flags: request.flags }),
        ...(request.caller === undefined ? {} : { caller: { ...request.caller, entryId: entry.entryId } }),
      });
      messageIds.push(accepted.messageId);
      return accepted.failed;
    } catch (error) {
      if (error instanceof Refusal) return error.params['reason'] ?? error.message;
      throw error;
    }
  }
}

/** The origin of a message that came in a bulk request. */
const BULK_ORIGINS: Partial<Record<Origin, Origin>> = { http: 'bulk', grpc: 'grpc-bulk' };

interface SomeSteps {
  readonly made: number;
  readonly isLast: boolean;
}

/**
 * Makes the next steps.
 * @param steps each gives the size of what it read
 */
function makeSome(steps: Iterator<number>): SomeSteps {
  let made = 0;
  while (made < IN_PARALLEL) {
    const step = steps.next();
    if (step.done === true) return { made, isLast: true };
    made += 1 + stepsOfSize(step.value);
  }
  return { made, isLast: false };
}

function stepsOf(body: BulkPublishEntry['body']): number {
  return 1 + stepsOfSize(body.length);
}

/** The entries from one on that are published at the same time, at least one. */
function nextOf(entries: readonly BulkPublishEntry[], from: number): readonly BulkPublishEntry[] {
  let steps = 0;
  let to = from;
  do {
    steps += stepsOf(entries[to]?.body ?? '');
    to += 1;
  } while (to < entries.length && steps < IN_PARALLEL);
  return entries.slice(from, to);
}

function isGiven(body: PublishBulkRequest['body']): body is GivenEntries {
  return typeof body !== 'string' && !(body instanceof Uint8Array);
}

/** Estimated memory of a request while it is published, without the messages that it becomes. */
function memoryOf(body: PublishBulkRequest['body']): number {
  return isGiven(body) ? body.bytes + body.length * ENTRY_MEMORY : body.length * TEXT_GROWTH;
}

/** A refusal that names the entry with the wrong metadata. */
function ofEntry(refusal: Refusal, entryId: string): Refusal {
  const reason = `${refusal.params['reason'] ?? ''} (entry ${entryId})`;
  const { field, expected } = refusal;
  return new Refusal(
    refusal.code,
    { ...refusal.params, reason },
    { ...(field === undefined ? {} : { field }), ...(expected === undefined ? {} : { expected }) },
  );
}
