/** Saved requests that lie as files beside the code. */
import type { Problem } from '../contract/subscription.ts';

export interface RequestFile {
  readonly file: string;
  readonly text: string;
  /** When it was last written; ISO 8601, UTC. */
  readonly writtenAt: string;
}

export interface RequestFiles {
  /** What is there now, in the order of the names. Never rejects: what cannot be read is a problem. */
  read(): Promise<{ readonly files: readonly RequestFile[]; readonly problems: readonly Problem[] }>;
}
