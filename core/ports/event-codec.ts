/**
 * Validation of CloudEvents by a library, for events that a person types, and for comparison in tests. A
 * publish never uses it.
 */
export interface CodecComplaint {
  readonly field?: string;
  readonly message: string;
}

export interface EventCodec {
  /** Checks a structured CloudEvent that a person wrote; [] = valid. */
  complaints(event: unknown): readonly CodecComplaint[];
}
