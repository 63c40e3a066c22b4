/**
 * Finds the listeners of the event router that have an address from the user: those are never moved to
 * another port.
 */
import type { RouterListener } from '../ports/local-router.ts';
import { configFile } from './config-file.ts';

const LISTENERS: readonly RouterListener[] = ['router', 'ingress'];

/**
 * The listeners with a written address. The checked settings cannot show it, because a written address may equal the default.
 * @param names of the settings that flags set, members of blocks included
 * @param config path of the `--config` file
 * @throws UsageError if it cannot be read
 */
export function writtenListeners(
  names: readonly string[],
  config: string | undefined,
): ReadonlySet<RouterListener> {
  const file = config === undefined ? undefined : configFile(config).document;
  const isWritten = (listener: RouterListener): boolean =>
    names.includes(`eventRouter.listen.${listener}`) ||
    file?.hasIn(['eventRouter', 'listen', listener]) === true;
  return new Set(LISTENERS.filter(isWritten));
}
