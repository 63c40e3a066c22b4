// Ends the application: asks if something would be lost, ends the product cleanly, then lets the application
// quit.
import { app, dialog, type BrowserWindow } from 'electron';
import { errorText } from '../core/contract/error-text.ts';
import { duration } from '../core/contract/duration-text.ts';

/** The part of the product that its ending uses. */
export interface Endable {
  /** True if its messages are on disk and return at the next start. */
  readonly durable: boolean;
  /** Number of deliveries that are held or parked, which wait for a person. */
  held(): number;
  stop(): Promise<void>;
}

export interface Ending {
  readonly product: Endable;
  readonly window: BrowserWindow;
  /** Called once before the product stops, for the work of the window. */
  readonly leave: () => void;
  readonly complain: (text: string) => void;
}

/**
 * Longest time for the stop. The product promises 5 s for running attempts; after this the process ends
 * anyway.
 */
const STOP_LIMIT_MS = 10_000;

/**
 * Makes closing the window and quitting the application end the product first.
 * @returns function that ends everything without a question, for requests from outside (a signal, the sidecar's shutdown route)
 */
export function endInOrder(ending: Ending): () => void {
  const { product, window } = ending;
  let state: 'open' | 'asking' | 'stopping' | 'stopped' = 'open';

  const stop = async (): Promise<void> => {
    if (state === 'stopping' || state === 'stopped') return;
    state = 'stopping';
    const unkept = wentWrong(ending.leave);
    if (unkept !== undefined)
      ending.complain(`Sidelight could not save the position of the window: ${unkept}`);
    window.hide();
    const problem = await stopWithin(product, STOP_LIMIT_MS);
    state = 'stopped';
    if (problem !== undefined) {
      ending.complain(problem);
      return app.exit(1);
    }
    window.destroy();
    app.quit();
  };
  const askThenStop = async (): Promise<void> => {
    if (state !== 'open') return;
    state = 'asking';
    const isSure = await mayLose(product, window);
    // A signal may have arrived while the question was open.
    if (state !== 'asking') return;
    state = 'open';
    if (isSure) await stop();
  };
  const onAsked = (event: { preventDefault(): void }): void => {
    if (state === 'stopped') return;
    event.preventDefault();
    void askThenStop();
  };

  window.on('close', onAsked);
  app.on('before-quit', onAsked);
  return () => void stop();
}

async function mayLose(product: Endable, window: BrowserWindow): Promise<boolean> {
  const open = product.durable ? 0 : product.held();
  if (open === 0) return true;
  const { response } = await dialog.showMessageBox(window, {
    type: 'warning',
    message: open === 1 ? 'One delivery is held or parked.' : `${open} deliveries are held or parked.`,
    detail: 'History is not kept: after closing, all messages are gone, these included.',
    buttons: ['Close Sidelight', 'Keep it open'],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}

/** Stops the product. Undefined: it stopped; else the error. */
async function stopWithin(product: Endable, limitMs: number): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`did not stop within ${duration(limitMs)}`), limitMs);
  });
  try {
    return await Promise.race([product.stop().then(() => undefined), limit]);
  } catch (error) {
    return `did not stop cleanly: ${errorText(error)}`;
  } finally {
    clearTimeout(timer);
  }
}

function wentWrong(act: () => void): string | undefined {
  try {
    act();
    return undefined;
  } catch (error) {
    return errorText(error);
  }
}
