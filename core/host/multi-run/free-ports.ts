/**
 * Checks that the ports of the file's apps are free. Deliveries to a taken one would reach a foreign program.
 */
import { portOwner } from '../port-owner.ts';
import { isFree, isThisMachine } from '../ports.ts';
import type { RunPlan } from './plan.ts';

/** First port that any program may open; whether a lower one is free cannot be tested. */
const FIRST_OPEN = 1024;

/**
 * Rejects with one line if a port is taken. An app without a command is started elsewhere, and may listen
 * already.
 */
export async function checkPortsFree({ apps }: Pick<RunPlan, 'apps'>): Promise<void> {
  for (const { appId, url, host, command } of apps) {
    if (url === undefined || command.length === 0 || !isThisMachine(host)) continue;
    const port = Number(url.slice(url.lastIndexOf(':') + 1));
    if (port < FIRST_OPEN || (await isFree(port))) continue;
    const owner = portOwner(port);
    const by = owner === undefined ? '' : ` by ${owner}`;
    throw new Error(
      `appPort ${port} of app ${appId} is in use${by}: end that program, or leave out command if it is the app`,
    );
  }
}
