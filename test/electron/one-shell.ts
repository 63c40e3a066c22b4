// One running shell per test: started by it, ended after it however it went.
import { type Desk, startShell } from './desk.ts';

/** Nothing on disk, no port that anyone else may have. */
export const QUIET_FLAGS = ['--ephemeral', '--sidecar-port', '0', '--app-port', '0', '--console-port', '0'];

let running: Desk | undefined;

/** Starts it; see startShell. */
export async function start(...given: Parameters<typeof startShell>): Promise<Desk> {
  running = await startShell(...given);
  return running;
}

/** Ends what this test has started, in order when it opened anything. */
export async function endShell(): Promise<void> {
  const desk = running;
  running = undefined;
  if (desk === undefined) return;
  const { electron } = desk;
  if (electron.BrowserWindow.all.length > 0 && electron.askedFor('app.quit').length === 0) {
    process.emit('SIGTERM');
    await electron.when('app.quit');
  }
  desk.putBack();
}
