// npm test: runs the brief gates and every suite, prints one closing line, and leaves nothing behind.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { BuildError, buildProduct } from './build-product.ts';
import { findElectronBinary, hasDisplay } from './electron-binary.ts';
import { BROWSER_VARIABLE, ensureBrowser } from './ensure-browser.ts';
import { BRIEF_GATES, type Gate, runGates, TYPES } from './gates.ts';
import {
  blindSpot,
  endProcess,
  leftFiles,
  leftProcesses,
  type LeftProcess,
  RUN_VARIABLE,
} from './test/leftovers.ts';
import { memoryFolder } from './test/memory-folder.ts';
import {
  add,
  closingLines,
  judged,
  NONE,
  oneFailed,
  onePassed,
  oneSkipped,
  parseTally,
  type Tally,
  tallyOfConformance,
  tallyOfPlaywright,
  tallyOfScenarios,
} from './test/tally.ts';
import { JOURNEYS, PROGRAM, ROOT, runFile, runPlaywright, runTool, seconds } from './tools.ts';

interface Step {
  readonly title: string;
  readonly run: () => Promise<Tally>;
  /** Work that runs at the same time, because it mostly waits; its output is printed when it has ended. */
  readonly beside?: readonly Beside[];
  /** Work that starts with this step, and is awaited at the end of the next one. */
  readonly lasting?: readonly Beside[];
}

interface Beside {
  readonly title: string;
  readonly run: () => Promise<Tally>;
}

const SUITE_LIMIT_MS = 30 * 60_000;
const run = `${process.pid}-${Date.now()}`;
const temporary = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-test-'));
const reports = fs.mkdtempSync(path.join(os.tmpdir(), 'sidelight-report-'));
const TEMPORARY = { TMPDIR: temporary, TEMP: temporary, TMP: temporary };
/** For the unit tests: in memory where that is possible. Those that need a process of their own stay on the disk. */
const quick = fs.mkdtempSync(path.join(memoryFolder() ?? os.tmpdir(), 'sidelight-test-'));
Object.assign(process.env, TEMPORARY);
process.env[RUN_VARIABLE] = run;
// Several hundred products are started, which share the code that the first one has compiled.
process.env['NODE_COMPILE_CACHE'] ??= path.join(ROOT, '.cache', 'compile');

const reportIn = (file: string): string | undefined =>
  fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined;

const CORES = os.availableParallelism();

interface Vitest {
  readonly project: string;
  readonly workers: number;
  /** With `capture` the output is printed when the tests have ended. */
  readonly output?: 'show' | 'capture';
  /** Folder for temporary files. */
  readonly folder?: string;
}

/** Runs tests of a project of vitest.config.ts. */
async function vitest({ project, workers, output = 'show', folder = temporary }: Vitest): Promise<Tally> {
  const report = path.join(reports, `${project.replace('*', '')}.json`);
  const reporters = ['--reporter=default', '--reporter=./scripts/test/tally-reporter.ts'];
  // Programs and threads of the tests use the built product, which starts in less than half of the time.
  const files = { TMPDIR: folder, TEMP: folder, TMP: folder };
  const env = { ...files, SIDELIGHT_TALLY: report, SIDELIGHT_PROGRAM: PROGRAM };
  const args = ['run', '--project', project, `--maxWorkers=${workers}`, ...reporters];
  const ended = await runTool('vitest', args, { env, output, limitMs: SUITE_LIMIT_MS });
  const { code } = ended;
  if (output === 'capture') console.log(`\n== ${project}\n${ended.output.trimEnd()}`);
  const text = reportIn(report);
  return judged(text === undefined ? undefined : parseTally(text), code);
}

/**
 * Runs the shell's tests, which start what was built, and the unit tests that need a process of their own, with one worker. Both wait
 * for much of their time. After the other unit tests, the second ones would leave a part of the cores idle.
 */
async function besideUnit(): Promise<Tally> {
  const shell = await vitest({ project: 'shell', workers: 1, output: 'capture' });
  return add(shell, await vitest({ project: 'unit-apart', workers: 1, output: 'capture' }));
}

/** Runs the conformance suite on the built product; its output is printed when it has ended. */
async function conformance(): Promise<Tally> {
  const report = path.join(reports, 'conformance.json');
  const suite = path.join(ROOT, 'scripts', 'conformance.ts');
  // Each case runs in the first profile, and in others only if it expects something else there; test:long
  // runs all in all profiles.
  const args = ['--brief', '--kept', '--quiet', '--json', report, '--entry', PROGRAM];
  const { code, output } = await runFile(suite, args, {
    // The suite may start while the search for a browser uses another folder for temporary files.
    env: TEMPORARY,
    output: 'capture',
    limitMs: SUITE_LIMIT_MS,
  });
  console.log(`\n== conformance\n${output.trimEnd()}`);
  const text = reportIn(report);
  return judged(text === undefined ? undefined : tallyOfConformance(text), code);
}

/** Runs the product's own scenario files on the built product. */
async function scenarios(): Promise<Tally> {
  const report = path.join(reports, 'scenarios.json');
  const args = ['test', path.join(ROOT, 'test', 'scenarios'), '--reporter', 'json', '--out', report];
  const { code, output } = await runFile(PROGRAM, args, {
    env: TEMPORARY,
    output: 'capture',
    limitMs: SUITE_LIMIT_MS,
  });
  if (code !== 0) console.log(output.trimEnd());
  const text = reportIn(report);
  return judged(text === undefined ? undefined : tallyOfScenarios(text), code);
}

async function playwright(projects: readonly string[]): Promise<Tally> {
  const report = path.join(reports, 'journeys.json');
  const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
  const args = [...projects.map((project) => `--project=${project}`), '--reporter=list,json'];
  const { code } = await runPlaywright(args, { env, limitMs: SUITE_LIMIT_MS });
  const text = reportIn(report);
  return judged(text === undefined ? undefined : tallyOfPlaywright(text), code);
}

async function build(which: { readonly onlyBundles?: boolean } = {}): Promise<Tally> {
  try {
    await buildProduct(which);
    return onePassed;
  } catch (error) {
    if (!(error instanceof BuildError)) throw error;
    console.log(error.message);
    return oneFailed;
  }
}

/** The build of the program and the page, which needs no types; undefined: not begun. */
let bundles: Promise<Tally> | undefined;

const bundled = (): Promise<Tally> => (bundles ??= build({ onlyBundles: true }));

/** Checks types, which takes one core, and builds what the compiler writes; waits for the bundles. */
async function types(): Promise<Tally> {
  const checked = await gates([TYPES]);
  const { failed } = await bundled();
  return failed > 0 ? checked : add(checked, await build());
}

/** The suites that need nothing but the program, on the core that the check of types leaves idle. */
async function onProgram(): Promise<Tally> {
  const built = await bundled();
  if (built.failed > 0) return built;
  return add(await scenarios(), await conformance());
}

/** Chooses the browser of the journeys. Its first start mostly reads its file. */
async function browser(): Promise<Tally> {
  try {
    await ensureBrowser();
    return NONE;
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    return oneFailed;
  }
}

/**
 * Runs the journeys: the built page in a browser and behind the desktop's bridge, and the window itself if
 * possible.
 */
async function journeys(): Promise<Tally> {
  // A failed search is counted already.
  if (process.env[BROWSER_VARIABLE] === undefined) return NONE;
  const reason = noWindow();
  if (reason === undefined) return playwright([...JOURNEYS, 'electron']);
  return add(await playwright(JOURNEYS), oneSkipped('Electron window', reason));
}

/** Why a desktop window is not possible here; undefined: it is. */
function noWindow(): string | undefined {
  const binary = findElectronBinary(path.join(ROOT, 'node_modules', 'electron'));
  if (binary === undefined) return 'no Electron binary is installed';
  return hasDisplay() ? undefined : 'there is no display';
}

/** Ends remaining processes and names them; any remainder counts as one failure. */
async function clean(): Promise<Tally> {
  const processes = await lastingProcesses();
  for (const left of processes) {
    const ports = left.ports.length > 0 ? ` listening on ${left.ports.join(', ')}` : '';
    console.log(`left behind: process ${left.pid} ${left.command}${ports}`);
    endProcess(left.pid);
  }
  const files = [temporary, quick].flatMap((folder) =>
    leftFiles(folder).map((name) => path.join(folder, name)),
  );
  for (const file of files) console.log(`left behind: ${file}`);
  const found = processes.length + files.length > 0 ? oneFailed : onePassed;
  return blindSpot === undefined ? found : add(found, oneSkipped('processes left behind', blindSpot));
}

/** Processes that remain after a moment. One that is about to exit does not count. */
async function lastingProcesses(): Promise<LeftProcess[]> {
  for (let tries = 20; ; tries -= 1) {
    const left = leftProcesses(run);
    if (left.length === 0 || tries === 0) return left;
    await setTimeout(100);
  }
}

async function gates(which: readonly Gate[]): Promise<Tally> {
  const passed = await runGates(which);
  return passed.reduce((sum, isPassed) => add(sum, isPassed ? onePassed : oneFailed), NONE);
}

const STEPS: readonly Step[] = [
  {
    title: 'types and build',
    run: types,
    beside: [{ title: 'format and lint', run: () => gates(BRIEF_GATES) }],
    lasting: [{ title: 'scenarios and conformance', run: onProgram }],
  },
  {
    title: 'unit',
    // Tests of whole products and of the disk wait for a third of their time, so one more worker than cores
    // is used.
    run: () => vitest({ project: 'unit', workers: CORES + 1, folder: quick }),
    beside: [
      { title: 'shell and unit-apart', run: besideUnit },
      // The search changes the folder for temporary files for a moment, so it starts after the tests.
      { title: 'the search for a browser', run: browser },
    ],
  },
  { title: 'journeys', run: journeys },
  { title: 'nothing left behind', run: clean },
];

let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => (interrupted = true));

let total = NONE;
/** Lasting work of the previous step; it has ended when the next step has. */
let lasted: readonly Promise<Tally>[] = [];
try {
  for (const { title, run: step, beside = [], lasting = [] } of STEPS) {
    if (interrupted && step !== clean) continue;
    const from = performance.now();
    const others = [...beside, ...lasting].map((other) => other.title).join(' and ');
    console.log(`\n== ${title}${others === '' ? '' : `, and beside it ${others}`}`);
    const started = lasting.map((other) => other.run());
    const tallies = await Promise.all([step(), ...beside.map((other) => other.run()), ...lasted]);
    lasted = started;
    total = tallies.reduce(add, total);
    console.log(`-- ${title}: ${seconds(from)}`);
  }
} finally {
  for (const folder of [quick, temporary, reports]) fs.rmSync(folder, { recursive: true, force: true });
}
if (total.failed === 0) fs.rmSync(path.join(ROOT, 'test-results'), { recursive: true, force: true });
console.log(`\n${closingLines(interrupted ? add(total, oneFailed) : total).join('\n')}`);
if (interrupted || total.failed > 0) process.exitCode = 1;
