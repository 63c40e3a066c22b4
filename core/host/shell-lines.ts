/** Reads the lines of the desktop shell about its start, for the process that started it. */
import { createInterface } from 'node:readline';
import type { ShellLine } from '../contract/shell.ts';

/** Result of the start. */
export type Outcome = Exclude<ShellLine, { readonly event: 'busy' }>;

/** The shell's first line with a result. An end without one, or silence, counts as failed. */
export function firstLine(
  stdout: NodeJS.ReadableStream,
  over: Promise<number>,
  limitMs: number,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: stdout });
    const timer = setTimeout(
      () => resolve({ event: 'failed', reason: `Electron showed no window within ${limitMs / 1000} s` }),
      limitMs,
    );
    lines.on('line', (text) => {
      const line = readLine(text);
      // The reason is in the log, which goes to the same terminal.
      if (line?.event === 'busy') timer.refresh();
      else if (line !== undefined) settle(line);
    });
    void over.then((code) =>
      settle({ event: 'failed', reason: `Electron ended with status ${code} before a window was shown` }),
    );
    const settle = (line: Outcome): void => {
      clearTimeout(timer);
      resolve(line);
    };
  });
}

function readLine(text: string): ShellLine | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'event' in value ? (value as ShellLine) : undefined;
  } catch (error) {
    // Chromium prints its own lines on the same stream.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
