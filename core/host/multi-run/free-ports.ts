/**
 * Checks that the ports of the file's apps are free. Deliveries to a taken one would reach a foreign program.
 */
import { isThisMachine, portRefusal, whyNotFree } from '../ports.ts';
import type { RunPlan } from './plan.ts';

/**
 * Rejects with one line if a port is taken. An app without a command is started elsewhere, and may listen
 * already.
 */
export async function checkPortsFree({ apps }: Pick<RunPlan, 'apps'>): Promise<void> {
  for (const { appId, url, host, command } of apps) {
    if (url === undefined || command.length === 0 || !isThisMachine(host)) continue;
    const port = Number(url.slice(url.lastIndexOf(':') + 1));
    // The app may have rights that this process does not have, so only a port of another program counts.
    if ((await portRefusal(port)) !== 'EADDRINUSE') continue;
    const reason = whyNotFree('EADDRINUSE', port);
    throw new Error(
      `appPort of app ${appId}: ${reason}; end that program, or leave out command if it is the app`,
    );
  }
}
