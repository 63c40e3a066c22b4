/** What a person keeps for publishing: payload schemas, saved requests and their variables. */
import type { PublishParams } from './publish.ts';
import type { Problem } from './subscription.ts';

/** A JSON Schema for the data of a topic, of one event type where one is named. */
export interface PayloadSchema {
  readonly schemaId: string;
  readonly name: string;
  readonly topic: string;
  readonly eventType?: string;
  /** The JSON Schema itself: an object, `true` or `false`. */
  readonly schema: unknown;
}

export interface SchemaMistake {
  /** JSON pointer into the data; "" is the whole. */
  readonly path: string;
  readonly message: string;
}

export interface SchemaVerdict {
  readonly valid: boolean;
  /** The schema that was used; absent: none is bound, everything is valid. */
  readonly schemaId?: string;
  readonly name?: string;
  /** At most 100. */
  readonly errors: readonly SchemaMistake[];
}

/** A publish that is kept under a name. Texts of `request` may hold variables such as `{{uuid}}`. */
export interface SavedRequest {
  readonly requestId: string;
  readonly name: string;
  readonly folder?: string;
  /** A digit that runs it from the Publish screen. */
  readonly shortcut?: number;
  readonly inPalette?: boolean;
  readonly savedAt: string;
  /** The file of the component folder that it stands in; it is changed there. */
  readonly file?: string;
  readonly request: PublishParams;
}

/** One publish of the last 200, as it was sent. */
export interface PastRequest {
  readonly at: string;
  readonly request: PublishParams;
  readonly messageId?: string;
  /** Code of the refusal. */
  readonly code?: string;
}

/** What a `*.sidelight.json` file holds. */
export interface RequestsFile {
  readonly sidelight: 'requests';
  readonly version: 1;
  readonly requests: readonly Omit<SavedRequest, 'savedAt' | 'file'>[];
}

/** What is being written on the publish screens, as the console left it. */
export interface KeptDrafts {
  readonly drafts: unknown;
  readonly savedAt: string | null;
}

export type Variables = Readonly<Record<string, string>>;

type None = Readonly<Record<string, never>>;

/** Methods on what is kept for publishing. */
export interface SavedMethods {
  'schemas.list': { params: None; result: { items: readonly PayloadSchema[] } };
  'schemas.set': {
    params: { schemaId?: string; name: string; topic: string; eventType?: string; schema: unknown };
    result: PayloadSchema;
  };
  'schemas.remove': { params: { schemaId: string }; result: { items: readonly PayloadSchema[] } };
  'schemas.validate': {
    params: { data: unknown; schemaId?: string; topic?: string; eventType?: string; schema?: unknown };
    result: SchemaVerdict;
  };
  'requests.list': {
    params: None;
    result: {
      items: readonly SavedRequest[];
      /** Newest first, at most 200. */
      history: readonly PastRequest[];
      variables: Variables;
      /** Problems of the request files in the folder. */
      problems: readonly Problem[];
    };
  };
  'requests.save': {
    params: {
      requestId?: string;
      name: string;
      folder?: string;
      shortcut?: number;
      inPalette?: boolean;
      request: PublishParams;
    };
    result: SavedRequest;
  };
  'requests.remove': { params: { requestId: string }; result: { items: readonly SavedRequest[] } };
  'requests.variables': { params: { variables: Variables }; result: { variables: Variables } };
  'requests.export': {
    params: { requestIds?: readonly string[] };
    result: { fileName: string; text: string; count: number };
  };
  'requests.import': {
    params: { text: string };
    result: { added: number; replaced: number; items: readonly SavedRequest[] };
  };
  'drafts.get': { params: None; result: KeptDrafts };
  'drafts.set': { params: { drafts: unknown }; result: { savedAt: string } };
  'requests.resolve': { params: { request: PublishParams }; result: { request: PublishParams } };
  'requests.run': {
    params: { requestId?: string; request?: PublishParams };
    result: { messageId: string; request: PublishParams };
  };
}
