/** Output of a command on its way to this process's own streams, read along line by line for the console. */
import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { OutputLines, plain } from './multi-run/output-lines.ts';

export type OnLine = (stream: 'stdout' | 'stderr', line: string) => void;

/** Time between two looks at the output of a command that has ended. */
const POLL_INTERVAL_MS = 100;

/**
 * Passes on what the command writes, as it is. A slow reader makes the command wait, as if it wrote there itself.
 * @returns resolves after the end of the command, when all that it wrote is passed on
 */
export function passOutput(
  child: Pick<ChildProcess, 'stdout' | 'stderr'>,
  onLine: OnLine,
  to: Readonly<Record<'stdout' | 'stderr', Writable>> = process,
): () => Promise<void> {
  const passed = (['stdout', 'stderr'] as const).flatMap((name) => {
    const from = child[name];
    return from === null ? [] : [pass(from, to[name], new OutputLines((line) => onLine(name, plain(line))))];
  });
  return async () => void (await Promise.all(passed.map((end) => end())));
}

function pass(from: Readable, to: Writable, lines: OutputLines): () => Promise<void> {
  let came = 0;
  let isOver = false;
  const goOn = (): void => void from.resume();
  // The reader of this process may end before the command does.
  to.on('error', goOn);
  from.on('data', (bytes: Buffer) => {
    came += 1;
    lines.write(bytes);
    if (to.write(bytes) || to.errored !== null || to.destroyed) return;
    from.pause();
    to.once('drain', goOn);
  });
  const over = new Promise<void>((resolve) => {
    from.once('close', () => {
      isOver = true;
      lines.end();
      to.off('error', goOn);
      resolve();
    });
  });
  return async () => {
    // A daemon that the command left keeps its output open; what it writes later is nobody's.
    for (let before = -1; !isOver && (before !== came || from.isPaused());) {
      before = came;
      await Promise.race([over, sleep(POLL_INTERVAL_MS)]);
    }
    from.destroy();
    await over;
  };
}
