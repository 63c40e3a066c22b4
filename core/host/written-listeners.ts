/** Which listeners of the event router a person gave an address: those never give way to another port. */
import type { RouterListener } from '../ports/local-router.ts';
import { configFile } from './config-file.ts';

const LISTENERS: readonly RouterListener[] = ['router', 'ingress'];

/**
 * The checked settings cannot tell: there a written address equals a default one.
 * @param names of the settings that flags gave, members of blocks included
 * @param config path of the `--config` file. Throws UsageError where it cannot be read.
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
