/** Reads JSON Schemas and checks data against them, within a time limit. */
import type { SchemaMistake } from '../contract/saved.ts';

/** The schema or the data needed more time, memory or depth than a check may use; the message says which. */
export class SchemaTooMuch extends Error {}

export interface SchemaCheck {
  /** Why the schema cannot be used; undefined: it can. Rejects SchemaTooMuch. */
  problemOf(schema: unknown): Promise<string | undefined>;
  /** Mistakes in the data, at most 100. Rejects SchemaTooMuch, and Error when the schema cannot be used. */
  check(schema: unknown, data: unknown): Promise<readonly SchemaMistake[]>;
  /** Ends all work; open requests are rejected. */
  close(): Promise<void>;
}
