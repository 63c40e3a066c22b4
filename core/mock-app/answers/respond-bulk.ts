/** `respond-bulk`: one status per entry of a batch. */
import type { BulkStatuses } from '../../contract/mock-app.ts';
import type { Incoming } from '../incoming.ts';
import { afterDelay } from './answering.ts';
import type { Answering } from './answering.ts';

const ALL = { 'all-success': 'SUCCESS', 'all-retry': 'RETRY', 'all-drop': 'DROP' } as const;

type Word = 'SUCCESS' | 'RETRY' | 'DROP';

/** Answers a batch. A single delivery gets the word of the first entry, so that one rule serves both. */
export function respondBulk({ answer, incoming, reply, ports }: Answering<'respond-bulk'>): void {
  const { status, statuses, delayMs } = answer;
  const body = incoming.kind === 'bulk' ? bulkBody(statuses, incoming) : singleBody(statuses);
  const text = JSON.stringify(body);
  afterDelay(delayMs, { reply, ports }, () =>
    reply.send(status, { 'content-type': 'application/json' }, text),
  );
}

/**
 * Body of the answer. An entry is found by its entryId, its position (`#1` is the first) or `*`; one without
 * a status, or with null, is left out.
 */
function bulkBody(
  statuses: BulkStatuses,
  incoming: Incoming,
): { statuses: { entryId: string; status: Word }[] } {
  return {
    statuses: incoming.events.flatMap(({ entryId = '' }, index) => {
      const status = wordFor(statuses, entryId, index);
      return status === undefined ? [] : [{ entryId, status }];
    }),
  };
}

function singleBody(statuses: BulkStatuses): { status?: Word } {
  const status = wordFor(statuses, '', 0);
  return status === undefined ? {} : { status };
}

function wordFor(statuses: BulkStatuses, entryId: string, index: number): Word | undefined {
  if (typeof statuses === 'string') return ALL[statuses];
  for (const key of [entryId, `#${index + 1}`, '*']) {
    if (key !== '' && Object.hasOwn(statuses, key)) return statuses[key] ?? undefined;
  }
  return undefined;
}
