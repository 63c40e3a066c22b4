/** JSON Schema: reading one, and checking data against it, within a time. */
import type { SchemaMistake } from '../contract/saved.ts';

/** The schema or the data needed more time or memory than a check may take; the message says what. */
export class SchemaTooMuch extends Error {}

export interface SchemaCheck {
  /** Why the schema cannot be used; undefined: it can. Rejects SchemaTooMuch. */
  problemOf(schema: unknown): Promise<string | undefined>;
  /** What is wrong with the data, at most 100 mistakes. Rejects SchemaTooMuch, and Error when the schema cannot be used. */
  check(schema: unknown, data: unknown): Promise<readonly SchemaMistake[]>;
  /** Ends what is under way, which is rejected. */
  close(): Promise<void>;
}
