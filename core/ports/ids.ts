/** Source of new ids. */
export type IdKind = 'message' | 'delivery' | 'attempt' | 'batch' | 'hold' | 'rule';

export interface IdSource {
  /** Makes an opaque, unique id with a readable prefix: msg_, dlv_, att_, bat_, hld_, rul_. */
  next(kind: IdKind): string;
  /** Makes a UUID v4. */
  uuid(): string;
  /** Makes `bytes` random bytes as lower-case hex, for trace and span ids. */
  hex(bytes: number): string;
}
