/** A secret store. Values are never logged, listed or journalled. */
export interface Secrets {
  get(name: string): Promise<string | undefined>;
}
