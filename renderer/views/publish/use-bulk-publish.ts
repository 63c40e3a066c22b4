/** Publishes entries in one request and keeps what became of each. */
import { useState } from 'react';
import type { BulkEntry } from '../../../core/contract/publish.ts';
import type { RpcFailure } from '../../client/rpc-client.ts';
import { BULK } from '../../copy/publish.ts';
import { isBadJson } from '../../format/entries.ts';
import { useConsole } from '../../state/context.ts';
import { asFailure } from '../../state/resource.ts';
import type { BulkDraft, EntryDraft } from '../../state/publish-drafts.ts';

export interface BulkAnswer {
  readonly sent: number;
  readonly failure: RpcFailure | undefined;
  /** Error by entryId. */
  readonly failed: ReadonlyMap<string, string>;
  readonly batchId: string | undefined;
  readonly resultOf: (entryId: string) => { readonly ok: boolean; readonly text: string } | undefined;
}

/** An entry as on the wire: JSON as a value, everything else as text. */
export function wireEntry(entry: EntryDraft): BulkEntry {
  const { entryId, contentType, event } = entry;
  const isJson = /json/i.test(contentType) && !isBadJson(entry);
  return { entryId, contentType, event: isJson ? JSON.parse(event) : event };
}

export interface BulkPublish {
  readonly publish: (draft: BulkDraft, entries: readonly EntryDraft[]) => Promise<void>;
  readonly answer: BulkAnswer | undefined;
  readonly pending: boolean;
}

/** State and acts of the bulk publish button. */
export function useBulkPublish(): BulkPublish {
  const { call } = useConsole();
  const [answer, setAnswer] = useState<BulkAnswer>();
  const [pending, setPending] = useState(false);

  async function publish(draft: BulkDraft, entries: readonly EntryDraft[]): Promise<void> {
    const sent = new Set(entries.map(({ entryId }) => entryId));
    setPending(true);
    try {
      const { failedEntries, messageIds } = await call('messages.publishBulk', {
        pubsubname: draft.pubsubname,
        topic: draft.topic,
        entries: entries.map(wireEntry),
        metadata: {
          ...(draft.rawPayload ? { rawPayload: 'true' } : {}),
          ...(draft.maxBulkPubBytes === '' ? {} : { maxBulkPubBytes: draft.maxBulkPubBytes }),
        },
        ...(draft.appId === '' ? {} : { appId: draft.appId }),
      });
      const failed = new Map(failedEntries.map(({ entryId, error }) => [entryId, error]));
      const [first] = messageIds;
      const batchId =
        first === undefined ? undefined : (await call('messages.get', { messageId: first })).batchId;
      setAnswer({
        sent: sent.size,
        failure: undefined,
        failed,
        batchId,
        resultOf(entryId) {
          if (!sent.has(entryId)) return undefined;
          const error = failed.get(entryId);
          return error === undefined ? { ok: true, text: BULK.published } : { ok: false, text: error };
        },
      });
    } catch (reason) {
      setAnswer({
        sent: sent.size,
        failure: asFailure(reason),
        failed: new Map(),
        batchId: undefined,
        resultOf: () => undefined,
      });
    } finally {
      setPending(false);
    }
  }

  return { publish, answer, pending };
}
