/**
 * Reads the arguments of one command, such as `sidelight wait`: its flags, and which words are their values.
 */
import { nearest } from './filter/mistakes.ts';
import { UsageError } from './usage-error.ts';

/** Flags by name, without their dashes. */
export type FlagTypes = Readonly<Record<string, { readonly type: 'string' | 'boolean' }>>;

const flagName = (arg: string | undefined): string | undefined => /^--([^=]+)/.exec(arg ?? '')?.[1];

/**
 * The arguments for Node's `parseArgs`. Throws UsageError for an unknown flag, with the nearest known one.
 * @param command the word behind `sidelight`
 */
export function knownArgs(command: string, argv: readonly string[], flags: FlagTypes): string[] {
  const args = withValues(argv, flags);
  const dashes = args.indexOf('--');
  for (const arg of dashes < 0 ? args : args.slice(0, dashes)) {
    const name = flagName(arg);
    if (name === undefined || Object.hasOwn(flags, name)) continue;
    const meant = nearest(name, Object.keys(flags));
    const hint = meant === undefined ? '' : `, did you mean --${meant}?`;
    throw new UsageError(`unknown flag --${name}${hint} ${helpHint(command)}`);
  }
  return args;
}

/** The complaint of Node's `parseArgs` in one line. */
export function badArgs(command: string, error: unknown): UsageError {
  const text = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return new UsageError(`${text ?? ''} ${helpHint(command)}`, { cause: error });
}

const helpHint = (command: string): string => `(sidelight ${command} --help lists the flags)`;

/**
 * Joins a flag and its value: `--token -x1` becomes `--token=-x1`. A value may begin with a dash, as one of
 * 64 tokens does; a flag of the command is no value.
 */
function withValues(argv: readonly string[], flags: FlagTypes): string[] {
  const args: string[] = [];
  for (let n = 0; n < argv.length; n += 1) {
    const [arg = '', next] = argv.slice(n, n + 2);
    if (arg === '--') return [...args, ...argv.slice(n)];
    const takesValue = arg.startsWith('--') && flags[arg.slice(2)]?.type === 'string';
    const isDashed = next?.startsWith('-') === true && !Object.hasOwn(flags, flagName(next) ?? '');
    if (takesValue && isDashed && next !== '--') {
      args.push(`${arg}=${next}`);
      n += 1;
    } else args.push(arg);
  }
  return args;
}
