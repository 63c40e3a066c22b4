/** Bulk publish: all entries are checked before the first is published; then each is published on its own (behaviour 3). */
import type { Origin } from '../../contract/message.ts';
import type { FailedEntry } from '../../contract/publish.ts';
import { checkEntries, overMaxBytes, readBulkPublish, refusedEntries } from '../../domain/bulk-publish.ts';
import { metadataComplaint } from '../../domain/envelope.ts';
import { lengthOf } from '../../domain/metadata.ts';
import type { BulkPublishEntry, GivenEntry } from '../../domain/bulk-publish.ts';
import { Refusal, refusalOf } from '../../domain/refusal.ts';
import type { Wrapped } from '../../domain/publish-input.ts';
import type { PublishBulkRequest } from '../api.ts';
import type { Acceptance } from './acceptance.ts';
import type { PublishChecks } from './publish-checks.ts';
import type { Publisher } from './publisher.ts';
import type { SharedServices } from '../common-services.ts';

/** Maximum number of entries published at the same time. */
const IN_PARALLEL = 100;

/** Factor for the memory of a request: a small entry becomes an envelope of many times its size. */
const ENTRY_GROWTH = 16;

export interface BulkResult {
  readonly messageIds: readonly string[];
  readonly failedEntries: readonly FailedEntry[];
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

  constructor(shared: SharedServices, { checks, acceptance, publisher }: BulkPublisherDependencies) {
    this.#shared = shared;
    this.#checks = checks;
    this.#acceptance = acceptance;
    this.#publisher = publisher;
  }

  /**
   * Publishes a bulk request. Failed entries are in the result. Throws Refusal if nothing was published: unknown component, no topic,
   * unreadable body or metadata, forbidden topic.
   */
  async publish(request: PublishBulkRequest): Promise<BulkResult> {
    const bytes = bytesOf(request.body) * ENTRY_GROWTH;
    const result = await this.#publisher.bodies.run(bytes, () => this.#publish(request));
    if (request.source !== 'console') await this.#publisher.waitForApps(request, result.messageIds.at(-1));
    return result;
  }

  async #publish(request: PublishBulkRequest): Promise<BulkResult> {
    const { appId, pubsubname, topic, metadata } = request;
    const ready = this.#component(appId, pubsubname, topic);
    const { profile, codec } = this.#shared;
    // The metadata is checked before the body, as in a single publish.
    const unusable = metadataComplaint(metadata, profile);
    if (unusable !== undefined) throw refusalOf(unusable, { appId, pubsubname, topic });
    const { body } = request;
    const { isBeginning = false } = request;
    const context = { appId, pubsubname, topic, metadata, profile, codec, isBeginning };
    const read = isEntries(body) ? checkEntries(body, context) : readBulkPublish(body, context);
    if (!read.ok) throw refusalOf(read.complaint, { appId, pubsubname, topic });
    this.#checks.authorise(ready, appId, topic);
    const entries = read.value;
    if (entries.length === 0) return { messageIds: [], failedEntries: [] };
    const wrapped = this.#wrapAll(request, entries);
    if ('refused' in wrapped) return { messageIds: [], failedEntries: wrapped.refused };
    const tooMuch = overMaxBytes(
      entries.reduce((sum, entry) => sum + sizeOf(entry), 0),
      metadata,
      profile,
    );
    if (tooMuch !== undefined) {
      return { messageIds: [], failedEntries: entries.map(({ entryId }) => ({ entryId, error: tooMuch })) };
    }
    const batchId = this.#shared.ids.next('batch');
    const messageIds: string[] = [];
    const failedEntries: FailedEntry[] = [];
    for (let from = 0; from < entries.length; from += IN_PARALLEL) {
      const slice = entries.slice(from, from + IN_PARALLEL);
      await Promise.all(
        slice.map(async (entry, i) => {
          const own = wrapped.all[from + i];
          if (own === undefined) return;
          const error = await this.#one(request, ready, entry, own, batchId, messageIds);
          if (error !== undefined) failedEntries.push({ entryId: entry.entryId, error });
        }),
      );
    }
    return { messageIds, failedEntries };
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

  #wrapAll(
    request: PublishBulkRequest,
    entries: readonly BulkPublishEntry[],
  ): { readonly all: readonly Wrapped[] } | { readonly refused: readonly FailedEntry[] } {
    const { appId, pubsubname, topic, traceparent, tracestate } = request;
    const rawPayload = request.metadata['rawPayload'];
    const all: Wrapped[] = [];
    for (const entry of entries) {
      // Wrapping is switched by the request alone, whatever an entry says (behaviour 2.2).
      const { rawPayload: _ofEntry, ...rest } = entry.metadata;
      const metadata = rawPayload === undefined ? rest : { ...rest, rawPayload };
      try {
        all.push(
          this.#checks.wrap({
            appId,
            pubsubname,
            topic,
            metadata,
            body: entry.body,
            contentType: entry.contentType,
            ...(traceparent === undefined ? {} : { traceparent }),
            ...(tracestate === undefined ? {} : { tracestate }),
          }),
        );
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (error.code === 'ERR_PUBSUB_REQUEST_METADATA') throw ofEntry(error, entry.entryId);
        // Over gRPC one bad entry refuses the request; over HTTP the report names every entry.
        if (error.code !== 'ERR_PUBSUB_CLOUD_EVENTS_SER' || isEntries(request.body)) throw error;
        const ids = entries.map(({ entryId }) => entryId);
        return { refused: refusedEntries(ids, entry.entryId, 'cannot create cloudevent') };
      }
    }
    return { all };
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

function isEntries(body: PublishBulkRequest['body']): body is readonly GivenEntry[] {
  return Array.isArray(body);
}

function bytesOf(body: PublishBulkRequest['body']): number {
  return isEntries(body)
    ? body.reduce((sum, { event, metadata }) => sum + event.length + lengthOf(metadata), 0)
    : body.length;
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

function sizeOf(entry: BulkPublishEntry): number {
  return entry.body.length;
}
