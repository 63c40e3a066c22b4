/** The flags there are, what each takes, and a command line as values; every mistake in one line. */
import { parseArgs } from 'node:util';
import { nearest } from '../domain/filter/mistakes.ts';

/** A bad flag or value: one line on stderr, exit status 2, nothing started. */
export class UsageError extends Error {}

const FLAGS = {
  headless: { type: 'boolean' },
  'sidecar-port': { type: 'string' },
  'sidecar-host': { type: 'string' },
  'app-port': { type: 'string' },
  'grpc-port': { type: 'string' },
  'app-protocol': { type: 'string' },
  'console-port': { type: 'string' },
  'app-id': { type: 'string' },
  'app-url': { type: 'string' },
  app: { type: 'string', multiple: true },
  resources: { type: 'string' },
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
  'app-id': 'an app id',
  'app-url': 'an http, https or grpc address',
  app: 'ID=URL[,sidecarPort[,grpcPort]] or ID=mock[,sidecarPort[,grpcPort]]',
  resources: 'a folder',
  'data-dir': 'a folder',
  profile: 'sidecar or dapr',
  config: 'a file',
  set: 'KEY=VALUE',
  'log-level': 'debug, info, warn or error',
  'log-format': 'text or json',
};

const MORE = '(--help lists the flags)';

export type FlagValues = ReturnType<typeof parsed>['values'];

/** Values by flag, and the words that are none. Throws UsageError. */
export function parseFlags(argv: readonly string[]): ReturnType<typeof parsed> {
  return parsed(joined(argv));
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options: FLAGS, allowPositionals: true, strict: true });
  } catch (error) {
    const text = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new UsageError(`${text} ${MORE}`, { cause: error });
  }
}

/** Flags with their values as one word, so that a value may begin with a dash and be told as what it is: a bad one. */
function joined(argv: readonly string[]): string[] {
  const args: string[] = [];
  for (let i = 0; i < argv.length; i += 1) {
    const arg = argv[i] ?? '';
    const [, name = '', given] = /^--([^=]+)(=?)/.exec(arg) ?? [];
    if (name === '') {
      if (/^-./.test(arg)) throw new UsageError(`unknown flag ${arg} ${MORE}`);
      args.push(arg);
      continue;
    }
    if (!Object.hasOwn(FLAGS, name)) throw unknownFlag(name);
    const expected = VALUES[name];
    if (expected === undefined && given === '=') throw new UsageError(`--${name} takes no value ${MORE}`);
    if (expected === undefined || given === '=') {
      args.push(arg);
      continue;
    }
    const value = argv[i + 1];
    if (value === undefined || value.startsWith('--'))
      throw new UsageError(`--${name} needs a value: ${expected}`);
    args.push(`${arg}=${value}`);
    i += 1;
  }
  return args;
}

function unknownFlag(name: string): UsageError {
  const meant = nearest(name, Object.keys(FLAGS));
  const hint = meant === undefined ? '' : `, did you mean --${meant}?`;
  return new UsageError(`unknown flag --${name}${hint} ${MORE}`);
}
