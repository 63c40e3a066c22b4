/** Answer of a gRPC call, and the sidecar as its target. */

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
  /** Reads nothing until `resume`. */
  pause(): void;
  resume(): void;
}

export interface CallOptions {
  /** Time that the client gives the call, in ms. */
  readonly deadlineMs?: number;
}

export interface GrpcSide {
  /** Where it is called: `127.0.0.1:50001`. */
  readonly address: string;
  call(
    method: string,
    message: Json,
    metadata?: Readonly<Record<string, string | Buffer>>,
    options?: CallOptions,
  ): Promise<GrpcAnswer>;
  /** Sends bytes as messages to any method and ends; `reply.text` is what came, message after message, as Latin-1. */
  exchange(path: string, requests: readonly Buffer[]): Promise<GrpcAnswer>;
  stream(metadata?: Readonly<Record<string, string>>): GrpcStream;
  close(): void;
}
