/** What the desktop shell tells the program that started it: one JSON object per line on its stdout. */

import type { Protocol } from './grpc.ts';
import type { TapAddress } from './tap.ts';

/** Set to `1` in the shell's environment by a starter that reads its lines; without it the shell writes none. */
export const SHELL_LINES = 'SIDELIGHT_SHELL_LINES';

/** How long a starter waits for `window`, or after the last `busy`, before it ends the shell and takes browser mode, in milliseconds. */
export const SHELL_WINDOW_MS = 15_000;

/** Where everything listens; the facts of the ready line. */
export interface ShellAddresses {
  readonly console: string;
  readonly open: string;
  readonly rpc: string;
  readonly token: string;
  readonly apps: readonly {
    readonly appId: string;
    readonly sidecar: string;
    /** Absent: the app has no address and only publishes. */
    readonly app?: string;
    /** Address of the sidecar's gRPC port as HOST:PORT; absent: it has none. */
    readonly grpc?: string;
    readonly protocol: Protocol;
    readonly mock: boolean;
  }[];
  /** Absent: there are none. */
  readonly taps?: readonly TapAddress[];
  /** First pub/sub component, for the line to try; absent: none is loaded. */
  readonly pubsubname?: string;
}

/**
 * `window`: it is on the screen and its page has spoken to the host. `running`: another one has the lock and was brought to front;
 * this one ends with 0. `refused`: the product cannot start, in a window or without; end with this code and text.
 * `busy`: the start takes long, for this reason; it is to be waited for that much longer. `failed`: there will be no window, for this reason; browser mode may do better. Anything else, an end without a line, or silence
 * count as `failed`.
 */
export type ShellLine =
  | {
      readonly event: 'window';
      readonly pid: number;
      readonly ready: ShellAddresses;
      /** Sentences for the first screen: ports that gave way, and the like. */
      readonly notes: readonly string[];
    }
  | { readonly event: 'running' }
  | { readonly event: 'busy'; readonly text: string }
  | { readonly event: 'refused'; readonly code: 1 | 2; readonly text: string }
  | { readonly event: 'failed'; readonly reason: string };
