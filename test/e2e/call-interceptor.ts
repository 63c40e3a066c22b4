// Intercepts the console's calls to the host: leaves them without an answer, refuses them, or empties their results.
import type { Locator, Page, WebSocketRoute } from '@playwright/test';
import { expect } from './expect.ts';

/** Message of the error that refuses a call. */
export const DISK_FULL = 'The disk is full.';

export interface CallInterceptor {
  /** Methods that get no answer until `release`. */
  readonly stall: Set<string>;
  /** Methods that are refused with `DISK_FULL`. */
  readonly refuse: Set<string>;
  /** Fields that the refusal of a method names. */
  readonly fields: Map<string, string>;
  /** Methods whose result becomes an empty object. */
  readonly corrupt: Set<string>;
  /**
   * Lets stalled calls of this method, or of all, go on, and stalls no more of them. Where the method is refused or emptied by now, so
   * are they.
   */
  release(method?: string): void;
  /** Closes the connections of the page, which opens a new one. Calls without an answer fail. */
  disconnect(): Promise<void>;
  /** Whether a call of this method was ever left without an answer. */
  wasStalled(method: string): boolean;
  /** Whether the host has answered every call of this method that reached it. */
  areAnswered(method: string): boolean;
}

interface Message {
  readonly id?: number;
  readonly method?: string;
}

/** Intercepts the calls of a page from its next load on. */
export async function interceptCalls(page: Page): Promise<CallInterceptor> {
  let stalled: (() => void)[] = [];
  const sockets = new Set<WebSocketRoute>();
  const stalledMethods = new Set<string>();
  /** Methods of the calls that have reached the host and have no answer yet, by id. */
  const unanswered = new Map<number, string>();
  const calls: CallInterceptor = {
    stall: new Set(),
    refuse: new Set(),
    fields: new Map(),
    corrupt: new Set(),
    release(method) {
      if (method === undefined) calls.stall.clear();
      else calls.stall.delete(method);
      const all = stalled;
      stalled = [];
      // A call of another method is stalled again.
      for (const goOn of all) goOn();
    },
    async disconnect() {
      const open = [...sockets];
      sockets.clear();
      await Promise.all(open.map((socket) => socket.close()));
    },
    wasStalled: (method) => stalledMethods.has(method),
    areAnswered: (method) => ![...unanswered.values()].includes(method),
  };
  await page.routeWebSocket(/\/stream$/, (socket) => {
    sockets.add(socket);
    const host = socket.connectToServer();
    const corrupted = new Set<number>();
    // A page that was loaded again asks over a connection of its own, and nobody waits for the answers over the one before.
    unanswered.clear();
    const ask = (message: string | Buffer): void => {
      // A part of a long call goes on as it is.
      if (!String(message).startsWith('{')) {
        host.send(message);
        return;
      }
      const { id, method = '' }: Message = JSON.parse(String(message));
      if (calls.stall.has(method)) {
        stalled.push(() => ask(message));
        stalledMethods.add(method);
        return;
      }
      if (calls.refuse.has(method)) {
        const data = { code: 'INTERNAL', logId: 'log_1', field: calls.fields.get(method) };
        const error = { code: -32603, message: DISK_FULL, data };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
        return;
      }
      if (calls.corrupt.has(method) && id !== undefined) corrupted.add(id);
      if (id !== undefined) unanswered.set(id, method);
      host.send(message);
    };
    socket.onMessage(ask);
    host.onMessage((message) => {
      const { id }: Message = JSON.parse(String(message));
      if (id !== undefined) unanswered.delete(id);
      if (id !== undefined && corrupted.delete(id))
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      else socket.send(message);
    });
  });
  return calls;
}

/** Opens an address in a page that is loaded again, so that the page knows nothing yet. */
export async function openFresh(page: Page, at: string): Promise<void> {
  // The address changes without a word to the page: what it would draw is gone in a moment.
  await page.evaluate((hash) => history.replaceState(null, '', hash), `#${at}`);
  await page.reload();
}

/** Saves by a press, and types on before the host has answered. */
export async function typeOn(
  calls: CallInterceptor,
  method: string,
  save: Locator,
  type: () => Promise<unknown>,
): Promise<void> {
  calls.stall.add(method);
  await save.click();
  await expect.poll(() => calls.wasStalled(method)).toBe(true);
  await type();
  calls.release(method);
}
