/** Validation of whole CloudEvents by a library. Tests compare our own reading with it; a publish never uses it. */
export interface CodecComplaint {
  readonly field?: string;
  readonly message: string;
}

export interface EventCodec {
  /** Checks a structured CloudEvent; [] = valid. */
  complaints(event: unknown): readonly CodecComplaint[];
}
