// One running shell per test: started by it, ended after it however it went.
import { type Shell, startShell } from './shell.ts';

/** Nothing on disk, no port that anyone else may have. */
export const QUIET_FLAGS = ['--ephemeral', '--sidecar-port', '0', '--app-port', '0', '--console-port', '0'];

let running: Shell | undefined;

/** Starts it; see startShell. */
export async function start(...given: Parameters<typeof startShell>): Promise<Shell> {
  running = await startShell(...given);
  return running;
}

/** Ends what this test has started, in order when it opened anything. */
export async function endShell(): Promise<void> {
  const shell = running;
  running = undefined;
  if (shell === undefined) return;
  const { electron } = shell;
  if (electron.BrowserWindow.all.length > 0 && electron.askedFor('app.quit').length === 0) {
    process.emit('SIGTERM');
    await electron.when('app.quit');
  }
  shell.putBack();
}
