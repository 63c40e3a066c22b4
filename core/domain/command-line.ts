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
  const own = dashes < 0 ? args : args.slice(0, dashes);
  for (const [i, arg] of own.entries()) {
    const name = flagName(arg);
    const why = name === undefined ? whyNoWord(arg) : whyNoFlag(name, arg, own[i + 1], flags);
    if (why !== undefined) throw new UsageError(`${why} ${helpHint(command)}`);
  }
  return args;
}

function whyNoWord(arg: string): string | undefined {
  if (!/^-./.test(arg)) return undefined;
  return `unknown flag ${arg}: after --, a word that begins with a dash is not a flag`;
}

/** @param next the word behind it; undefined: it is the last one */
function whyNoFlag(
  name: string,
  arg: string,
  next: string | undefined,
  flags: FlagTypes,
): string | undefined {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined;
  if (flag === undefined) {
    const meant = nearest(name, Object.keys(flags));
    return `unknown flag --${name}${meant === undefined ? '' : `, did you mean --${meant}?`}`;
  }
  if (flag.type === 'boolean') return arg.includes('=') ? `--${name} takes no value` : undefined;
  const isGiven = arg.includes('=') || (next !== undefined && !next.startsWith('-'));
  return isGiven ? undefined : `--${name} needs a value`;
}

/** The complaint of Node's `parseArgs` in one line. */
export function badArgs(command: string, error: unknown): UsageError {
  const text = error instanceof Error ? error.message.split('\n')[0] : String(error);
  return new UsageError(`${text ?? ''} ${helpHint(command)}`, { cause: error });
}

const helpHint = (command: string): string => `(sidelight ${command} --help lists the flags)`;

/**
 * Joins a flag and its value: `--token -x1` becomes `--token=-x1`. A value may begin with a dash, as one of
 * 64 tokens does; a flag of the command is no value. `-h` becomes `--help` in a command that has it.
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
    } else args.push(arg === '-h' && Object.hasOwn(flags, 'help') ? '--help' : arg);
  }
  return args;
}
