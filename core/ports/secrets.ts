/** A secret store. Values are never logged, listed or journalled. */
export interface Secrets {
  /**
   * Reads a secret. `key` picks one value of a secret that has several; absent: the value with the name of
   * the secret.
   */
  get(name: string, key?: string): Promise<string | undefined>;
}
