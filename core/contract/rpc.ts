/** JSON-RPC 2.0 as all three carriers use it, and the pipe that a carrier has to provide. */

export type RpcId = string | number | null;

export interface RpcErrorData {
  readonly code: string;
  readonly field?: string;
  readonly expected?: string;
  readonly [more: string]: unknown;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: RpcErrorData;
}

export type RpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: RpcId; readonly error: RpcError };

export interface RpcNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params: unknown;
}

/** Largest text frame a carrier takes, in bytes. */
export const MAX_FRAME_BYTES = 8 * 1024 * 1024;
/**
 * First character of a frame that is a part of a longer text: its beginning, more of it, its end. No JSON begins with one of them. A page
 * sends a long text in parts, because writing megabytes at once would stop it; the whole text is as short as a frame has to be.
 */
export const PART_MARKS = { first: '^', more: '+', last: '$' } as const;
/** Maximum number of requests in one JSON-RPC batch over HTTP. */
export const MAX_RPC_BATCH = 50;
/** Characters of the answers of one batch after which its other requests are refused instead of being run. */
export const MAX_BATCH_ANSWER = 32 * 1024 * 1024;

/** Room for answers that a client has not read yet. */
export interface AnswerRoom {
  readonly isFull: boolean;
  /** Resolves once there is room, or the client has disconnected. */
  wait(): Promise<void>;
}

/** Connection to one client of the console: text frames in order, in both directions. */
export interface TextPipe {
  /** Sends a frame; never throws, and does nothing after `close`. */
  send(text: string): void;
  onText(take: (text: string) => void): () => void;
  onClose(done: (reason: string) => void): () => void;
  /** Absent: the client takes every answer at once. */
  readonly room?: AnswerRoom | undefined;
}

/**
 * Header in which a connection names an actor that is not a person. It grants nothing: the log shows the
 * actor.
 */
export const ACTOR_HEADER = 'x-sidelight-by';
export const ACTORS = ['agent'] as const;
export type Actor = (typeof ACTORS)[number];
/** Who makes a call, if it is not a person at a page: an actor that says so, or else a program with the token. */
export type Peer = Actor | 'script';
