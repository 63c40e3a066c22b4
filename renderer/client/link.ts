/**
 * One lasting connection to the host over pipes that open and close: state, reconnect delays, text in both
 * directions.
 */
import type { TextPipe } from '../../core/contract/rpc.ts';
import { errorText } from '../../core/contract/error-text.ts';
import { afterTimeout } from './after-timeout.ts';

export type LinkState =
  | { readonly status: 'connecting'; readonly attempt: number }
  | { readonly status: 'open' }
  | { readonly status: 'lost'; readonly attempt: number; readonly reason: string };

export interface Link {
  state(): LinkState;
  onState(take: (state: LinkState) => void): () => void;
  /**
   * Sends a text.
   * @returns false if there is no pipe; the text is then not sent.
   */
  send(text: string): boolean;
  onText(take: (text: string) => void): () => void;
  /** Ends the wait, so that the next attempt starts now. */
  tryNow(): void;
  close(): void;
}

export interface LinkPorts {
  /** Opens a pipe, or rejects with the reason. */
  readonly open: () => Promise<TextPipe>;
  readonly random?: () => number;
  readonly after?: (delayMs: number, run: () => void) => () => void;
}

/** Waits before the next attempt, in ms; the last one repeats. */
export const RECONNECT_DELAYS_MS = [250, 500, 1000, 2000, 5000] as const;
const SPREAD = 0.2;

/**
 * Wait before reconnect attempt `attempt` (from 1), in ms.
 * @param random 0 <= random < 1
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  const index = Math.min(Math.max(attempt, 1), RECONNECT_DELAYS_MS.length) - 1;
  const base = RECONNECT_DELAYS_MS[index] ?? 5000;
  return Math.round(base * (1 - SPREAD + 2 * SPREAD * random));
}

/** Opens the first pipe at once and keeps opening new ones until `close`. */
export function createLink(ports: LinkPorts): Link {
  const random = ports.random ?? Math.random;
  const after = ports.after ?? afterTimeout;
  const stateTakers = new Set<(state: LinkState) => void>();
  const textTakers = new Set<(text: string) => void>();
  let state: LinkState = { status: 'connecting', attempt: 0 };
  let pipe: TextPipe | undefined;
  let leave: (() => void)[] = [];
  let cancelWait: (() => void) | undefined;
  let attempt = 0;
  let closed = false;

  function become(next: LinkState): void {
    state = next;
    for (const take of stateTakers) take(next);
  }

  function lose(reason: string): void {
    if (closed || state.status === 'lost') return;
    pipe = undefined;
    for (const stop of leave) stop();
    leave = [];
    attempt += 1;
    become({ status: 'lost', attempt, reason });
    cancelWait = after(reconnectDelayMs(attempt, random()), connect);
  }

  function connect(): void {
    if (closed) return;
    cancelWait?.();
    cancelWait = undefined;
    become({ status: 'connecting', attempt });
    ports.open().then(
      (opened) => {
        if (closed) return;
        pipe = opened;
        leave = [
          opened.onText((text) => {
            for (const take of textTakers) take(text);
          }),
          opened.onClose(lose),
        ];
        attempt = 0;
        become({ status: 'open' });
      },
      (reason: unknown) => lose(errorText(reason)),
    );
  }

  connect();
  return {
    state: () => state,
    onState(take) {
      stateTakers.add(take);
      return () => stateTakers.delete(take);
    },
    send(text) {
      if (pipe === undefined) return false;
      pipe.send(text);
      return true;
    },
    onText(take) {
      textTakers.add(take);
      return () => textTakers.delete(take);
    },
    tryNow() {
      if (state.status === 'lost') connect();
    },
    close() {
      closed = true;
      cancelWait?.();
      for (const stop of leave) stop();
      leave = [];
      pipe = undefined;
    },
  };
}
