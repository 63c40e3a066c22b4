/** The default ports of Sidelight's own listeners, where a person gives one of them for an app. */
import { STANDARD_PORTS } from '../contract/standard-ports.ts';
import { UsageError } from '../domain/usage-error.ts';
import { isThisMachine } from './ports.ts';

/**
 * Refuses an address of an app that has the default port of the first app's sidecar or of the console, while no flag moves that one. People
 * give the address of the sidecar by mistake, and their publishes would then reach nobody at that port.
 */
export function refuseDefaultPorts(
  apps: readonly { readonly url?: string | undefined; readonly addressFrom?: string | undefined }[],
  {
    sidecarPort,
    consolePort,
  }: { readonly sidecarPort?: number | undefined; readonly consolePort?: number | undefined },
): void {
  const defaults = new Map<number, { readonly whose: string; readonly flag: string }>();
  if (sidecarPort === undefined)
    defaults.set(STANDARD_PORTS.sidecar, { whose: 'sidecar', flag: '--sidecar-port' });
  if (consolePort === undefined)
    defaults.set(STANDARD_PORTS.console, { whose: 'console', flag: '--console-port' });
  for (const { url, addressFrom = '--app-url' } of apps) {
    if (url === undefined || !isThisMachine(new URL(url).hostname)) continue;
    const own = defaults.get(Number(new URL(url).port));
    if (own === undefined) continue;
    throw new UsageError(
      `${addressFrom}: ${url} is the default address of Sidelight's own ${own.whose}; give the address of your app, or another port of the ${own.whose} with ${own.flag} N`,
    );
  }
}
