// Stands between the console and the host: keeps questions waiting, refuses them, or spoils their answers.
import type { Page } from '@playwright/test';

/** What a refused question is told. */
export const FULL = 'The disk is full.';

export interface Between {
  /** Methods that get no answer until `let`. */
  readonly keep: Set<string>;
  /** Methods that are refused with `FULL` */
  readonly refuse: Set<string>;
  /** Methods whose result becomes an empty object. */
  readonly spoil: Set<string>;
  /** What was kept of this method, or of all, goes on, to be refused or spoiled where its method is by now; nothing more of it is kept. */
  let(method?: string): void;
}

interface Told {
  readonly id?: number;
  readonly method?: string;
}

/** Counts from the next time the page is loaded. */
export async function standBetween(page: Page): Promise<Between> {
  let kept: (() => void)[] = [];
  const between: Between = {
    keep: new Set(),
    refuse: new Set(),
    spoil: new Set(),
    let(method) {
      if (method === undefined) between.keep.clear();
      else between.keep.delete(method);
      const all = kept;
      kept = [];
      // A question of another method is kept again.
      for (const goOn of all) goOn();
    },
  };
  await page.routeWebSocket(/\/stream$/, (socket) => {
    const host = socket.connectToServer();
    const spoilt = new Set<number>();
    const ask = (message: string | Buffer): void => {
      const { id, method = '' }: Told = JSON.parse(String(message));
      if (between.keep.has(method)) {
        kept.push(() => ask(message));
        return;
      }
      if (between.refuse.has(method)) {
        const data = { code: 'INTERNAL', logId: 'log_1' };
        const error = { code: -32603, message: FULL, data };
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, error }));
        return;
      }
      if (between.spoil.has(method) && id !== undefined) spoilt.add(id);
      host.send(message);
    };
    socket.onMessage(ask);
    host.onMessage((message) => {
      const { id }: Told = JSON.parse(String(message));
      if (id !== undefined && spoilt.delete(id))
        socket.send(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      else socket.send(message);
    });
  });
  return between;
}

/** Opens a place in a page that is loaded again, so that nothing is known of it. */
export async function openAnew(page: Page, at: string): Promise<void> {
  // The address changes without a word to the page: what it would draw is gone in a moment.
  await page.evaluate((hash) => history.replaceState(null, '', hash), `#${at}`);
  await page.reload();
}
