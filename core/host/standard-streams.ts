/** stdout and stderr of the program when their reader has ended, or the disk behind them is full. */
import { errorText, hasCode } from '../contract/error-text.ts';

/** One of the two streams. */
export interface StandardStream {
  /** True for a terminal. */
  readonly isTTY?: boolean;
  on(event: 'error', take: (error: Error) => void): unknown;
  write(text: string): unknown;
}

/**
 * Lets the program outlive the readers of its output. Without this a write to a closed pipe would end the process with the
 * next line of the log, as in `sidelight --headless 2>&1 | head -1`.
 *
 * A line of the log that cannot be written is in the console's log nevertheless. Output that is lost for another reason than
 * an ended reader is reported once.
 * @param onLost called once when such output was lost
 */
export function outliveReaders(
  { stdout, stderr }: { readonly stdout: StandardStream; readonly stderr: StandardStream },
  onLost: () => void,
): void {
  stderr.on('error', () => undefined);
  let isReported = false;
  stdout.on('error', (error) => {
    // A terminal that was closed answers EIO.
    const hasReaderEnded = hasCode(error, 'EPIPE') || (stdout.isTTY === true && hasCode(error, 'EIO'));
    if (isReported || hasReaderEnded) return;
    isReported = true;
    stderr.write(`sidelight: the output could not be written: ${errorText(error)}\n`);
    onLost();
  });
}

/** A stream with the handle of the system behind it, which Node has no public name for. */
export interface HandledStream {
  readonly isTTY?: boolean;
  readonly _handle?: { setBlocking?(isBlocking: boolean): unknown };
}

/**
 * Lets the program go on while its terminal takes nothing, as after Ctrl+S: by default a write waits for the terminal, and then no sidecar
 * answers. What waits is kept; lines that come again and again are written by a LineOutput, which has a limit.
 */
export function goOnWithoutTerminal(streams: readonly HandledStream[]): void {
  for (const { isTTY, _handle: handle } of streams) if (isTTY === true) handle?.setBlocking?.(false);
}
