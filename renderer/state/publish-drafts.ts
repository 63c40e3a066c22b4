/** What is being written on the publish screens; outlives navigation and restarts. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { readKept, writeKept, type Keep } from './ui.ts';

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
  /** '' = none is sent. */
  readonly contentType: string;
  readonly data: string;
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
  readonly entries: readonly EntryDraft[];
}

export interface DraftsState {
  readonly single: SingleDraft;
  readonly bulk: BulkDraft;
}

export interface Drafts {
  readonly store: StoreApi<DraftsState>;
  editSingle(change: Partial<SingleDraft>): void;
  editBulk(change: Partial<BulkDraft>): void;
  editEntry(id: number, change: Partial<EntryDraft>): void;
  /** A number no row has yet. */
  nextId(): number;
  dispose(): void;
}

const KEY = 'sidelight.drafts';
const SAVE_MS = 400;
/** Longer drafts are not kept: browser storage ends at a few megabytes. */
const KEPT_CHARACTERS = 1_000_000;

export const EMPTY_SINGLE: SingleDraft = {
  pubsubname: '',
  topic: '',
  appId: '',
  envelope: 'wrap',
  contentType: 'application/json',
  data: '',
  ttl: '',
  metadata: [],
  attributes: { id: '', source: '', type: '', subject: '', time: '', dataschema: '' },
  extensions: [],
};

export const EMPTY_BULK: BulkDraft = {
  pubsubname: '',
  topic: '',
  appId: '',
  rawPayload: false,
  maxBulkPubBytes: '',
  entries: [],
};

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function record(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
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
  };
}

function readBulk(kept: Readonly<Record<string, unknown>>): BulkDraft {
  return {
    pubsubname: text(kept['pubsubname']),
    topic: text(kept['topic']),
    appId: text(kept['appId']),
    rawPayload: kept['rawPayload'] === true,
    maxBulkPubBytes: text(kept['maxBulkPubBytes']),
    entries: list(kept['entries']).map((each, index) => ({
      id: index + 1,
      entryId: text(each['entryId']),
      contentType: text(each['contentType']),
      event: text(each['event']),
    })),
  };
}

/** The drafts, read from and written to `keep`; writing waits until typing rests. */
export function createDrafts(keep: Keep | undefined): Drafts {
  const kept = readKept(keep, KEY);
  const store = createStore<DraftsState>(() => ({
    single: kept === undefined ? EMPTY_SINGLE : readSingle(record(kept['single'])),
    bulk: kept === undefined ? EMPTY_BULK : readBulk(record(kept['bulk'])),
  }));
  let lastId = 1_000_000;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function save(): void {
    timer = undefined;
    const state = store.getState();
    if (JSON.stringify(state).length <= KEPT_CHARACTERS) writeKept(keep, KEY, state);
  }
  store.subscribe(() => {
    clearTimeout(timer);
    timer = setTimeout(save, SAVE_MS);
  });

  return {
    store,
    editSingle: (change) => store.setState(({ single }) => ({ single: { ...single, ...change } })),
    editBulk: (change) => store.setState(({ bulk }) => ({ bulk: { ...bulk, ...change } })),
    editEntry: (id, change) =>
      store.setState(({ bulk }) => ({
        bulk: {
          ...bulk,
          entries: bulk.entries.map((entry) => (entry.id === id ? { ...entry, ...change } : entry)),
        },
      })),
    nextId() {
      lastId += 1;
      return lastId;
    },
    dispose() {
      if (timer !== undefined) save();
      clearTimeout(timer);
    },
  };
}
