/** Where new ids come from. */
export type IdKind = 'message' | 'delivery' | 'attempt' | 'batch' | 'hold' | 'rule';

export interface IdSource {
  /** Opaque, unique, with a prefix for the eye: msg_, dlv_, att_, bat_, hld_, rul_. */
  next(kind: IdKind): string;
  /** UUID v4. */
  uuid(): string;
  /** `bytes` random bytes as lower-case hex, for trace and span ids. */
  hex(bytes: number): string;
}
