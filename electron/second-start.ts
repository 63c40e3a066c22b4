// Effect of a second start on the running one: its window comes to the front, and a note says if the new
// flags were not used.
import { app, dialog, type BrowserWindow } from 'electron';
import { focusWindow } from './window.ts';

/** Data from the second process to the first; a plain object, because it crosses a process border. */
export interface SecondStart {
  readonly args: readonly string[];
}

/**
 * Takes the single-instance lock.
 * @returns false: another process has it and received these flags
 */
export const takeLock = (args: readonly string[]): boolean =>
  app.requestSingleInstanceLock({ args: [...args] } satisfies SecondStart);

/**
 * Answers every further start.
 * @param args flags with which the running one was started
 */
export function welcomeSecondStart(window: BrowserWindow, args: readonly string[]): void {
  app.on('second-instance', (_event, _argv, _folder, data) => {
    if (window.isDestroyed()) return;
    focusWindow(window);
    const asked = argsOf(data);
    if (asked.length > 0 && asked.join('\0') !== args.join('\0')) void reportUnused(window, asked);
  });
}

async function reportUnused(window: BrowserWindow, asked: readonly string[]): Promise<void> {
  await dialog.showMessageBox(window, {
    type: 'info',
    message: 'Sidelight is already running, with the flags of its first start.',
    detail: `Not used: ${asked.join(' ')}\nClose Sidelight and start it again to use them.`,
    buttons: ['OK'],
    noLink: true,
  });
}

/** Reads the data of the other process; anything but a list of words counts as none. */
function argsOf(data: unknown): readonly string[] {
  if (typeof data !== 'object' || data === null || !('args' in data) || !Array.isArray(data.args)) return [];
  const words: readonly unknown[] = data.args;
  return words.filter((word) => typeof word === 'string');
}
