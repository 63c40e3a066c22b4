/** Messages of the desktop shell to the program that started it: one JSON object per line on its stdout. */

import type { Protocol } from './grpc.ts';
import type { TapAddress } from './tap.ts';

/**
 * Set to `1` in the shell's environment by a starter that reads its lines. Without it the shell writes none.
 */
export const SHELL_LINES = 'SIDELIGHT_SHELL_LINES';

/**
 * Milliseconds for which a starter waits for `window`, or after the last `busy`. It then ends the shell and
 * uses browser mode.
 */
export const SHELL_WINDOW_MS = 15_000;

/** Addresses of all listeners, as the ready line shows them. */
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
  /** Ids of the apps whose address was entered on the Apps screen; absent: there are none. */
  readonly entered?: readonly string[];
  /** Absent: there are none. */
  readonly taps?: readonly TapAddress[];
  /** First pub/sub component, for the example request; absent: none is loaded. */
  readonly pubsubname?: string;
  /** Header of the API token that the first sidecar asks for, and the variable that has it; absent: it asks for none. */
  readonly apiToken?: { readonly header: string; readonly variable: string };
}

/**
 * A message of the shell. `window`: the window is on the screen, and its page has spoken to the host.
 * `running`: another shell has the lock and was brought to the front; this one ends with 0. `refused`: the
 * product cannot start, with a window or without; end with this code and text. `busy`: the start takes long
 * for this reason; wait that much longer. `failed`: there will be no window for this reason; browser mode may
 * work. Anything else, an end without a line, or silence counts as `failed`.
 */
export type ShellLine =
  | {
      readonly event: 'window';
      readonly pid: number;
      readonly ready: ShellAddresses;
      /** Notes for the first screen, for example on ports that were taken. */
      readonly notes: readonly string[];
    }
  | { readonly event: 'running' }
  | { readonly event: 'busy'; readonly text: string }
  | { readonly event: 'refused'; readonly code: 1 | 2; readonly text: string }
  | { readonly event: 'failed'; readonly reason: string };
