// A start that cannot be: told once, to the starter or in a box, and ended with its code.
import { app, dialog } from 'electron';
import { errorText } from '../core/contract/error-text.ts';
import { UsageError } from '../core/host/flags.ts';
import { announce, hasStarter } from './announce.ts';

/**
 * What the act gives, or undefined when it threw: then the reason is told and the process is on its way out,
 * with 2 for a bad flag or value, and 1 for everything else that no other way of starting would get around.
 */
export async function orRefuse<T>(act: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    const text = errorText(error);
    const code = error instanceof UsageError ? 2 : 1;
    await announce({ event: 'refused', code, text });
    tell('Sidelight did not start', text);
    app.exit(code);
    return undefined;
  }
}

/** There is no window to be had; the starter may take browser mode. */
export async function announceFailure(error: unknown): Promise<void> {
  const reason = `the page did not come up: ${errorText(error)}`;
  await announce({ event: 'failed', reason });
  tell('Sidelight has no window', reason);
}

function tell(title: string, text: string): void {
  if (!hasStarter()) dialog.showErrorBox(title, text);
}
