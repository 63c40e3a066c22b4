/** A line that an app of a scenario printed, for a report. */
import { stripVTControlCharacters } from 'node:util';
import { shortened } from '../contract/cut-place.ts';
import { printable } from '../domain/names.ts';
import { isSecretName } from '../domain/recording/mask.ts';
import { shownAddress } from '../domain/redact.ts';
import type { SecretValues } from '../domain/secret-values.ts';

/** Maximum number of characters of a line, and of those that are read for it: colours may be most of them. */
const MAX_CHARACTERS = 200;
const READ = 20 * MAX_CHARACTERS;

/**
 * The line without colours and secrets, at most 200 characters long. Blanks at its beginning stay: they are the order of a stack trace.
 * @param secrets values of the app's environment that it may print
 */
export function outputLine(text: string, secrets: SecretValues): string {
  const plain = stripVTControlCharacters(secrets.mask(text).slice(0, READ));
  return printable(shortened(shownAddress(plain.replaceAll('\t', '  ').trimEnd()), MAX_CHARACTERS));
}

/** Values of the variables whose names say that they are secret. */
export function secretsOfEnvironment(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env).flatMap(([name, value]) => (isSecretName(name) ? [value] : []));
}
