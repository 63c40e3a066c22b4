/** JSON Schema: reading one, and checking data against it. */
import type { SchemaMistake } from '../contract/saved.ts';

export interface SchemaCheck {
  /** Why the schema cannot be used; undefined: it can. */
  problemOf(schema: unknown): string | undefined;
  /** What is wrong with the data, at most 100 mistakes. Throws Error when the schema cannot be used. */
  check(schema: unknown, data: unknown): readonly SchemaMistake[];
}
