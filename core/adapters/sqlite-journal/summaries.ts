/** Messages of the file in brief: from columns alone where these say enough, else with a few bodies at a time. */
import { foremost } from '../../contract/attention.ts';
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import type { DeliveryRow } from '../../contract/message.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { STAGES } from '../../contract/words.ts';
import { factsFor, MAX_CHAIN, worstState } from '../../domain/facet.ts';
import type { Facet } from '../../domain/facet.ts';
import { describe } from '../../domain/inbound.ts';
import type { Description } from '../../domain/inbound.ts';
import { editedWire, previewOf } from '../../domain/preview.ts';
import { readsBody, readsDeliveries, readsEdited } from '../../domain/facet-needs.ts';
import type { Wire } from '../../domain/codec.ts';
import type { MessageSummary, StoredDelivery } from '../../ports/journal.ts';
import { bufferCodec } from '../buffer-codec.ts';
import { deliveryRow } from '../../domain/delivery-row.ts';
import type { Row, Statements } from './prepared.ts';
import { UNSEEN_BY } from './schema.ts';
import { DELIVERY_COLUMNS, deliveryIn } from './read-back.ts';
import { maybeTextIn, numberIn, textIn, wireIn } from './statements.ts';

/** Bodies of this many messages are in memory at a time. */
const BODIES = 50;

const BRIEF = `SELECT m.number, m.at, m.raw, m.stage, m.topic, m.event_type, m.trace, m.batch, m.replay_of,
  (SELECT group_concat(DISTINCT d.state) FROM delivery d WHERE d.number = m.number) AS states, ${UNSEEN_BY} AS tap
  FROM message m WHERE m.number IN (SELECT value FROM json_each(?))`;
const WIRES = 'SELECT number, wire FROM content WHERE number IN (SELECT value FROM json_each(?))';
const DELIVERIES = `SELECT ${DELIVERY_COLUMNS} FROM delivery WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number, nth`;
/** Deliveries of edited messages; SQL may judge none of these (`AGREES`), which spares a look at the deliveries of nearly all others. */
const EDITED = `SELECT ${DELIVERY_COLUMNS}, changed FROM delivery WHERE number IN (
  SELECT d.number FROM message m JOIN delivery d USING (number)
  WHERE m.number IN (SELECT value FROM json_each(?)) AND m.agrees = 0 AND d.changed IS NOT NULL
) ORDER BY number, nth`;
const ABOVE = 'SELECT number, replay_of FROM message WHERE id = ?';

/** Messages in brief, in the order of `numbers`; undefined: that message is not kept. */
export function summariesOf(
  statements: Statements,
  numbers: readonly number[],
  facets: readonly Facet[],
): (MessageSummary | undefined)[] {
  const needsBody = facets.some(readsBody);
  const needsDeliveries = facets.some(readsDeliveries);
  const needsEdited = facets.some(readsEdited);
  const found = new Map<number, MessageSummary>();
  const step = needsBody ? BODIES : Math.max(1, numbers.length);
  for (let at = 0; at < numbers.length; at += step) {
    const list = JSON.stringify(numbers.slice(at, at + step));
    statements.atOneMoment(() => {
      const wires = needsBody ? wiresOf(statements, list) : new Map<number, string | Uint8Array>();
      const deliveries = needsDeliveries ? deliveriesOf(statements, list) : new Map<number, DeliveryRow[]>();
      const edited = needsEdited ? editedOf(statements, list) : new Map<number, Wire>();
      for (const row of statements.all(BRIEF, list)) {
        const summary = summaryOf(statements, row, facets, { wires, deliveries, edited });
        found.set(summary.number, summary);
      }
    });
  }
  return numbers.map((number) => found.get(number));
}

function wiresOf(statements: Statements, list: string): Map<number, string | Uint8Array> {
  return new Map(
    statements.all(WIRES, list).map((row) => [numberIn(row, 'number'), wireIn(row, 'wire') ?? '']),
  );
}

function deliveriesOf(statements: Statements, list: string): Map<number, DeliveryRow[]> {
  const found = new Map<number, DeliveryRow[]>();
  for (const row of statements.all(DELIVERIES, list)) {
    const number = numberIn(row, 'number');
    const shown = deliveryRow(deliveryIn(row, '').value);
    const others = found.get(number);
    if (others === undefined) found.set(number, [shown]);
    else others.push(shown);
  }
  return found;
}

/** The edited bytes that lists show, of the messages that have some. */
function editedOf(statements: Statements, list: string): Map<number, Wire> {
  const found = new Map<number, StoredDelivery[]>();
  for (const row of statements.all(EDITED, list)) {
    const number = numberIn(row, 'number');
    found.set(number, [...(found.get(number) ?? []), deliveryIn(row, '').value]);
  }
  return new Map(
    [...found].flatMap(([number, deliveries]) => {
      const wire = editedWire(deliveries);
      return wire === undefined ? [] : [[number, wire] as const];
    }),
  );
}

/** Data from outside the columns, by number of the message; empty if no facet needs it. */
interface Beside {
  readonly wires: ReadonlyMap<number, string | Uint8Array>;
  readonly deliveries: ReadonlyMap<number, readonly DeliveryRow[]>;
  readonly edited: ReadonlyMap<number, Wire>;
}

function summaryOf(
  statements: Statements,
  row: Row,
  facets: readonly Facet[],
  { wires, deliveries, edited }: Beside,
): MessageSummary {
  const number = numberIn(row, 'number');
  const root = facets.some(({ kind }) => kind === 'replay') ? rootOf(statements, row) : undefined;
  const stage = STAGES.find((each) => each === maybeTextIn(row, 'stage'));
  const states = (maybeTextIn(row, 'states') ?? '').split(',');
  const isRaw = numberIn(row, 'raw') === 1;
  const payload = (): Description => describe(wires.get(number) ?? '', isRaw, bufferCodec);
  const preview = (): string => previewOf(edited.get(number) ?? wires.get(number) ?? '', isRaw, bufferCodec);
  const isEdited = (): boolean => edited.has(number);
  const shown = (): Description | undefined => {
    const wire = edited.get(number);
    return wire === undefined ? undefined : describe(wire, isRaw, bufferCodec);
  };
  const state = worstState({
    deliveries: DELIVERY_STATES.filter((each) => states.includes(each)).map((each) => ({ state: each })),
    ...withoutUndefined({ stage, tap: maybeTextIn(row, 'tap') }),
  });
  const delivery = () => foremost(deliveries.get(number) ?? []);
  const atMs = numberIn(row, 'at');
  const lines = { payload, edited: shown, preview, isEdited };
  const source = { row: namesOf(row), atMs, state, delivery, ...lines, chain: root?.messageId };
  return {
    number,
    atMs,
    state,
    values: factsFor(facets, source),
    ...(root?.number === undefined ? {} : { root: root.number }),
  };
}

function namesOf(row: Row) {
  const eventType = maybeTextIn(row, 'event_type');
  const traceId = maybeTextIn(row, 'trace');
  const batchId = maybeTextIn(row, 'batch');
  return {
    topic: textIn(row, 'topic'),
    ...(eventType === undefined ? {} : { eventType }),
    ...(traceId === undefined ? {} : { traceId }),
    ...(batchId === undefined ? {} : { batchId }),
  };
}

/** The original of a chain of replays; undefined: the message is not a replay. A removed original has no number. */
function rootOf(
  statements: Statements,
  row: Row,
): { readonly messageId: string; readonly number?: number } | undefined {
  let messageId = maybeTextIn(row, 'replay_of');
  if (messageId === undefined) return undefined;
  for (let step = 0; step < MAX_CHAIN; step += 1) {
    const above = statements.one(ABOVE, messageId);
    if (above === undefined) return { messageId };
    const further = maybeTextIn(above, 'replay_of');
    if (further === undefined) return { messageId, number: numberIn(above, 'number') };
    messageId = further;
  }
  return { messageId };
}
