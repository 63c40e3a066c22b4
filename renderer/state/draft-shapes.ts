/** The drafts of the publish screens: their fields, and reading saved ones. */
import { isObject } from '../../core/contract/is-object.ts';

export type EnvelopeKind = 'wrap' | 'own' | 'raw';

export interface Pair {
  readonly id: number;
  readonly key: string;
  readonly value: string;
}

export interface SingleDraft {
  readonly pubsubname: string;
  readonly topic: string;
  readonly appId: string;
  readonly envelope: EnvelopeKind;
  /** Content type; '' = none is sent. */
  readonly contentType: string;
  readonly data: string;
  /** Bytes of a file that is no text, sent instead of `data`. */
  readonly file: FileData | undefined;
  readonly ttl: string;
  readonly metadata: readonly Pair[];
  readonly attributes: {
    readonly id: string;
    readonly source: string;
    readonly type: string;
    readonly subject: string;
    readonly time: string;
    readonly dataschema: string;
  };
  readonly extensions: readonly Pair[];
  /** True: the host fills in a new UUID and the present time at every publish. */
  readonly isNewId: boolean;
  readonly isNow: boolean;
}

export interface FileData {
  readonly name: string;
  readonly base64: string;
  readonly bytes: number;
}

export interface EntryDraft {
  readonly id: number;
  readonly entryId: string;
  readonly contentType: string;
  readonly event: string;
}

export interface BulkDraft {
  readonly pubsubname: string;
  readonly topic: string;
  readonly appId: string;
  readonly rawPayload: boolean;
  readonly maxBulkPubBytes: string;
  /** Content type of entries that a person adds by hand. */
  readonly contentType: string;
  readonly entries: readonly EntryDraft[];
}

/** One tab of the single form. */
export interface SingleTab {
  readonly id: number;
  readonly draft: SingleDraft;
}

/** Most tabs at a time. */
export const MAX_TABS = 20;

export const EMPTY_SINGLE: SingleDraft = {
  pubsubname: '',
  topic: '',
  appId: '',
  envelope: 'wrap',
  contentType: 'application/json',
  data: '',
  file: undefined,
  ttl: '',
  metadata: [],
  attributes: { id: '', source: '', type: '', subject: '', time: '', dataschema: '' },
  extensions: [],
  isNewId: true,
  isNow: true,
};

const EMPTY_BULK: BulkDraft = {
  pubsubname: '',
  topic: '',
  appId: '',
  rawPayload: false,
  maxBulkPubBytes: '',
  contentType: 'application/json',
  entries: [],
};

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? { ...value } : {};
}

function list(value: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(record) : [];
}

function pairs(value: unknown): readonly Pair[] {
  return list(value).map((each, index) => ({
    id: index + 1,
    key: text(each['key']),
    value: text(each['value']),
  }));
}

/** One saved draft; a missing or foreign member has the value of an empty draft. */
function readSingle(kept: Readonly<Record<string, unknown>>): SingleDraft {
  const attributes = record(kept['attributes']);
  const { envelope } = kept;
  return {
    pubsubname: text(kept['pubsubname']),
    topic: text(kept['topic']),
    appId: text(kept['appId']),
    envelope: envelope === 'own' || envelope === 'raw' ? envelope : 'wrap',
    contentType: typeof kept['contentType'] === 'string' ? kept['contentType'] : EMPTY_SINGLE.contentType,
    data: text(kept['data']),
    file: readFile(kept['file']),
    ttl: text(kept['ttl']),
    metadata: pairs(kept['metadata']),
    attributes: {
      id: text(attributes['id']),
      source: text(attributes['source']),
      type: text(attributes['type']),
      subject: text(attributes['subject']),
      time: text(attributes['time']),
      dataschema: text(attributes['dataschema']),
    },
    extensions: pairs(kept['extensions']),
    isNewId: kept['isNewId'] !== false && text(attributes['id']) === '',
    isNow: kept['isNow'] !== false && text(attributes['time']) === '',
  };
}

function readFile(value: unknown): FileData | undefined {
  const { name, base64, bytes } = record(value);
  if (typeof name !== 'string' || typeof base64 !== 'string' || typeof bytes !== 'number') return undefined;
  return { name, base64, bytes };
}

function readBulk(kept: Readonly<Record<string, unknown>>): BulkDraft {
  return {
    pubsubname: text(kept['pubsubname']),
    topic: text(kept['topic']),
    appId: text(kept['appId']),
    rawPayload: kept['rawPayload'] === true,
    maxBulkPubBytes: text(kept['maxBulkPubBytes']),
    contentType: typeof kept['contentType'] === 'string' ? kept['contentType'] : EMPTY_BULK.contentType,
    entries: list(kept['entries']).map((each, index) => ({
      id: index + 1,
      entryId: text(each['entryId']),
      contentType: text(each['contentType']),
      event: text(each['event']),
    })),
  };
}

/** All drafts. */
export interface KeptState {
  readonly tabs: readonly SingleTab[];
  readonly tab: number;
  readonly bulk: BulkDraft;
}

/** Reads the saved drafts of this build, or of an older one with a single form; at least one tab. */
export function readDrafts(value: unknown): KeptState {
  const kept = record(value);
  const given = list(kept['tabs']).map((each, index) => ({
    id: index + 1,
    draft: readSingle(record(each['draft'])),
  }));
  const tabs = given.length > 0 ? given : [{ id: 1, draft: readSingle(record(kept['single'])) }];
  const place = typeof kept['place'] === 'number' ? kept['place'] : 0;
  return { tabs, tab: tabs[place]?.id ?? 1, bulk: readBulk(record(kept['bulk'])) };
}
