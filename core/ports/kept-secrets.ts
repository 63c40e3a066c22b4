/** Secrets that outlive a run, encrypted by the key store of the system; only the desktop has one. */
export interface KeptSecrets {
  /** Reads a secret; undefined: it was never kept, or is not readable any more. */
  get(name: string): Promise<string | undefined>;
  /**
   * Keeps a secret; undefined removes it.
   * @returns why it was not kept, in words; undefined: it was kept
   */
  set(name: string, value: string | undefined): Promise<string | undefined>;
}
