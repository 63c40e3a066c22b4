// Reads the arguments of the shell: the product's own flags among the words that started this process, and
// their options.
import { UsageError } from '../core/host/flags.ts';
import { readOptions, type ProductOptions } from '../core/host/options.ts';

/**
 * Switches of Chromium and Electron that arrive with the flags: from launchers, test drivers, and users with
 * graphics problems.
 */
const FOREIGN =
  /^--(?:no-sandbox|disable-gpu|enable-logging|inspect|inspect-brk|remote-debugging-port|remote-debugging-pipe|user-data-dir|ozone-platform|ozone-platform-hint|password-store|force-device-scale-factor|allow-file-access-from-files)(?:=|$)/;

/**
 * The product's flags, in order.
 * @param argv of the process; unpackaged, the first word that is no switch is the program that Electron was given
 */
export function ownArguments(argv: readonly string[], isPackaged: boolean): readonly string[] {
  const program = isPackaged ? 0 : argv.findIndex((word, index) => index > 0 && !word.startsWith('-'));
  if (program < 0) return [];
  return argv.slice(program + 1).filter((word) => !FOREIGN.test(word));
}

/**
 * Options of a start with a window.
 * @throws UsageError for a bad flag or value, and for flags that only the command has
 */
export function readWindowOptions(args: readonly string[], env: ProductOptions['env']): ProductOptions {
  const options = readOptions(args, env);
  if (options.mode === 'desktop') return options;
  const word = options.mode === 'run' ? 'run' : '--headless';
  throw new UsageError(`${word} belongs to the sidelight command; this is its window`);
}
