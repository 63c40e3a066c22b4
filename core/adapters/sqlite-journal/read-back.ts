/** Reads JSON back from the file. It may have been damaged on the disk, so unexpected content is never an exception. */
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import { ORIGINS, STAGES } from '../../contract/words.ts';
import type { Attempt, MessageRow } from '../../contract/message.ts';
import { isObject, tryParse } from '../../domain/json.ts';
import type { StoredDelivery } from '../../ports/journal.ts';
import { columnText } from './columns.ts';
import type { Row } from './prepared.ts';
import { maybeTextIn, numberIn, textIn, wireIn } from './statements.ts';

/** Members shared by the attempts of one batch. */
export type Call = Pick<Attempt, 'request' | 'response'>;

/** A record, or its substitute if it is damaged. */
export interface ReadBack<T> {
  readonly value: T;
  readonly isSound: boolean;
}

const NOT_READ = 'This message is damaged on disk; only this part of it can be read.';

/** Columns that `standInDelivery` needs. */
export const DELIVERY_COLUMNS = 'number, id, state, app, route, attempts, record';

/** Reads a JSON object; undefined: the text is damaged. */
function objectIn<T>(text: string): T | undefined {
  const value = tryParse(text)?.value;
  // The adapter wrote the text from a value of that type; the caller checks what it relies on.
  return isObject(value) ? (value as T) : undefined;
}

const ROW_TEXTS = ['messageId', 'at', 'pubsubname', 'topic', 'appId', 'source', 'contentType'] as const;

/** Undefined: it is not the row of that message any more. */
export function rowIn(text: string, number: number): MessageRow | undefined {
  const row = objectIn<MessageRow>(text);
  if (row?.number !== number || !Array.isArray(row.deliveries)) return undefined;
  return ROW_TEXTS.every((name) => typeof row[name] === 'string') ? row : undefined;
}

/** A row from the columns that filters compare; members that only the row itself had are lost. */
export function standInRow(found: Row | undefined, number: number): MessageRow {
  const stage = STAGES.find((each) => each === maybeTextIn(found, 'stage'));
  return {
    messageId: textIn(found, 'id'),
    number,
    at: timeIn(numberIn(found, 'at')),
    pubsubname: textIn(found, 'pubsub'),
    topic: textIn(found, 'topic'),
    appId: textIn(found, 'app'),
    source: ORIGINS.find((each) => each === textIn(found, 'origin')) ?? 'http',
    contentType: '',
    sizeBytes: numberIn(found, 'size'),
    raw: numberIn(found, 'raw') === 1,
    deliveries: [],
    ...(numberIn(found, 'pinned') === 1 ? { pinned: true } : {}),
    ...(stage === undefined ? {} : { stage }),
    flags: [NOT_READ],
  };
}

function timeIn(ms: number): string {
  const at = new Date(ms);
  return Number.isNaN(at.getTime()) ? new Date(0).toISOString() : at.toISOString();
}

/** Reads a delivery; a record that differs from its columns is damaged. */
export function deliveryIn(row: Row, messageId: string): ReadBack<StoredDelivery> {
  const read = objectIn<StoredDelivery>(textIn(row, 'record'));
  const isSound = read !== undefined && isDelivery(read, row);
  const delivery = isSound ? read : standInDelivery(row, messageId);
  const changedWire = wireIn(row, 'changed');
  return { value: changedWire === undefined ? delivery : { ...delivery, changedWire }, isSound };
}

function isDelivery(read: StoredDelivery, row: Row): boolean {
  const { deliveryId, state, appId, attemptCount, route, subscription } = read;
  return (
    deliveryId === textIn(row, 'id') &&
    state === textIn(row, 'state') &&
    attemptCount === numberIn(row, 'attempts') &&
    typeof appId === 'string' &&
    columnText(appId) === textIn(row, 'app') &&
    isObject(route) &&
    typeof route.path === 'string' &&
    isObject(subscription) &&
    typeof subscription.pubsubname === 'string' &&
    typeof subscription.topic === 'string'
  );
}

function standInDelivery(row: Row, messageId: string): StoredDelivery {
  return {
    deliveryId: textIn(row, 'id'),
    messageId,
    appId: textIn(row, 'app'),
    subscription: {
      pubsubname: textIn(row, 'pubsub'),
      topic: textIn(row, 'subscribed'),
      source: 'programmatic',
    },
    route: { path: textIn(row, 'route') },
    state: DELIVERY_STATES.find((each) => each === textIn(row, 'state')) ?? 'parked',
    maxAttempts: 0,
    attemptCount: numberIn(row, 'attempts'),
    roundStart: 0,
  };
}

/** Undefined: it cannot be read, or the shared call of its batch is lost. */
export function attemptIn(row: Row, wire: string, batches: ReadonlyMap<number, Call>): Attempt | undefined {
  const own = objectIn<Attempt>(textIn(row, 'record'));
  const attempt = own && { ...own, ...batches.get(numberIn(row, 'batch')) };
  if (typeof attempt?.attemptId !== 'string' || !isObject(attempt.request)) return undefined;
  if (numberIn(row, 'sent_wire') === 0) return attempt;
  return { ...attempt, request: { ...attempt.request, body: wire } };
}

/** Undefined: it cannot be read. */
export function callIn(row: Row): Call | undefined {
  const request = objectIn<Attempt['request']>(textIn(row, 'request'));
  const text = maybeTextIn(row, 'response');
  const response = text === undefined ? undefined : objectIn<NonNullable<Call['response']>>(text);
  if (request === undefined || (text !== undefined && response === undefined)) return undefined;
  return { request, ...(response === undefined ? {} : { response }) };
}

/** Null in the file is the value for nothing. */
export function valueIn<T>(
  row: Row,
  column: string,
  nothing: T,
  isOne: (value: unknown) => boolean,
): ReadBack<T> {
  const text = maybeTextIn(row, column);
  if (text === undefined) return { value: nothing, isSound: true };
  const value = tryParse(text)?.value;
  // The text was written from a value of that type.
  return isOne(value) ? { value: value as T, isSound: true } : { value: nothing, isSound: false };
}
