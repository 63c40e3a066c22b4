/** Builds the complete message for `messages.get`. */
import type { Attempt, Delivery, MessageDetail } from '../../contract/message.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { Codec } from '../../domain/codec.ts';
import { describe } from '../../domain/inbound.ts';
import type { MessageDetailSource } from '../../ports/journal.ts';
import { storedDelivery } from '../state/live.ts';
import type { Callers } from '../publishing/callers.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import { recordBody, recordStart } from '../state/attempt-record.ts';
import { iso } from '../time/time.ts';

/** @param live the message in memory while it is unfinished: its deliveries are newer than the journal's */
export function detailOf(
  source: MessageDetailSource,
  { codec, callers }: { readonly codec: Codec; readonly callers?: Callers },
  live?: LiveMessage,
): MessageDetail {
  const { message } = source;
  const caller = callers?.of(source.row.messageId);
  const seen = describe(message.wire, source.row.raw, codec);
  const lives = new Map(live?.deliveries.map((one) => [one.deliveryId, one]));
  return {
    ...(live === undefined ? source.row : live.row),
    ...withoutUndefined({ envelope: seen.envelope }),
    data: seen.data,
    ...withoutUndefined({ dataBase64: seen.dataBase64 }),
    wire: recordBody(message.wire, codec),
    metadata: message.metadata,
    ...withoutUndefined({ caller }),
    deliveries: [...source.deliveries, ...notBegun(source, live)].map(
      ({ delivery, attempts, transitions }): Delivery => {
        const now = lives.get(delivery.deliveryId);
        const {
          attemptCount: _count,
          roundStart: _round,
          releasedFrom: _from,
          heldBeforeDrop: _before,
          changedWire = delivery.changedWire,
          headers: _headers,
          lastAnswer: _answer,
          lastDurationMs: _ms,
          span: _span,
          rule: _rule,
          edits: _edits,
          ...shown
        } = now === undefined ? delivery : storedDelivery(now, iso);
        const current = now === undefined ? undefined : currentAttempt(now);
        return {
          ...shown,
          ...(now === undefined ? {} : givesUp(now)),
          ...(changedWire === undefined ? {} : { changed: recordBody(changedWire, codec) }),
          attempts: current === undefined ? attempts : [...attempts, current],
          transitions,
        };
      },
    ),
  };
}

/** Deliveries that the journal does not have yet, because their rules wait for their turn or a copy is being published. */
function notBegun(
  { deliveries }: MessageDetailSource,
  live: LiveMessage | undefined,
): MessageDetailSource['deliveries'] {
  const begun = new Set(deliveries.map(({ delivery }) => delivery.deliveryId));
  return (live?.deliveries ?? [])
    .filter((d) => d.state === null && d.lock !== undefined && !begun.has(d.deliveryId))
    .map((d) => ({ delivery: storedDelivery(d, iso), attempts: [], transitions: [] }));
}

function givesUp(d: LiveDelivery): Pick<Delivery, 'givesUpAt'> {
  const isOpen = d.state === 'held' || d.state === 'attempting';
  const atMs = isOpen ? (d.givesUpMs ?? d.started?.givesUpMs) : undefined;
  return atMs === undefined ? {} : { givesUpAt: iso(atMs) };
}

/** The attempt that the journal does not have yet, because its answer is held or the call is running. */
function currentAttempt(d: LiveDelivery): Attempt | undefined {
  if (d.heldAnswer !== undefined) return d.heldAnswer.attempt;
  return d.started === undefined ? undefined : recordStart({ ...d.started, number: d.attemptCount });
}
