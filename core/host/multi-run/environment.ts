/** The environment of one app of a run: what the shell has, the table of a single run, and what the file gives it. */
import type { ShellAddresses } from '../../contract/shell.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { ProductOptions } from '../options.ts';
import { runEnvironment } from '../run-environment.ts';
import type { PlannedApp } from './plan.ts';

/** Later wins: the shell, the table, the file. @param at where its sidecar listens */
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
