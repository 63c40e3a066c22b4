/** Flags that all commands for a running instance share. */
import { parseArgs } from 'node:util';
import type { ParseArgsConfig } from 'node:util';
import { badArgs, knownArgs } from '../domain/command-line.ts';
import { parseDuration } from '../domain/duration.ts';
import { UsageError } from '../domain/usage-error.ts';

/** Flags that select the running instance. */
export const WHERE_FLAGS = {
  rpc: { type: 'string' },
  token: { type: 'string' },
  'data-dir': { type: 'string' },
} as const;

/** Lines of `--help` about these flags. */
export const WHERE_HELP = `  --data-dir DIR       data folder of the instance (default: the running one of the default folder)
  --rpc URL            address of the instance, "rpc" of its ready line (SIDELIGHT_RPC)
  --token T            token of the instance, "token" of its ready line (SIDELIGHT_TOKEN)`;

/** Flag values and words of a command. Throws UsageError for an unknown flag, with the nearest known one. */
export function commandLine<const O extends NonNullable<ParseArgsConfig['options']>>(
  command: string,
  argv: readonly string[],
  options: O,
) {
  const args = knownArgs(command, argv, options);
  try {
    return parseArgs({ args, options, allowPositionals: true, strict: true });
  } catch (error) {
    throw badArgs(command, error);
  }
}

/** Milliseconds of a flag such as `10s`. Throws UsageError. */
export function durationFlag(flag: string, text: string): number {
  const ms = parseDuration(text);
  if (ms === undefined || ms < 0)
    throw new UsageError(
      `${flag} must be a duration such as 500ms, 10s or 2m, got "${text}"${/^\d{1,6}$/.test(text) ? `; did you mean ${text}s?` : ''}`,
    );
  return ms;
}

/** A whole number from 1 on. Throws UsageError. */
export function countFlag(flag: string, text: string): number {
  const count = Number(text);
  if (!/^\d{1,9}$/.test(text) || count < 1)
    throw new UsageError(`${flag} must be a whole number of at least 1, got "${text}"`);
  return count;
}
