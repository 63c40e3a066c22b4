/** The flags there are, what each takes, and a command line as values; every mistake in one line. */
import { parseArgs } from 'node:util';
import { eitherOf } from '../contract/spoken-list.ts';
import { nearest } from '../domain/filter/mistakes.ts';
import { UsageError } from '../domain/usage-error.ts';
import { REFERENCE_FLAGS } from './reference-flags.ts';
import type { ReferenceFlag } from './reference-flags.ts';

export { UsageError };

const FLAGS = {
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

/** What stands after a flag that takes a value. */
const VALUES: Readonly<Record<string, string>> = {
  'sidecar-port': 'a port from 0 to 65535',
  'sidecar-host': 'an address of this machine, for example 0.0.0.0',
  'app-port': 'a port from 0 to 65535',
  'grpc-port': 'a port from 0 to 65535, or off',
  'app-protocol': 'http or grpc',
  'console-port': 'a port from 0 to 65535',
  'console-host': 'an address of this machine, for example 0.0.0.0',
  'console-allowed-host': 'a name by which the console is reached, for example sidelight or sidelight:8080',
  'app-id': 'an app id',
  'app-url': 'an http, https, grpc or grpcs address, or none',
  app: 'ID=URL[,sidecarPort[,grpcPort]], ID=mock[,sidecarPort[,grpcPort]] or ID=none[,sidecarPort[,grpcPort]]',
  resources: 'a folder',
  'tap-app-port': 'a port from 0 to 65535',
  'tap-sidecar-port': 'a port from 0 to 65535',
  'sidecar-url': 'an http address',
  'sidecar-grpc': 'HOST:PORT',
  'tap-grpc-port': 'a port from 0 to 65535',
  'data-dir': 'a folder',
  profile: 'sidecar, dapr or dapr-1.18',
  config: 'a file',
  set: 'KEY=VALUE',
  'log-level': 'debug, info, warn or error',
  'log-format': 'text or json',
};

const MORE = '(--help lists the flags)';

/** Flags of sidecars, mock apps and components of our own, of which `sidelight tap` starts none. */
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
export type Way = 'run' | 'tap' | undefined;

export type FlagValues = ReturnType<typeof parsed>['values'];

/** A flag of the reference as it was given. `name` is the long one, `written` what is on the command line. */
export interface GivenReferenceFlag {
  readonly name: string;
  readonly written: string;
  /** A switch has `true` or `false`. */
  readonly value: string;
}

export interface ParsedFlags extends ReturnType<typeof parsed> {
  /** In their order; [] outside `sidelight run`. */
  readonly ofReference: readonly GivenReferenceFlag[];
}

/**
 * Values by flag, and the words that are not flags. Throws UsageError.
 * @param way with `sidelight run` the flags of the reference are taken too, and win where a name has two meanings
 */
export function parseFlags(argv: readonly string[], way: Way): ParsedFlags {
  const { args, ofReference } = joined(argv, way);
  return { ...parsed(args), ofReference };
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: FLAGS, allowPositionals: true, strict: true });
  } catch (error) {
    const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UsageError(`${text} ${MORE}`, { cause: error });
  }
}

/** What a word of the command line names. */
interface Named {
  readonly isReference: boolean;
  readonly name: string;
  /** What the flag takes; undefined: nothing. */
  readonly takes: string | undefined;
}

/** Flags with their values as one word, so that a value may begin with a dash and be told as what it is: a bad one. */
function joined(
  argv: readonly string[],
  way: Way,
): { readonly args: string[]; readonly ofReference: readonly GivenReferenceFlag[] } {
  const args: string[] = [];
  const ofReference: GivenReferenceFlag[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const arg = argv[i] ?? '';
    const { written, given } = parted(arg, way === 'run');
    if (written === undefined) {
      args.push(arg);
      continue;
    }
    const { isReference, name, takes } = named(
      written,
      way,
      args.filter((word) => !word.startsWith('--')).length > 1,
    );
    let value = given;
    if (takes !== undefined && value === undefined) {
      value = argv[(i += 1)];
      if (value === undefined || value.startsWith('--'))
        throw new UsageError(`${written} needs a value: ${takes}`);
    }
    if (isReference)
      ofReference.push({
        name,
        written,
        value: takes === undefined ? switched(written, value) : (value ?? ''),
      });
    else if (takes === undefined && value !== undefined)
      throw new UsageError(`--${name} takes no value ${MORE}`);
    else args.push(value === undefined ? `--${name}` : `--${name}=${value}`);
  }
  return { args, ofReference };
}

/** A word of the command line as a flag and the value that is in the same word; neither: it is no flag. */
function parted(arg: string, isRun: boolean): { readonly written?: string; readonly given?: string } {
  // The reference takes a number right after a letter: -p5003.
  const [, letter, digits] = (isRun ? /^(-[a-z])(\d+)$/i.exec(arg) : null) ?? [];
  if (letter !== undefined && digits !== undefined) return { written: letter, given: digits };
  const [, written, equals, given = ''] = /^(-{1,2}[^-=][^=]*)(=?)(.*)$/s.exec(arg) ?? [];
  if (written === undefined) return {};
  return equals === '=' ? { written, given } : { written };
}

const SWITCHED: Readonly<Record<string, readonly string[]>> = {
  true: ['1', 't', 'true'],
  false: ['0', 'f', 'false'],
};

/** `true` or `false` of a switch, in all the spellings that the reference takes. Throws UsageError. */
function switched(written: string, given = 'true'): string {
  const found = Object.keys(SWITCHED).find((word) => SWITCHED[word]?.includes(given.toLowerCase()));
  if (found === undefined) throw new UsageError(`${written} must be true or false, got "${given}"`);
  return found;
}

/** The flag that is meant. Throws UsageError for one that does not exist. @param isAfterCommand words of a command are before it */
function named(written: string, way: Way, isAfterCommand: boolean): Named {
  const isRun = way === 'run';
  const isLong = written.startsWith('--');
  if (written === '-h') return { isReference: false, name: 'help', takes: undefined };
  const word = written.replace(/^--?/, '');
  const reference = referenceFlag(word);
  if (isRun && reference !== undefined) {
    const [name, { takes }] = reference;
    return { isReference: true, name, takes };
  }
  if (isLong && Object.hasOwn(FLAGS, word)) return { isReference: false, name: word, takes: VALUES[word] };
  if (isRun && isAfterCommand)
    throw new UsageError(`unknown flag ${written}: a command with flags of its own stands after --`);
  if (way === 'tap') throw unknownBesideTap(written, word, reference);
  throw unknownFlag(written, word, isRun, reference);
}

/** Whether the word after this one is its value. @param word undefined: there is none before */
export function takesValue(word: string | undefined): boolean {
  const name = /^--?([^=]+)$/.exec(word ?? '')?.[1] ?? '';
  return VALUES[name] !== undefined || referenceFlag(name)?.[1].takes !== undefined;
}

/** A flag of the reference by its name or its letter. */
function referenceFlag(word: string): readonly [string, ReferenceFlag] | undefined {
  return Object.entries(REFERENCE_FLAGS).find(([name, { short }]) => name === word || short === word);
}

function unknownFlag(
  written: string,
  word: string,
  isRun: boolean,
  reference: readonly [string, ReferenceFlag] | undefined,
): UsageError {
  if (reference !== undefined)
    return new UsageError(`unknown flag ${written}: ${instead(reference)} ${MORE}`);
  const meant = nearest(word, [...Object.keys(FLAGS), ...(isRun ? Object.keys(REFERENCE_FLAGS) : [])]);
  if (meant !== undefined) return new UsageError(`unknown flag ${written}, did you mean --${meant}? ${MORE}`);
  const branded = referenceFlag(`dapr-${word}`);
  if (branded !== undefined && !isRun)
    return new UsageError(`unknown flag ${written}: ${instead(branded)} ${MORE}`);
  // Nobody who writes half a name can be told which of several was meant.
  const longer = [...Object.keys(FLAGS), ...(isRun ? Object.keys(REFERENCE_FLAGS) : [])].filter((name) =>
    name.endsWith(`-${word}`),
  );
  if (longer.length > 0) {
    const names = longer.map((name) => `--${name}`);
    return new UsageError(`unknown flag ${written}, did you mean ${eitherOf(names)}? ${MORE}`);
  }
  const elsewhere = nearest(word, Object.keys(REFERENCE_FLAGS));
  const hint = elsewhere === undefined ? '' : `, did you mean --${elsewhere} of sidelight run?`;
  return new UsageError(`unknown flag ${written}${hint} ${MORE}`);
}

/** Names only what `sidelight tap` takes: whoever follows the hint is not refused again. */
function unknownBesideTap(
  written: string,
  word: string,
  reference: readonly [string, ReferenceFlag] | undefined,
): UsageError {
  const refused: readonly string[] = NOT_OF_TAP;
  const taken = Object.keys(FLAGS).filter((name) => !refused.includes(name));
  const meant = nearest(word, taken);
  if (meant !== undefined) return new UsageError(`unknown flag ${written}, did you mean --${meant}? ${MORE}`);
  if (reference?.[1].means.kind === 'file')
    return new UsageError(`unknown flag ${written}: ${instead(reference)} ${MORE}`);
  if (reference !== undefined)
    return new UsageError(
      `unknown flag ${written}: it belongs to the sidecar behind the tap, which --sidecar-url and --sidecar-grpc name ${MORE}`,
    );
  return new UsageError(`unknown flag ${written} ${MORE}`);
}

/** What to write instead of a flag of the reference outside `sidelight run`. */
function instead([, { means }]: readonly [string, ReferenceFlag]): string {
  const orRun = 'with sidelight run it is accepted as it is';
  switch (means.kind) {
    case 'own':
      return `here it is --${means.flag}; ${orRun}`;
    case 'setting':
      return `here it is --set ${means.key}=…; ${orRun}`;
    case 'health':
      return `here it is --set app.health=…; ${orRun}`;
    case 'address':
      return `the app's address is given with --app-url; ${orRun}`;
    case 'file':
      return 'runs of several apps begin with the word run: sidelight run -f FILE';
    case 'silent':
    case 'ignored':
      return `it has no meaning here; ${orRun}`;
    case 'refused':
      return means.why;
  }
}
