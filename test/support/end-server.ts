/** Ends a server that a test has started, by its own process. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Kills the process and resolves when it has ended; at once when it had, or when there is none. */
export async function endServer(running: ChildProcess | undefined): Promise<void> {
  if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
  const ended = once(running, 'exit');
  running.kill('SIGKILL');
  await ended;
}
