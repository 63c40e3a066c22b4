// Handles a start that is not possible: reports it once, to the starter or in a dialog, and exits with its
// code.
import { app, dialog } from 'electron';
import { errorText } from '../core/contract/error-text.ts';
import { UsageError } from '../core/host/flags.ts';
import { announce, hasStarter } from './announce.ts';

/**
 * Result of the act; undefined: it threw. Then the reason is reported and the process exits with 2 for a bad
 * flag or value, and with 1 for any other error that another way of starting cannot avoid.
 */
export async function orRefuse<T>(act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    const text = errorText(error);
    const code = error instanceof UsageError ? 2 : 1;
    await announce({ event: 'refused', code, text });
    showError('Sidelight did not start', text);
    app.exit(code);
    return undefined;
  }
}

/** Reports that there is no window, so that the starter can use browser mode. */
export async function announceFailure(error: unknown): Promise<void> {
  const reason = `the page did not load: ${errorText(error)}`;
  await announce({ event: 'failed', reason });
  showError('Sidelight has no window', reason);
}

function showError(title: string, text: string): void {
  if (!hasStarter()) dialog.showErrorBox(title, text);
}
