/**
 * Reads a bulk publish: the request body as entries, its refusals, and the limit on its size. Behaviour 3.1
 * to 3.3.
 */
import type { Profile } from '../contract/profile.ts';
import type { FailedEntry } from '../contract/publish.ts';
import { textOf } from './codec.ts';
import type { Codec, Wire } from './codec.ts';
import { BINARY_CONTENT_TYPE, CLOUDEVENT_CONTENT_TYPE, mediaTypeOf } from './content-type.ts';
import { memberInAnyCase } from '../contract/member-in-any-case.ts';
import { isObject } from './json.ts';
import { hasMoreElements } from './element-count.ts';
import { eachElementText, partsOf } from '../contract/json-scan.ts';
import { found } from './members.ts';
import { keysComplaint, metadataValue } from './metadata.ts';
import type { Metadata } from './metadata.ts';
import { no, ok } from './result.ts';
import type { Complaint, Result } from './result.ts';
import { readJsonText } from './json-body.ts';
import type { BodyRules } from './json-body.ts';

export interface BulkPublishEntry {
  readonly entryId: string;
  readonly contentType: string;
  readonly body: Wire;
  /** Metadata of the request, overridden by the entry's own. `rawPayload` comes from the request only. */
  readonly metadata: Metadata;
}

/** An entry whose event is bytes, which are published unchanged whatever the content type is. */
export interface GivenEntry {
  readonly entryId: string;
  readonly event: Uint8Array;
  readonly contentType: string;
  readonly metadata: Metadata;
}

/**
 * Entries whose events are bytes. They may be made as they are read: a request of very many entries then waits
 * for its turn as the bytes that came.
 */
export interface GivenEntries extends Iterable<GivenEntry> {
  readonly length: number;
  /** Size of their events, texts and metadata together. */
  readonly bytes: number;
}

/**
 * Reads entries one after another, so that the caller can pause in between. A number is a step without an
 * entry: the size of what it read. The caller stops at the first mistake.
 */
type EntrySteps = Generator<Result<BulkPublishEntry> | number, void>;

export interface BulkPublishContext {
  readonly pubsubname: string;
  readonly topic: string;
  readonly appId: string;
  /** Metadata of the request. */
  readonly metadata: Metadata;
  readonly profile: Profile;
  readonly codec: Codec;
  /** True if the body is only the beginning of one that exceeds its limit. */
  readonly isBeginning?: boolean;
}

/** One element with checked types, before any conversion. */
interface RawEntry {
  readonly entryId: string;
  readonly contentType: string;
  /** JSON text of the event; undefined: absent, which differs from null. */
  readonly eventText: string | undefined;
  readonly metadata: Metadata;
}

/** Maximum number of entries of one request; over gRPC, all metadata count as entries do. Each takes many times its own length in memory. */
export const MAX_ENTRIES = 100_000;

/** Length of a text from which on it may have more. */
const COUNTED_LENGTH = 2 * MAX_ENTRIES;

/** Complaint about too many entries. `params` are filled from the request. */
const TOO_MANY_ENTRIES: Complaint = {
  code: 'ERR_PUBSUB_EVENTS_SER',
  reason: `a bulk publish has at most ${MAX_ENTRIES.toLocaleString('en')} entries`,
  expected: `at most ${MAX_ENTRIES.toLocaleString('en')} entries`,
};

const MAX_PARTS_TEXT = `at most ${MAX_ENTRIES.toLocaleString('en')} entries and metadata together`;
/** Complaint about too many entries and metadata over gRPC, where metadata count as entries do. */
export const TOO_MANY_PARTS: Complaint = {
  code: 'ERR_PUBSUB_EVENTS_SER',
  reason: `a bulk publish over gRPC has ${MAX_PARTS_TEXT}`,
  expected: MAX_PARTS_TEXT,
};

/**
 * Reads the entries of a bulk publish. The first mistake refuses the whole request with
 * ERR_PUBSUB_EVENTS_SER: its main text for a body that is not the right JSON, variant `event` for an event
 * that cannot be published, `entry` for an id. `[]` and `null` have no entries and are no mistake.
 */
export function readBulkPublish(
  body: Wire,
  context: BulkPublishContext,
): Result<readonly BulkPublishEntry[]> {
  return entriesOf(readSteps(body, context));
}

/** Does what `readBulkPublish` does, in steps. The JSON text is checked in the first step, or in the second if its entries have to be counted. */
export function* readSteps(body: Wire, context: BulkPublishContext): EntrySteps {
  const { differences } = context.profile;
  const rules = { ...differences, isBeginning: context.isBeginning === true };
  const text = textOf(body, context.codec);
  // The entries are counted before the text is checked, which takes long for a million small entries.
  if (hasMoreElements(text, MAX_ENTRIES)) return yield no(ofRequest(TOO_MANY_ENTRIES, context));
  // To count the entries of a large text takes about as long as to check it.
  if (text.length >= COUNTED_LENGTH) yield text.length;
  const raws: RawEntry[] = [];
  for (const raw of shapeSteps(text, rules)) {
    if (typeof raw === 'string')
      return yield no(complaint(raw, context, undefined, 'a JSON array of entries'));
    if (raw !== undefined) raws.push(raw);
    yield raw === undefined ? text.length : (raw.eventText?.length ?? 0);
  }
  const ids = new EntryIds(context);
  for (const [index, raw] of raws.entries()) yield readOne(raw, index, ids, context);
}

/** What is published of an element of the right types, or its mistake. */
function readOne(
  raw: RawEntry,
  index: number,
  ids: EntryIds,
  context: BulkPublishContext,
): Result<BulkPublishEntry> {
  const field = `entries[${index}].event`;
  if (raw.eventText === undefined) {
    const named = raw.entryId === '' ? '' : ` (entryId ${JSON.stringify(raw.entryId)})`;
    const reason = `event of entry ${index + 1}${named} is missing`;
    return no({ ...complaint(reason, context, 'event', 'an event'), field });
  }
  const converted = convert(raw.contentType, raw.eventText, context.codec);
  if (!converted.ok) return no({ ...complaint(converted.complaint, context, 'event'), field });
  return ids.mistakeOf(raw, index) ?? ok(entryOf(raw, converted.value, context));
}

/**
 * Checks the entries of a bulk publish that has bytes instead of JSON. The first mistake refuses the whole
 * request.
 */
export function checkEntries(
  given: readonly GivenEntry[],
  context: BulkPublishContext,
): Result<readonly BulkPublishEntry[]> {
  return entriesOf(checkSteps(given, context));
}

/** Does what `checkEntries` does, in steps. */
export function* checkSteps(
  given: Iterable<GivenEntry> & Pick<GivenEntries, 'length'>,
  context: BulkPublishContext,
): EntrySteps {
  if (given.length > MAX_ENTRIES) return yield no(ofRequest(TOO_MANY_ENTRIES, context));
  const ids = new EntryIds(context);
  let index = 0;
  for (const entry of given) {
    yield ids.mistakeOf(entry, index) ?? ok(entryOf(entry, entry.event, context));
    index += 1;
  }
}

/** Takes all steps at once. */
function entriesOf(steps: EntrySteps): Result<readonly BulkPublishEntry[]> {
  const entries: BulkPublishEntry[] = [];
  for (const step of steps) {
    if (typeof step === 'number') continue;
    if (!step.ok) return step;
    entries.push(step.value);
  }
  return ok(entries);
}

function entryOf(
  { entryId, contentType, metadata }: Pick<GivenEntry, 'entryId' | 'contentType' | 'metadata'>,
  body: Wire,
  context: BulkPublishContext,
): BulkPublishEntry {
  return { entryId, contentType, body, metadata: merge(context.metadata, metadata, context.profile) };
}

/** The ids of the entries that were read; each has one of its own. */
class EntryIds {
  readonly #context: BulkPublishContext;
  readonly #seen = new Set<string>();

  constructor(context: BulkPublishContext) {
    this.#context = context;
  }

  /** The mistake in an entry's id or in the number of its keys; undefined: there is none. */
  mistakeOf(
    entry: Pick<GivenEntry, 'entryId' | 'metadata'>,
    index: number,
  ): Result<BulkPublishEntry> | undefined {
    const { entryId } = entry;
    if (entryId === '' || this.#seen.has(entryId)) return no(duplicate(index, this.#context));
    this.#seen.add(entryId);
    const tooMany = keysOfEntry(entry, this.#context);
    return tooMany === undefined ? undefined : no(tooMany);
  }
}

/**
 * Number of an entry's keys. It is checked before the keys are merged with those of the request, which takes
 * long for very many.
 */
function keysOfEntry(
  { entryId, metadata }: Pick<RawEntry, 'entryId' | 'metadata'>,
  { pubsubname, topic, appId }: BulkPublishContext,
): Complaint | undefined {
  const found = keysComplaint(metadata);
  if (found === undefined) return undefined;
  const reason = `${found.reason} (entry ${entryId})`;
  return { ...found, reason, params: { pubsubname, topic, appId, reason } };
}

/** A complaint with the names of its request. */
function ofRequest(complaint: Complaint, { pubsubname, topic, appId }: BulkPublishContext): Complaint {
  const { reason = '' } = complaint;
  return { ...complaint, params: { pubsubname, topic, appId, reason } };
}

function duplicate(index: number, context: BulkPublishContext): Complaint {
  const reason = 'entryId is duplicated or not present for entry';
  return {
    ...complaint(reason, context, 'entry', 'an entryId of its own'),
    field: `entries[${index}].entryId`,
  };
}

/**
 * Report when the CloudEvent of one entry could not be made: nothing is published, and every entry is named.
 */
export function refusedEntries(
  entryIds: readonly string[],
  refusedId: string,
  error: string,
): readonly FailedEntry[] {
  return entryIds.map((entryId) => ({
    entryId,
    error: entryId === refusedId ? error : `not published: entry ${refusedId} was refused`,
  }));
}

/**
 * Error of every entry when `maxBulkPubBytes` is exceeded; undefined: the limit is kept, or is not usable.
 * @param sizeBytes sum of the encoded events
 */
export function overMaxBytes(sizeBytes: number, metadata: Metadata, profile: Profile): string | undefined {
  const value = metadataValue(metadata, 'maxBulkPubBytes', profile);
  if (value === undefined || !/^\+?[0-9]{1,15}$/.test(value)) return undefined;
  const limit = Number(value);
  if (limit === 0 || sizeBytes <= limit) return undefined;
  return `the events have ${sizeBytes} bytes, more than maxBulkPubBytes (${limit})`;
}

/** The elements with checked types, one after another; undefined: the text was read; a text is the mistake in the body, and the last. */
function* shapeSteps(text: string, rules: BodyRules): Generator<RawEntry | string | undefined, void> {
  const first = readJsonText(text, rules);
  if (typeof first === 'string') return yield first;
  if (first.text === 'null') return;
  if (!first.text.startsWith('['))
    return yield `the body must be an array, found ${found(outside(first.text))}`;
  yield undefined;
  let index = 0;
  for (const element of eachElementText(first.text)) {
    yield readEntry(element, index);
    index += 1;
  }
}

/** Only the small members of an element are parsed, because an event may be an object of very many names. */
function readEntry(element: string, index: number): RawEntry | string {
  if (element !== 'null' && !element.startsWith('{'))
    return `entry ${index + 1} must be an object, found ${found(outside(element))}`;
  const members = membersOf(element);
  const text = (name: string): string => members.get(name) ?? 'null';
  const entryId = outside(text('entryId')) ?? '';
  const contentType = outside(text('contentType')) ?? '';
  if (typeof entryId !== 'string')
    return `entryId of entry ${index + 1} must be a string, found ${found(entryId)}`;
  if (typeof contentType !== 'string')
    return `contentType of entry ${index + 1} must be a string, found ${found(contentType)}`;
  const given = text('metadata');
  const metadata = (given.startsWith('{') ? (JSON.parse(given) as unknown) : outside(given)) ?? {};
  if (!isObject(metadata))
    return `metadata of entry ${index + 1} must be an object, found ${found(metadata)}`;
  for (const [key, one] of Object.entries(metadata)) {
    if (typeof one !== 'string')
      return `metadata.${key} of entry ${index + 1} must be a string, found ${found(one)}`;
  }
  return { entryId, contentType, eventText: members.get('event'), metadata: metadata as Metadata };
}

/** Members of an element that are read, by their names in small letters. */
const MEMBERS: ReadonlyMap<string, string> = new Map(
  ['entryId', 'contentType', 'metadata', 'event'].map((name) => [name.toLowerCase(), name]),
);
const MAX_MEMBER_NAME = Math.max(...[...MEMBERS.values()].map((name) => name.length));

/** The texts of the members that are read, by name. `memberInAnyCase` says which of several counts. */
function membersOf(element: string): ReadonlyMap<string, string> {
  const texts: Record<string, string> = {};
  for (const { name, start, end } of partsOf(element)) {
    const isRead = name.length <= MAX_MEMBER_NAME && MEMBERS.has(name.toLowerCase());
    if (isRead) texts[name] = element.slice(start, end);
  }
  const members = new Map<string, string>();
  for (const name of MEMBERS.values()) {
    const text = memberInAnyCase(texts, name)?.value;
    if (typeof text === 'string') members.set(name, text);
  }
  return members;
}

/** The value of a JSON text. A list or an object is empty, so that nothing inside of it is parsed. */
function outside(text: string): unknown {
  if (text.startsWith('[')) return [];
  return text.startsWith('{') ? {} : JSON.parse(text);
}

const MISMATCH = 'error: mismatch between contentType and event';

/**
 * The event as the bytes to publish, by the kind of its content type. The complaint is the text of the
 * reason.
 */
function convert(contentType: string, eventText: string, codec: Codec): Result<Wire, string> {
  const media = mediaTypeOf(contentType);
  if (media === 'application/json' || media === CLOUDEVENT_CONTENT_TYPE) return ok(eventText);
  const event = outside(eventText);
  if (typeof event !== 'string') return no(MISMATCH);
  if (media.startsWith('text/') || media === 'application/xml') return ok(event);
  if (media !== BINARY_CONTENT_TYPE) return no(MISMATCH);
  const bytes = codec.fromBase64(event);
  if (bytes !== undefined) return ok(bytes);
  const at = Math.max(0, event.search(/[^A-Za-z0-9+/=\r\n]/));
  return no(
    `error: unable to decode base64 application/octect-stream data: illegal base64 data at input byte ${at}`,
  );
}

/**
 * Merges metadata. An entry's key replaces the request's, also in another letter case if the profile matches
 * any.
 */
function merge(request: Metadata, own: Metadata, profile: Profile): Metadata {
  const { rawPayload: _own, ...rest } = own;
  const names = Object.keys(rest);
  // Entries without metadata of their own share one object, because there may be very many.
  if (names.length === 0) return request;
  if (!profile.anyCaseNames) return { ...request, ...rest };
  const lower = new Set(names.map((name) => name.toLowerCase()));
  const kept = Object.entries(request).filter(
    ([name]) => name === 'rawPayload' || !lower.has(name.toLowerCase()),
  );
  return { ...Object.fromEntries(kept), ...rest };
}

function complaint(
  reason: string,
  context: BulkPublishContext,
  variant?: 'entry' | 'event',
  expected?: string,
): Complaint {
  const { pubsubname, topic, appId } = context;
  return {
    code: 'ERR_PUBSUB_EVENTS_SER',
    reason,
    params: { pubsubname, topic, appId, reason },
    ...(variant === undefined ? {} : { variant }),
    ...(expected === undefined ? {} : { expected }),
  };
}

/**
 * Flags for the content type of a bulk publish. The interface asks for `application/json` and names no status
 * for another: it is accepted and shown (behaviour 3). undefined: the request has none.
 */
export function bulkTypeFlags(contentType: string | undefined): readonly string[] {
  const mediaType = (contentType ?? '').split(';', 1)[0] ?? '';
  if (mediaType.trim().toLowerCase() === 'application/json') return [];
  const sent = contentType === undefined || contentType === '' ? 'none' : contentType;
  return [`Content-Type of the bulk publish: ${sent}. The interface asks for application/json.`];
}
