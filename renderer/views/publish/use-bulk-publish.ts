/** Publishes entries in one request, and keeps the result of each. */
import { useRef, useState } from 'react';
import { withoutUndefined } from '../../../core/contract/without-undefined.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
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
  readonly resultOf: (entryId: string) => EntryResult | undefined;
}

export interface EntryResult {
  readonly ok: boolean;
  readonly text: string;
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
  const { call } = useConsole();
  const [answer, setAnswer] = useState<BulkAnswer>();
  const [pending, setPending] = useState(false);
  const results = useRef<ReadonlyMap<string, EntryResult>>(new Map());

  async function publish(
    draft: BulkDraft,
    entries: readonly EntryDraft[],
    contentType?: string,
  ): Promise<void> {
    const sent = new Set(entries.map(({ entryId }) => entryId));
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
      // Results of an earlier request for other entries stay.
      const merged = new Map(results.current);
      for (const entryId of sent) {
        const error = failed.get(entryId);
        const ok = error === undefined;
        merged.set(entryId, { ok, text: error ?? BULK.published });
      }
      results.current = merged;
      const [first] = messageIds;
      const batchId =
        first === undefined
          ? undefined
          : (await call('messages.get', { messageId: first, payloadUpTo: 0 })).batchId;
      setAnswer({
        sent: sent.size,
        failure: undefined,
        failed,
        batchId,
        raw:
          failedEntries.length === 0
            ? '204'
            : rawOf(500, { failedEntries, errorCode: 'ERR_PUBSUB_PUBLISH_MESSAGE' }),
        resultOf: (entryId) => merged.get(entryId),
      });
    } catch (reason) {
      const failure = asFailure(reason);
      setAnswer({
        sent: sent.size,
        failure,
        failed: new Map(),
        batchId: undefined,
        raw: rawOf(failure.data['status'], failure.data['body'] ?? failure.message),
        resultOf: (entryId) => (sent.has(entryId) ? undefined : results.current.get(entryId)),
      });
    } finally {
      setPending(false);
    }
  }

  return { publish, answer, pending };
}
