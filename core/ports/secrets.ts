/** A secret store. Values are never logged, listed or journalled. */
export interface Secrets {
  /** `key` picks one value of a secret that has several; absent: the one named like the secret. */
  get(name: string, key?: string): Promise<string | undefined>;
}
