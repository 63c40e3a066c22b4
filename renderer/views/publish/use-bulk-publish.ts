/** Publishes entries in one request, and keeps the result of each. */
import { useRef, useState } from 'react';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import type { RpcClient, RpcFailure } from '../../client/rpc-client.ts';
import { BULK } from '../../copy/publish.ts';
import { asText } from '../../format/curl.ts';
import { wireEntry } from '../../format/entries.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import type { BulkDraft, EntryDraft } from '../../state/publish-drafts.ts';

export interface BulkAnswer {
  readonly sent: number;
  readonly failure: RpcFailure | undefined;
  /** Errors by entryId. */
  readonly failed: ReadonlyMap<string, string>;
  readonly batchId: string | undefined;
  /** Status and body that the route would have answered. */
  readonly raw: string;
  /** Result of an entry as it was sent; one that was changed since, or has the id of another one, has none. */
  readonly resultOf: (entry: EntryDraft) => EntryResult | undefined;
}

export interface EntryResult {
  readonly ok: boolean;
  readonly text: string;
}

/**
 * The results after a request: those of an earlier one for other entries stay.
 * @param inForm entries of the form; the results of others are forgotten, with all that was typed in them
 */
export function withResults(
  before: ReadonlyMap<EntryDraft, EntryResult>,
  sent: readonly EntryDraft[],
  failed: ReadonlyMap<string, string>,
  inForm: readonly EntryDraft[],
): ReadonlyMap<EntryDraft, EntryResult> {
  const isInForm = new Set(inForm);
  const results = new Map([...before].filter(([entry]) => isInForm.has(entry)));
  for (const entry of sent) {
    if (!isInForm.has(entry)) continue;
    const error = failed.get(entry.entryId);
    results.set(entry, { ok: error === undefined, text: error ?? BULK.published });
  }
  return results;
}

/** The batch that entries became; undefined: none of them is a message, or the first one cannot be read any more. What was published stays so. */
export async function batchOf(
  call: RpcClient['call'],
  messageIds: readonly string[],
): Promise<string | undefined> {
  const [first] = messageIds;
  if (first === undefined) return undefined;
  return call('messages.get', { messageId: first, payloadUpTo: 0 }).then(
    ({ batchId }) => batchId,
    // The history may have removed it already, or the connection is lost: then there is no link to the batch.
    () => undefined,
  );
}

function rawOf(status: unknown, body: unknown): string {
  return `${status === undefined ? '' : `${asText(status)}\n`}${asText(body)}`;
}

export interface BulkPublish {
  /**
   * Publishes entries.
   * @param contentType content type of the request, if it is not the default
   */
  readonly publish: (draft: BulkDraft, entries: readonly EntryDraft[], contentType?: string) => Promise<void>;
  readonly answer: BulkAnswer | undefined;
  readonly pending: boolean;
}

/** State and acts of the bulk publish button. */
export function useBulkPublish(): BulkPublish {
  const { call, drafts } = useConsole();
  const [answer, setAnswer] = useState<BulkAnswer>();
  const [pending, setPending] = useState(false);
  const known = useRef<ReadonlyMap<EntryDraft, EntryResult>>(new Map());

  async function publish(
    draft: BulkDraft,
    entries: readonly EntryDraft[],
    contentType?: string,
  ): Promise<void> {
    setPending(true);
    try {
      const { failedEntries, messageIds } = await call('messages.publishBulk', {
        pubsubname: draft.pubsubname,
        topic: draft.topic,
        entries: entries.map((each) => wireEntry(each)),
        metadata: {
          ...(draft.rawPayload ? { rawPayload: 'true' } : {}),
          ...(draft.maxBulkPubBytes === '' ? {} : { maxBulkPubBytes: draft.maxBulkPubBytes }),
        },
        ...(draft.appId === '' ? {} : { appId: draft.appId }),
        ...withoutUndefined({ contentType }),
      });
      const failed = new Map(failedEntries.map(({ entryId, error }) => [entryId, error]));
      const results = withResults(known.current, entries, failed, drafts.store.getState().bulk.entries);
      known.current = results;
      const batchId = await batchOf(call, messageIds);
      setAnswer({
        sent: entries.length,
        failure: undefined,
        failed,
        batchId,
        raw:
          failedEntries.length === 0
            ? '204'
            : rawOf(500, { failedEntries, errorCode: 'ERR_PUBSUB_PUBLISH_MESSAGE' }),
        resultOf: (entry) => results.get(entry),
      });
    } catch (reason) {
      const failure = asFailure(reason);
      const sent = new Set(entries);
      setAnswer({
        sent: entries.length,
        failure,
        failed: new Map(),
        batchId: undefined,
        raw: rawOf(failure.data['status'], failure.data['body'] ?? failure.message),
        resultOf: (entry) => (sent.has(entry) ? undefined : known.current.get(entry)),
      });
    } finally {
      setPending(false);
    }
  }

  return { publish, answer, pending };
}
