/** What a call over gRPC brings, and the sidecar as something that can be called so. */

type Json = Readonly<Record<string, unknown>>;

/** A message, or what the call failed with. */
export interface GrpcAnswer {
  /** Name of the status code. */
  readonly code: string;
  /** Text of the status; "" when it went well. */
  readonly text: string;
  readonly reply: Json;
  /** Details of the trailer in their order, each with its short `type`. */
  readonly details: readonly Json[];
}

export interface GrpcStream {
  send(message: Json): void;
  /** The next message, or what the stream ended with; code OK and no `kind` for a plain end. */
  next(): Promise<GrpcAnswer>;
  /** Half-close. */
  end(): void;
  cancel(): void;
}

export interface GrpcSide {
  call(method: string, message: Json, metadata?: Readonly<Record<string, string>>): Promise<GrpcAnswer>;
  stream(metadata?: Readonly<Record<string, string>>): GrpcStream;
  close(): void;
}
