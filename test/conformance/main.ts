/** The command line of the conformance suite. */
import { compareAgain } from './again.ts';
import type { BothWays } from './again.ts';
import { writeFile } from 'node:fs/promises';
import { USAGE, readArgs } from './args.ts';
import type { Read } from './args.ts';
import { CONFIGURATIONS, NOT_RUN } from './configurations.ts';
import { createConsole, endAll, ENTRY, startProduct, writeResources } from './driver.ts';
import { ProductPool } from '../e2e/reuse/product-pool.ts';
import { compared, comparisonReport, isAlone } from './differences.ts';
import type { Comparison, ComparisonReport } from './differences.ts';
import { profileOf, REFERENCE_SETUPS, startReference } from './reference.ts';
import type { Case } from './suite/case.ts';
import type { Configuration, RedisAddresses } from './suite/configuration.ts';
import { NAMES, watchedNames } from './suite/names.ts';
import type { ProfileName } from './suite/names.ts';
import { textOf } from './suite/text-of.ts';
import { lineOf, notRed, reportOf, summaryOf } from './suite/report.ts';
import type { CaseResult, Report } from './suite/report.ts';
import { limitOf, runCases } from './suite/run.ts';
import type { Limit, StartedSidecar } from './suite/run.ts';
import { sdkResults } from './sdk.ts';
import { whyNoRedis } from '../support/redis-server.ts';

export interface Cli {
  readonly print: (line: string) => void;
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const BROKEN_OFF = 130;
const PATIENCE_MS = 15_000;
const RED_PATIENCE_MS = 1_500;
const REFERENCE_PATIENCE_MS = 3_000;
const REFERENCE_READY_MS = 20_000;

/** Rows that a release decides: of the newer one only these are tried where nobody asks for more. */
const OF_RELEASE = /^(?:release|grpc\.publish\.errors)/;

/** Runs the suite as the arguments say. Resolves with the exit status: 0 all right, 1 a case failed, 2 bad usage. */
export async function main(args: readonly string[], { print }: Cli): Promise<number> {
  const read = readArgs(args);
  if (typeof read === 'string') {
    print(read);
    return read === USAGE ? 0 : 2;
  }
  if (read.list) {
    for (const line of listed()) print(line);
    return 0;
  }
  if (read.writeResources !== undefined) return writeFolder(read, read.writeResources, print);
  if (read.reference !== undefined) return compareWith(read, read.reference, print);
  const startedAt = new Date();
  const results: CaseResult[] = [];
  const note = (result: CaseResult): void => {
    results.push(result);
    const isAsWanted = read.red ? result.result === 'failed' : result.result !== 'failed';
    if (!read.quiet || !isAsWanted) print(lineOf(result));
  };
  const limit = limitOf(read.jobs);
  const pool = read.kept ? new ProductPool(read.entry ?? ENTRY) : undefined;
  for (const signal of SIGNALS) process.on(signal, brokenOff);
  try {
    const differing = new Differing();
    for (const [index, profile] of read.profiles.entries())
      await runProfile({ read, pool, profile, limit, note, differing, isBrief: read.brief && index > 0 });
  } finally {
    for (const signal of SIGNALS) process.off(signal, brokenOff);
    await pool?.end();
  }
  const target = read.baseUrl ?? 'our own product, headless';
  const report = reportOf(startedAt, target, results);
  if (read.json !== undefined) await writeJson(read.json, report);
  return closing(read, report, print);
}

async function writeJson(file: string, report: Report | ComparisonReport): Promise<void> {
  await writeFile(file, `${JSON.stringify(report, null, 2)}\n`);
}

function brokenOff(): void {
  endAll();
  process.exit(BROKEN_OFF);
}

function isWanted(read: Read, id: string): boolean {
  if (read.only.length === 0) return true;
  return read.only.some((only) => only === id || id.replace(/[a-z]+$/, '') === only);
}

/** Findings of the run in the first profile about the others: which cases and which starts read a name of the profile. */
class Differing {
  readonly cases = new Set<string>();
  readonly configurations = new Set<string>();

  /** The cases that a further profile can answer otherwise; of files that say a name at least the first case. */
  among({ id }: Configuration, cases: readonly Case[]): readonly Case[] {
    const found = cases.filter((one) => this.cases.has(one.id) || one.profiles !== undefined);
    return found.length === 0 && this.configurations.has(id) ? cases.slice(0, 1) : found;
  }
}

interface ProfileRun {
  readonly read: Read;
  /** Where products share processes. */
  readonly pool: ProductPool | undefined;
  readonly profile: ProfileName;
  readonly limit: Limit;
  readonly note: (result: CaseResult) => void;
  readonly differing: Differing;
  /** Only the cases that expect something else than in the profile before. */
  readonly isBrief: boolean;
}

async function runProfile(run: ProfileRun): Promise<void> {
  const { read, profile, note } = run;
  const configurations = CONFIGURATIONS.filter((one) => one.profiles?.includes(profile) !== false);
  await Promise.all(configurations.map(async (one) => runConfiguration({ ...run, configuration: one })));
  if (read.red || read.configuration !== undefined) return;
  for (const result of await sdkResults({ profile, entry: read.entry, ours: read.baseUrl === undefined })) {
    if (isWanted(read, result.id)) note(result);
  }
  for (const { id, title, reason } of NOT_RUN) {
    if (isWanted(read, id))
      note(skipped({ id, title, basis: '-', rows: [] }, '-', profile, 'not run', reason));
  }
}

/** Runs every case that the reference can run, release by release, and says where it differs. */
async function compareWith(read: Read, path: string, print: Cli['print']): Promise<number> {
  const startedAt = new Date();
  const all: Comparison[] = [];
  for (const signal of SIGNALS) process.on(signal, brokenOff);
  try {
    for (const version of read.versions) {
      const run = { read, path, version, print };
      all.push({
        version,
        ...(read.throughTap
          ? await compareAgain(await bothWays(run), async (only) =>
              bothWays({ ...run, read: { ...read, only } }),
            )
          : { results: await runAllOnReference({ ...run, throughTap: false }) }),
        skipped: CONFIGURATIONS.flatMap(({ id }) => {
          const skip = REFERENCE_SETUPS[id]?.skip;
          return skip === undefined ? [] : [[id, skip] as const];
        }),
      });
    }
  } finally {
    for (const signal of SIGNALS) process.off(signal, brokenOff);
  }
  if (read.json !== undefined) await writeJson(read.json, comparisonReport(startedAt, path, all));
  const { lines, open } = compared(all);
  for (const line of lines) print(line);
  return open === 0 ? 0 : 1;
}

interface AllOnReference {
  readonly read: Read;
  readonly path: string;
  readonly version: string;
  readonly throughTap: boolean;
  readonly print: Cli['print'];
}

async function bothWays(run: Omit<AllOnReference, 'throughTap'>): Promise<BothWays> {
  return {
    results: await runAllOnReference({ ...run, throughTap: false }),
    tapped: await runAllOnReference({ ...run, throughTap: true }),
  };
}

async function runAllOnReference({ print, ...run }: AllOnReference): Promise<readonly CaseResult[]> {
  const results: CaseResult[] = [];
  const limit = limitOf(run.read.jobs);
  const note = (result: CaseResult): void => {
    results.push(result);
    if (!run.read.quiet) print(lineOf(result));
  };
  await Promise.all(
    CONFIGURATIONS.filter(({ id }) => REFERENCE_SETUPS[id]?.skip === undefined).map(async (configuration) =>
      runOnReference({ ...run, configuration, limit, note }),
    ),
  );
  return results;
}

interface ReferenceRun
  extends Pick<ConfigurationRun, 'configuration' | 'limit' | 'note'>, Omit<AllOnReference, 'print'> {}

async function runOnReference({
  read,
  configuration,
  path,
  version,
  throughTap,
  limit,
  note,
}: ReferenceRun): Promise<void> {
  const profile = profileOf(version);
  const cases = configuration.cases.filter(
    (one) => isWanted(read, one.id) && one.profiles?.includes(profile) !== false && one.needsConsole !== true,
  );
  const done = new Set<string>();
  await runCases({
    configuration,
    cases,
    names: NAMES[profile],
    component: 'pubsub',
    appPort: 0,
    red: false,
    patienceMs: REFERENCE_PATIENCE_MS,
    readyMs: REFERENCE_READY_MS,
    isAlone,
    start: async ({ url, redis }) =>
      startReference({
        path,
        version,
        configuration,
        appUrl: url,
        throughTap,
        ...(redis === undefined ? {} : { redis }),
      }),
    done: (result) => {
      done.add(result.id);
      note(result);
    },
    notStarted: (all, reason) => {
      for (const one of all.filter(({ id }) => !done.has(id)))
        note(skipped(one, configuration.id, profile, 'failed', reason));
    },
    limit,
  });
}

interface ConfigurationRun extends ProfileRun {
  readonly configuration: Configuration;
}

async function runConfiguration({
  read,
  pool,
  configuration,
  profile,
  limit,
  note,
  differing,
  isBrief,
}: ConfigurationRun): Promise<void> {
  const { id, title, needs } = configuration;
  const all = configuration.cases.filter(
    (one) =>
      isWanted(read, one.id) &&
      one.profiles?.includes(profile) !== false &&
      !(read.brief && one.isLong === true) &&
      (read.isProfileGiven || !NAMES[profile].isNewer || one.rows.some((row) => OF_RELEASE.test(row))),
  );
  const cases = isBrief ? differing.among(configuration, all) : all;
  const isOurs = read.baseUrl === undefined;
  const wanted = read.configuration?.id ?? (isOurs ? id : 'base');
  if (wanted !== id) {
    const reason = `needs ${needs}: --configuration ${id}`;
    if (!isOurs) for (const one of cases) note(skipped(one, id, profile, 'not reachable', reason));
    return;
  }
  const missing = configuration.redis === undefined ? undefined : whyNoRedis();
  if (missing !== undefined) {
    for (const one of cases) note(skipped(one, id, profile, 'not run', missing));
    return;
  }
  try {
    await runCases({
      configuration,
      cases,
      names: NAMES[profile],
      component: 'pubsub',
      appPort: read.appPort,
      red: read.red,
      patienceMs: read.red ? RED_PATIENCE_MS : PATIENCE_MS,
      start: async (app) =>
        isOurs
          ? startOurs({ read, pool, configuration, profile }, app, () => differing.configurations.add(id))
          : attach(read, configuration),
      readsNames: (one) => differing.cases.add(one),
      done: note,
      limit,
    });
  } catch (error) {
    const reason = textOf(error);
    note({
      id: `(${id})`,
      title,
      basis: '-',
      rows: [],
      configuration: id,
      profile,
      result: 'failed',
      ms: 0,
      reason,
    });
  }
}

function skipped(
  one: Pick<CaseResult, 'id' | 'title' | 'basis' | 'rows'> | Case,
  configuration: string,
  profile: ProfileName,
  result: CaseResult['result'],
  reason: string,
): CaseResult {
  const { id, title, basis, rows } = one;
  return { id, title, basis, rows, configuration, profile, result, ms: 0, reason };
}

async function startOurs(
  {
    read,
    pool,
    configuration,
    profile,
  }: Pick<ConfigurationRun, 'read' | 'pool' | 'configuration' | 'profile'>,
  app: { readonly url: string; readonly secondUrl?: string; readonly redis?: RedisAddresses },
  readsNames: () => void,
): Promise<StartedSidecar> {
  return startProduct({
    configuration,
    names: watchedNames(NAMES[profile], readsNames),
    appUrl: app.url,
    ...(app.secondUrl === undefined ? {} : { secondUrl: app.secondUrl }),
    ...(app.redis === undefined ? {} : { redis: app.redis }),
    ...(read.entry === undefined ? {} : { entry: read.entry }),
    ...(pool === undefined ? {} : { pool }),
  });
}

/** A sidecar that was started elsewhere. */
async function attach(read: Read, configuration: Configuration): Promise<StartedSidecar> {
  const rpc = read.consoleRpc === undefined ? undefined : createConsole(read.consoleRpc, read.consoleToken);
  return Promise.resolve({
    url: read.baseUrl ?? '',
    appId: read.appId,
    component: 'pubsub',
    running: { maxAttempts: read.maxAttempts ?? configuration.maxAttempts },
    ...(rpc === undefined ? {} : { console: rpc }),
    lastWords: () => '(its log is not ours to read)',
    stop: async () => Promise.resolve(rpc?.close()),
  });
}

async function writeFolder(read: Read, folder: string, print: Cli['print']): Promise<number> {
  const { resources } = read.configuration ?? {};
  if (resources === undefined) {
    print('--write-resources needs --configuration with one that has a components folder');
    return 2;
  }
  const [profile = 'sidecar'] = read.profiles;
  const files = resources({ names: NAMES[profile], appUrl: `http://127.0.0.1:${read.appPort}` });
  await writeResources(folder, files);
  print(`${Object.keys(files).length} files in ${folder}`);
  return 0;
}

function listed(): readonly string[] {
  return CONFIGURATIONS.flatMap((configuration) => [
    `${configuration.id}: ${configuration.title} (needs: ${configuration.needs})`,
    ...configuration.cases.map(
      (one) => `  ${one.id.padEnd(5)} ${one.basis.padEnd(4)} ${one.title} [${one.rows.join(', ')}]`,
    ),
  ]);
}

function closing(read: Read, report: Report, print: Cli['print']): number {
  if (!read.red) {
    print(summaryOf(report));
    return report.totals.failed === 0 ? 0 : 1;
  }
  const spoilt = report.cases.filter((one) => one.spoil !== undefined);
  const red = spoilt.filter((one) => one.result === 'failed').length;
  const green = notRed(report.cases);
  const broken = report.totals.failed - red;
  for (const line of green) print(line);
  print(
    `conformance, spoilt: ${red} failed as they have to, ${green.length} did not, ${broken} could not be tried`,
  );
  return green.length + broken === 0 && red > 0 ? 0 : 1;
}
