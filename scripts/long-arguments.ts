// Reads the arguments of npm run test:long: files for Vitest, journeys for Playwright, the name of a test for
// either, and options.

export interface LongRun {
  /** True if no file is named: everything runs. */
  readonly isAll: boolean;
  readonly journeys: readonly string[];
  readonly files: readonly string[];
  /** For each tool the arguments after its files. */
  readonly vitest: readonly string[];
  readonly playwright: readonly string[];
}

/** Options for the name of a test; each tool accepts the other's option too. */
const NAME_OPTIONS: ReadonlySet<string> = new Set(['-t', '--testNamePattern', '-g', '--grep']);
/** Options of both tools whose value is the next argument. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  '--reporter',
  '--retry',
  '--bail',
  '--testTimeout',
  // Playwright's alone.
  '--retries',
  '--workers',
]);

/** Whether an argument is a journey: a file or a folder of the browser tests. Test files of the desktop are Vitest's. */
const isJourney = (argument: string): boolean =>
  /^test\/(?:e2e|electron)\b/.test(argument) && !/\.test\.tsx?$/.test(argument);

/**
 * Reads the arguments.
 * @throws Error if an option lacks its value
 */
export function longRunOf(given: readonly string[]): LongRun {
  const journeys: string[] = [];
  const files: string[] = [];
  const options: string[] = [];
  let name: string | undefined;
  const left = [...given];
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [option = '', value] = argument.startsWith('--') ? split(argument) : [argument];
    if (NAME_OPTIONS.has(option)) name = value ?? valueOf(option, left.shift());
    else if (WITH_VALUE.has(argument)) options.push(argument, valueOf(argument, left.shift()));
    else if (argument.startsWith('-')) options.push(argument);
    else (isJourney(argument) ? journeys : files).push(argument);
  }
  return {
    isAll: journeys.length === 0 && files.length === 0,
    journeys,
    files,
    vitest: [...(name === undefined ? [] : ['-t', name]), ...options],
    playwright: [...(name === undefined ? [] : ['-g', name]), ...options],
  };
}

/** Splits "--grep=a" into option and value. */
function split(argument: string): readonly string[] {
  const at = argument.indexOf('=');
  return at === -1 ? [argument] : [argument.slice(0, at), argument.slice(at + 1)];
}

function valueOf(option: string, value: string | undefined): string {
  if (value === undefined) throw new Error(`${option} needs a value`);
  return value;
}
