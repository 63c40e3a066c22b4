/** `respond-bulk`: one status per entry of a batch. */
import type { BulkStatuses } from '../../contract/mock-app.ts';
import { wordForEntry } from '../../contract/status-words.ts';
import type { StatusWord } from '../../contract/status-words.ts';
import type { Incoming } from '../incoming.ts';
import { afterDelay } from './answering.ts';
import type { Answering } from './answering.ts';

/** Answers a batch. A single delivery gets the word of the first entry, so that one rule serves both. */
export function respondBulk({ answer, incoming, reply, ports }: Answering<'respond-bulk'>): void {
  const { status, statuses, delayMs } = answer;
  const body = incoming.kind === 'bulk' ? bulkBody(statuses, incoming) : singleBody(statuses);
  const text = JSON.stringify(body);
  afterDelay(delayMs, { reply, ports }, () =>
    reply.send(status, { 'content-type': 'application/json' }, text),
  );
}

/** Body of the answer. An entry without a word is left out. */
function bulkBody(
  statuses: BulkStatuses,
  incoming: Incoming,
): { statuses: { entryId: string; status: StatusWord }[] } {
  return {
    statuses: incoming.events.flatMap(({ entryId = '' }, index) => {
      const status = wordForEntry(statuses, entryId, index + 1);
      return status === undefined ? [] : [{ entryId, status }];
    }),
  };
}

function singleBody(statuses: BulkStatuses): { status?: StatusWord } {
  const status = wordForEntry(statuses, '', 1);
  return status === undefined ? {} : { status };
}
