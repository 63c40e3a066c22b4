/** Saved requests in files beside the code. */
import type { Problem } from '../contract/subscription.ts';

export interface RequestFile {
  readonly file: string;
  readonly text: string;
  /** Time of the last write; ISO 8601, UTC. */
  readonly writtenAt: string;
}

export interface RequestFiles {
  /** All files, in the order of their names. It never rejects: an unreadable file is a problem. */
  read(): Promise<{ readonly files: readonly RequestFile[]; readonly problems: readonly Problem[] }>;
}
