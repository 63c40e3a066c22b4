/** Secrets that outlive a run, encrypted by the system's key store; only the desktop has one. */
export interface KeptSecrets {
  /** Undefined: never kept, or kept and not readable any more. */
  get(name: string): Promise<string | undefined>;
  /** Keeps or, with undefined, forgets it. @returns why it was not kept, in words; undefined when it was */
  set(name: string, value: string | undefined): Promise<string | undefined>;
}
