/** CloudEvents as a library reads them: for what a person types, and as oracle in tests. Never on the way of a publish. */
export interface CodecComplaint {
  readonly field?: string;
  readonly message: string;
}

export interface EventCodec {
  /** Checks a structured CloudEvent that a person made; [] = valid. */
  complaints(event: unknown): readonly CodecComplaint[];
}
