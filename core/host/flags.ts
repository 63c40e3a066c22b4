/**
 * Flags of a start, of `sidelight run` and of `sidelight tap` with the values that they take, and the parser of
 * their command line. Every mistake is reported in one line. Flags of the other commands: command-flags.ts.
 */
import { parseArgs } from 'node:util';
import { eitherOf } from '../contract/list-text.ts';
import { nearest } from '../domain/filter/mistakes.ts';
import { UsageError } from '../domain/usage-error.ts';
import { A_PORT } from './flag-hints.ts';
import { REFERENCE_FLAGS } from './reference-flags.ts';
import type { ReferenceFlag } from './reference-flags.ts';

export { UsageError };

export const FLAGS = {
  headless: { type: 'boolean' },
  'sidecar-port': { type: 'string' },
  'sidecar-host': { type: 'string' },
  'app-port': { type: 'string' },
  'grpc-port': { type: 'string' },
  'app-protocol': { type: 'string' },
  'console-port': { type: 'string' },
  'console-host': { type: 'string' },
  'console-allowed-host': { type: 'string', multiple: true },
  'app-id': { type: 'string' },
  'app-url': { type: 'string' },
  app: { type: 'string', multiple: true },
  resources: { type: 'string', multiple: true },
  'local-pubsub': { type: 'boolean' },
  'tap-app-port': { type: 'string' },
  'tap-sidecar-port': { type: 'string' },
  'sidecar-url': { type: 'string' },
  'sidecar-grpc': { type: 'string' },
  'tap-grpc-port': { type: 'string' },
  'data-dir': { type: 'string' },
  ephemeral: { type: 'boolean' },
  profile: { type: 'string' },
  config: { type: 'string' },
  set: { type: 'string', multiple: true },
  'log-level': { type: 'string' },
  'log-format': { type: 'string' },
  version: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** Names of the values in the help. */
const VALUES: Readonly<Record<string, string>> = {
  'sidecar-port': A_PORT,
  'sidecar-host': 'an address of this machine, for example 0.0.0.0',
  'app-port': A_PORT,
  'grpc-port': `${A_PORT}, or off`,
  'app-protocol': 'http or grpc',
  'console-port': A_PORT,
  'console-host': 'an address of this machine, for example 0.0.0.0',
  'console-allowed-host': 'a name by which the console is reached, for example sidelight or sidelight:8080',
  'app-id': 'an app id',
  'app-url': 'an http, https, h2c, grpc or grpcs address, or none',
  app: 'ID=URL[,sidecarPort[,grpcPort]], ID=mock[,sidecarPort[,grpcPort]] or ID=none[,sidecarPort[,grpcPort]]',
  resources: 'a folder',
  'tap-app-port': A_PORT,
  'tap-sidecar-port': A_PORT,
  'sidecar-url': 'an http address',
  'sidecar-grpc': 'HOST:PORT',
  'tap-grpc-port': A_PORT,
  'data-dir': 'a folder',
  profile: 'sidecar, dapr or dapr-1.18',
  config: 'a file',
  set: 'KEY=VALUE',
  'log-level': 'debug, info, warn or error',
  'log-format': 'text or json',
};

/** Flags for sidecars, mock apps and components, which `sidelight tap` does not start. */
export const NOT_OF_TAP = [
  'sidecar-port',
  'sidecar-host',
  'app-port',
  'grpc-port',
  'app-protocol',
  'app',
  'resources',
  'local-pubsub',
] as const satisfies readonly (keyof typeof FLAGS)[];

/** The command whose flags are read; undefined: a start without a command. */
export type Subcommand = 'run' | 'tap' | undefined;

/** Values of flags that `sidelight tap` takes in fewer forms. */
const TAP_VALUES: Readonly<Record<string, string>> = { 'app-url': 'an http or grpc address' };

function helpHint(subcommand: Subcommand): string {
  return subcommand === undefined
    ? '(--help lists the flags)'
    : `(sidelight ${subcommand} --help lists the flags)`;
}

export type FlagValues = ReturnType<typeof parsed>['values'];

/** A flag of the reference. `name` is its long name, `written` the text on the command line. */
export interface GivenReferenceFlag {
  readonly name: string;
  readonly written: string;
  /** Value of the flag; `true` or `false` for a switch. */
  readonly value: string;
}

export interface ParsedFlags extends ReturnType<typeof parsed> {
  /** Flags of the reference in order; [] outside `sidelight run`. */
  readonly ofReference: readonly GivenReferenceFlag[];
}

/**
 * Values by flag, and the words that are not flags. Throws UsageError.
 * @param subcommand with `sidelight run` the flags of the reference are accepted too, and take precedence if a name has two meanings
 */
export function parseFlags(argv: readonly string[], subcommand: Subcommand): ParsedFlags {
  const { args, ofReference } = joinValues(argv, subcommand);
  return { ...parsed(args, subcommand), ofReference };
}

function parsed(args: string[], subcommand: Subcommand) {
  try {
    return parseArgs({ args, options: FLAGS, allowPositionals: true, strict: true });
  } catch (error) {
    const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UsageError(`${text} ${helpHint(subcommand)}`, { cause: error });
  }
}

/** Meaning of a word of the command line. */
interface Named {
  readonly isReference: boolean;
  readonly name: string;
  /** Name of the value that the flag takes; undefined: it takes none. */
  readonly takes: string | undefined;
}

/**
 * Joins each flag with its value into one word, so that a value may begin with a dash and is reported as a
 * bad value.
 */
function joinValues(
  argv: readonly string[],
  subcommand: Subcommand,
): { readonly args: string[]; readonly ofReference: readonly GivenReferenceFlag[] } {
  const args: string[] = [];
  const ofReference: GivenReferenceFlag[] = [];
  for (let next = 0; next < argv.length;) {
    const isAfterCommand = args.filter((word) => !word.startsWith('--')).length > 1;
    const { words, ...read } = readWord(argv.slice(next, next + 2), subcommand, isAfterCommand);
    if ('reference' in read) ofReference.push(read.reference);
    else args.push(read.arg);
    next += words;
  }
  return { args, ofReference };
}

/** A word of the command line, or a flag with its value, and how many words that were. */
type ReadWord = { readonly words: 1 | 2 } & (
  | { readonly arg: string }
  | { readonly reference: GivenReferenceFlag }
);

/**
 * Reads the first word, and its value if that is the second one. Throws UsageError.
 * @param isAfterCommand as in `named`
 */
function readWord(
  [arg = '', after]: readonly string[],
  subcommand: Subcommand,
  isAfterCommand: boolean,
): ReadWord {
  const glued = subcommand === 'run' ? gluedValue(arg, isAfterCommand) : undefined;
  const { written, given } = glued ?? splitWord(arg);
  if (written === undefined) return { words: 1, arg };
  const { isReference, name, takes } = flagOf(written, subcommand, isAfterCommand);
  const isApart = takes !== undefined && given === undefined;
  // Who asks for help has no value yet.
  if (isApart && (after === '--help' || after === '-h')) return { words: 1, arg: '--help' };
  if (isApart && (after === undefined || after.startsWith('--')))
    throw new UsageError(`${written} needs a value: ${takes}`);
  const words = isApart ? 2 : 1;
  const value = isApart ? after : given;
  if (isReference)
    return {
      words,
      reference: { name, written, value: takes === undefined ? parseSwitch(written, value) : (value ?? '') },
    };
  if (takes === undefined && value !== undefined)
    throw new UsageError(`--${name} takes no value ${helpHint(subcommand)}`);
  return { words, arg: value === undefined ? `--${name}` : `--${name}=${value}` };
}

/**
 * Splits a word of the command line into a flag and the value in the same word; neither: the word is no flag.
 */
function splitWord(arg: string): { readonly written?: string; readonly given?: string } {
  const [, written, equals, given = ''] = /^(-{1,2}[^-=][^=]*)(=?)(.*)$/s.exec(arg) ?? [];
  if (written === undefined) return {};
  return equals === '=' ? { written, given } : { written };
}

/**
 * A letter with its value directly behind it, which the reference accepts: -p5003, -f. or -fdapr.yaml; undefined: the
 * word is something else. What is nearly a long name with one dash is a mistake in that name. Behind words of a command
 * only a number is a value, because the word may be a flag of that command.
 */
function gluedValue(
  arg: string,
  isAfterCommand: boolean,
): { readonly written: string; readonly given: string } | undefined {
  const [, letter = '', value = ''] =
    (isAfterCommand ? /^-([a-z])(\d+)$/i : /^-([a-z])([^=].*)$/is).exec(arg) ?? [];
  const flag = letter === '' ? undefined : referenceFlag(letter)?.[1];
  if (flag === undefined) return undefined;
  const [word = ''] = arg.slice(1).split('=');
  const names = [...Object.keys(REFERENCE_FLAGS), ...Object.keys(FLAGS)];
  if (word.length > 2 && nearest(word, names) !== undefined) return undefined;
  // The only switch with a letter is refused, whatever is behind it.
  return { written: `-${letter}`, given: flag.takes === undefined ? 'true' : value };
}

const SWITCHED: Readonly<Record<string, readonly string[]>> = {
  true: ['1', 't', 'true'],
  false: ['0', 'f', 'false'],
};

/** Value of a switch as `true` or `false`, in all spellings that the reference accepts. Throws UsageError. */
function parseSwitch(written: string, given = 'true'): string {
  const found = Object.keys(SWITCHED).find((word) => SWITCHED[word]?.includes(given.toLowerCase()));
  if (found === undefined) throw new UsageError(`${written} must be true or false, got "${given}"`);
  return found;
}

/**
 * The flag of a word. Throws UsageError for an unknown one.
 * @param isAfterCommand words of a command come before it
 */
function flagOf(written: string, subcommand: Subcommand, isAfterCommand: boolean): Named {
  const isRun = subcommand === 'run';
  const isLong = written.startsWith('--');
  if (written === '-h') return { isReference: false, name: 'help', takes: undefined };
  const word = written.replace(/^--?/, '');
  const reference = referenceFlag(word);
  if (isRun && reference !== undefined) {
    const [name, { takes }] = reference;
    return { isReference: true, name, takes };
  }
  if (isLong && Object.hasOwn(FLAGS, word)) {
    const takes = (subcommand === 'tap' ? TAP_VALUES[word] : undefined) ?? VALUES[word];
    return { isReference: false, name: word, takes };
  }
  if (isRun && isAfterCommand)
    throw new UsageError(
      `unknown flag ${written}${meantFlag(word, isLong)} a command with flags of its own after --`,
    );
  const why =
    subcommand === 'tap' ? whyUnknownBesideTap(word, reference) : whyUnknown(word, isRun, reference);
  throw new UsageError(`unknown flag ${written}${why} ${helpHint(subcommand)}`);
}

/**
 * Whether the next word is the value of this one.
 * @param word undefined: there is none
 */
export function takesValue(word: string | undefined): boolean {
  const name = /^--?([^=]+)$/.exec(word ?? '')?.[1] ?? '';
  return VALUES[name] !== undefined || referenceFlag(name)?.[1].takes !== undefined;
}

/** A flag of the reference by its name or its letter. */
function referenceFlag(word: string): readonly [string, ReferenceFlag] | undefined {
  return Object.entries(REFERENCE_FLAGS).find(([name, { short }]) => name === word || short === word);
}

/**
 * What comes between a word behind a command and the advice for one with flags: the flag that is probably meant, if any. A word with one dash
 * is more likely a flag of that command.
 */
function meantFlag(word: string, isLong: boolean): string {
  const meant = isLong ? nearest(word, [...Object.keys(FLAGS), ...Object.keys(REFERENCE_FLAGS)]) : undefined;
  return meant === undefined ? ': put' : `, did you mean --${meant}? Put`;
}

/** Text after an unknown flag: its meaning elsewhere, or the flags that it may mean; "" = none. */
function whyUnknown(
  word: string,
  isRun: boolean,
  reference: readonly [string, ReferenceFlag] | undefined,
): string {
  if (reference !== undefined) return `: ${advice(reference)}`;
  const names = [...Object.keys(FLAGS), ...(isRun ? Object.keys(REFERENCE_FLAGS) : [])];
  const meant = nearest(word, names);
  if (meant !== undefined) return `, did you mean --${meant}?`;
  const branded = referenceFlag(`dapr-${word}`);
  if (branded !== undefined && !isRun) return `: ${advice(branded)}`;
  const longer = longerThan(word, names);
  if (longer !== undefined) return longer;
  const elsewhere = nearest(word, Object.keys(REFERENCE_FLAGS));
  if (elsewhere !== undefined) return `, did you mean --${elsewhere} of sidelight run?`;
  return longerThan(withoutSlips(word, names), names) ?? '';
}

/**
 * As `whyUnknown`, for `sidelight tap`. It suggests only flags of that command, so that the user is not
 * refused again.
 */
function whyUnknownBesideTap(word: string, reference: readonly [string, ReferenceFlag] | undefined): string {
  const refused: readonly string[] = NOT_OF_TAP;
  const taken = Object.keys(FLAGS).filter((name) => !refused.includes(name));
  const meant = nearest(word, taken);
  if (meant !== undefined) return `, did you mean --${meant}?`;
  if (reference?.[1].means.kind === 'file') return `: ${advice(reference)}`;
  if (reference !== undefined)
    return ': it belongs to the sidecar behind the tap, which --sidecar-url and --sidecar-grpc name';
  return longerThan(word, taken) ?? longerThan(withoutSlips(word, taken), taken) ?? '';
}

/** An abbreviation with the words of flags that its own ones probably mean: `port` for `prot`. In three letters a slip is no hint. */
function withoutSlips(word: string, names: readonly string[]): string {
  const known = names.flatMap((name) => name.split('-'));
  return word
    .split('-')
    .map((one) => (one.length > 3 ? (nearest(one, known) ?? one) : one))
    .join('-');
}

/** The flags that have all words of an abbreviation, as a question; undefined: there is none. */
function longerThan(word: string, names: readonly string[]): string | undefined {
  const words = word.toLowerCase().split('-');
  const longer = names.filter((name) => words.every((one) => name.split('-').includes(one)));
  return longer.length === 0 ? undefined : `, did you mean ${eitherOf(longer.map((name) => `--${name}`))}?`;
}

/** Advice for a flag of the reference outside `sidelight run`. */
function advice([, { means }]: readonly [string, ReferenceFlag]): string {
  const orRun = 'sidelight run accepts it as it is';
  switch (means.kind) {
    case 'own':
      return `here it is --${means.flag}; ${orRun}`;
    case 'setting':
      return `here it is --set ${means.key}=…; ${orRun}`;
    case 'health':
      return `here it is --set app.health=…; ${orRun}`;
    case 'address':
      return `give the app's address with --app-url; ${orRun}`;
    case 'file':
      return 'to start several apps, use the command run: sidelight run -f FILE';
    case 'silent':
    case 'ignored':
      return `it has no meaning here; ${orRun}`;
    case 'refused':
      return means.why;
  }
}
