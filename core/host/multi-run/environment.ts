/**
 * The environment of one app of a run: that of the shell, the variables of a single run, and those of the
 * file.
 */
import type { ShellAddresses } from '../../contract/shell.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { ProductOptions } from '../options.ts';
import { runEnvironment } from '../run-environment.ts';
import type { PlannedApp } from './plan.ts';

/**
 * Joins the variables; later ones win: the shell, the table, the file.
 * @param at address of its sidecar
 */
export function appEnvironment(
  app: PlannedApp,
  at: ShellAddresses['apps'][number],
  options: Pick<ProductOptions, 'profile' | 'env'>,
): Record<string, string> {
  return {
    ...runEnvironment({ apps: [at] }, options),
    ...withoutUndefined({ APP_PROTOCOL: app.protocolName }),
    APP_CHANNEL_ADDRESS: app.host,
    ...app.env,
  };
}
