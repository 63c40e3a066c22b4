/** `sidelight test PATH…`: runs scenario files, each on an instance of its own, several at a time. */
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { deeperThan } from '../adapters/component-files/yaml-limits.ts';
import { errorText } from '../contract/error-text.ts';
import { eitherOf } from '../contract/list-text.ts';
import { MAX_SCENARIO_BYTES } from '../contract/scenario.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { commandLine } from './command-flags.ts';
import { UsageError } from '../domain/usage-error.ts';
import { readScenario } from '../scenario/read-file.ts';
import { isPassed, report, REPORTERS, specOf, summaryOf } from '../scenario/report.ts';
import type { FileResult, Reporter } from '../scenario/report.ts';
import { runFile } from '../testing/run-file.ts';
import type { RunHow, ScenarioFile } from '../testing/run-file.ts';
import { startInProcess } from './in-process-instance.ts';
import { startProgram } from './multi-run/child.ts';
import { pathHint, wordHint } from './flag-hints.ts';
import { lookedAt } from './looked-at.ts';
import { isFolder } from './multi-run/find-file.ts';
import { runEnvironment } from './run-environment.ts';
import { scenarioText } from './scenario-text.ts';
import { SETTINGS_OF_FILES } from './setting-table.ts';

export const TEST_FLAGS = {
  reporter: { type: 'string' },
  out: { type: 'string' },
  keep: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export const TEST_HELP = `sidelight test PATH… [flags]     run scenario files (*.scenario.yaml), or those below a folder

  --reporter spec|json|junit   what is printed (spec)
  --out FILE                   write the report to this file, and the spec text to stdout
  --keep                       keep the history of a file that fails, and print the command that opens it

Each file runs on its own instance on free ports, which leaves nothing behind. Exit status: 0 all passed; 1 a step failed;
2 a bad file or flag, or no file: then nothing was run; 130 interrupted.
`;

/** Files per processor that run at the same time: a file mostly waits. */
const FILES_PER_PROCESSOR = 4;
const INTERRUPTED = 130;
/** Nested levels of a file: the parser of YAML runs out of stack at fewer than twice as many. */
const MAX_LEVELS = 500;

export interface TestSurroundings {
  readonly out: (text: string) => void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The command as it was started; absent: `sidelight`. */
  readonly startedAs?: string;
  /** Aborted when the command should end. */
  readonly signal: AbortSignal;
}

/**
 * Runs the command.
 * @param argv words after `test`
 * @returns exit status 0, 1 or 130; throws UsageError for 2
 */
export async function testCommand(argv: readonly string[], around: TestSurroundings): Promise<number> {
  const { out, env, signal } = around;
  const { values, positionals } = commandLine('test', argv, TEST_FLAGS);
  if (values.help === true) {
    out(TEST_HELP);
    return 0;
  }
  const reporter = reporterOf(values.reporter ?? 'spec');
  if (values.out !== undefined) checkReportFile(values.out);
  const files = readAll(scenarioFiles(positionals));
  const saysSpec = reporter === 'spec' || values.out !== undefined;
  const how: RunHow = {
    keep: values.keep === true,
    signal,
    ...withoutUndefined({ startedAs: around.startedAs }),
    start: (options) => startInProcess(options, env),
    environmentOf: (at, profile = 'sidecar') => runEnvironment(at, { profile, env }),
    startProgram,
  };
  const results = await runAll(files, how, (result) => {
    if (saysSpec && !signal.aborted) out(specOf(result));
  });
  if (signal.aborted) return INTERRUPTED;
  if (saysSpec) out(summaryOf(results));
  if (values.out !== undefined) writeReport(values.out, report(reporter, results));
  else if (!saysSpec) out(report(reporter, results));
  return results.every(isPassed) ? 0 : 1;
}

/** Results in the order of the files. `onResult` gets each as soon as all before it have ended. */
async function runAll(
  files: readonly ScenarioFile[],
  how: RunHow,
  onResult: (result: FileResult) => void,
): Promise<readonly FileResult[]> {
  const results = new Map<ScenarioFile, FileResult>();
  const waiting = [...files];
  let reported = 0;
  const worker = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined && !how.signal.aborted; file = waiting.shift()) {
      results.set(file, await runFile(file, how));
      for (let next = at(reported); next !== undefined; next = at(reported)) {
        reported += 1;
        onResult(next);
      }
    }
  };
  const at = (index: number): FileResult | undefined => {
    const file = files[index];
    return file === undefined ? undefined : results.get(file);
  };
  await Promise.all(Array.from({ length: availableParallelism() * FILES_PER_PROCESSOR }, worker));
  return files.flatMap((file) => results.get(file) ?? []);
}

/** The given files, and the files in given folders, each once. Throws UsageError if there is none. */
function scenarioFiles(paths: readonly string[]): readonly string[] {
  if (paths.length === 0)
    throw new UsageError('test needs a scenario file or a folder, for example: sidelight test tests');
  const found = paths.flatMap((path) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined)
      throw new UsageError(`there is no file or folder "${path}"${lookedAt(path)}${pathHint(path, 'file')}`);
    return stat.isDirectory() ? below(path) : [path];
  });
  if (found.length === 0)
    throw new UsageError(`no *.scenario.yaml below ${paths.map((path) => path + lookedAt(path)).join(', ')}`);
  return [...new Set(found)];
}

function below(folder: string): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  return names
    .filter((name) => /\.scenario\.ya?ml$/.test(name) && !/(^|[/\\])node_modules[/\\]/.test(name))
    .toSorted()
    .map((name) => join(folder, name));
}

/** Reads all files. Throws one UsageError with every mistake of every file. */
function readAll(paths: readonly string[]): readonly ScenarioFile[] {
  const mistakes: string[] = [];
  const files = paths.flatMap((file): ScenarioFile[] => {
    const text = textOf(file);
    if (typeof text !== 'string') {
      mistakes.push(`${file}: ${text.reason}`);
      return [];
    }
    const deep = deeperThan(MAX_LEVELS, text);
    if (deep !== undefined) {
      mistakes.push(`${file}:${text.slice(0, deep.offset).split('\n').length}: ${deep.message}`);
      return [];
    }
    const read = readScenario(text, {
      settings: SETTINGS_OF_FILES,
      isFolder: (folder) =>
        statSync(resolve(dirname(file), folder), { throwIfNoEntry: false })?.isDirectory() === true,
    });
    if (read.ok) return [{ file, path: resolve(file), scenario: read.scenario }];
    for (const { line, column, message } of read.mistakes)
      mistakes.push(`${file}:${line}:${column}: ${message}`);
    return [];
  });
  if (mistakes.length > 0) throw new UsageError(mistakes.join('\n'));
  return files;
}

function textOf(file: string): string | { readonly reason: string } {
  try {
    return scenarioText(file, MAX_SCENARIO_BYTES);
  } catch (error) {
    return { reason: `it cannot be read: ${errorText(error)}` };
  }
}

function reporterOf(text: string): Reporter {
  const found = REPORTERS.find((one) => one === text);
  if (found === undefined)
    throw new UsageError(
      `--reporter must be ${eitherOf(REPORTERS)}, got "${text}"${wordHint(text, REPORTERS)}`,
    );
  return found;
}

/** Throws UsageError if the report cannot be written there, before a long run has ended. */
function checkReportFile(path: string): void {
  if (path === '' || isFolder(path) || !isFolder(dirname(path)))
    throw new UsageError(`--out must be a file in a folder that exists, got "${path}"`);
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new Error(`the report could not be written: ${errorText(error)}`, { cause: error });
  }
}
