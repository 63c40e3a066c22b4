/** The command line of the conformance suite. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { CONFIGURATIONS, NOT_RUN } from './configurations.ts';
import { createConsole, startProduct, writeResources } from './driver.ts';
import type { Case } from './suite/case.ts';
import type { Configuration } from './suite/configuration.ts';
import { APP_ID } from './suite/files.ts';
import { NAMES, PROFILE_NAMES } from './suite/names.ts';
import type { ProfileName } from './suite/names.ts';
import { lineOf, notRed, reportOf, summaryOf } from './suite/report.ts';
import type { CaseResult, Report } from './suite/report.ts';
import { runCases } from './suite/run.ts';
import type { StartedSidecar } from './suite/run.ts';
import { sdkResults } from './sdk.ts';

export const USAGE = `Usage: npm run conformance -- [options]
  --base-url URL           test the sidecar at this address, which somebody started with --app-url
                           pointing at --app-port; without it, our own product is started as needed
  --app-port N             port on which the suite listens as the app (with --base-url)
  --configuration ID       how that sidecar was started (default: base); --list shows them all
  --console-rpc URL        RPC address of its console, with --console-token TOKEN
  --app-id ID              its app id (default: ${APP_ID})
  --max-attempts N         attempts of its retry policy (default: as the configuration says)
  --profile sidecar|dapr   default: both for our own product, sidecar for another
  --only 12,13b            only these cases (a number stands for all its letters)
  --json FILE              write the report as JSON
  --red                    spoil what each case looks at: every case has to fail
  --quiet                  print failures and the closing line only
  --entry FILE             start this script as the product
  --write-resources DIR    write the components folder of --configuration for --app-port and end
  --list                   list configurations and cases and end`;

export interface Cli {
  readonly print: (line: string) => void;
}

const PATIENCE_MS = 15_000;
const RED_PATIENCE_MS = 1_500;

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
  const startedAt = new Date();
  const results: CaseResult[] = [];
  const note = (result: CaseResult): void => {
    results.push(result);
    const isAsWanted = read.red ? result.result === 'failed' : result.result !== 'failed';
    if (!read.quiet || !isAsWanted) print(lineOf(result));
  };
  for (const profile of read.profiles) await runProfile(read, profile, note);
  const target = read.baseUrl ?? 'our own product, headless';
  const report = reportOf(startedAt, target, results);
  if (read.json !== undefined) await writeFile(read.json, `${JSON.stringify(report, null, 2)}\n`);
  return closing(read, report, print);
}

interface Read {
  readonly baseUrl: string | undefined;
  readonly appPort: number;
  readonly configuration: Configuration | undefined;
  readonly consoleRpc: string | undefined;
  readonly consoleToken: string;
  readonly appId: string;
  readonly maxAttempts: number | undefined;
  readonly profiles: readonly ProfileName[];
  readonly only: readonly string[];
  readonly json: string | undefined;
  readonly red: boolean;
  readonly quiet: boolean;
  readonly entry: string | undefined;
  readonly writeResources: string | undefined;
  readonly list: boolean;
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

function readArgs(args: readonly string[]): Read | string {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        'base-url': TEXT,
        'app-port': TEXT,
        configuration: TEXT,
        'console-rpc': TEXT,
        'console-token': TEXT,
        'app-id': TEXT,
        'max-attempts': TEXT,
        profile: TEXT,
        only: TEXT,
        json: TEXT,
        red: FLAG,
        quiet: FLAG,
        entry: TEXT,
        'write-resources': TEXT,
        list: FLAG,
        help: FLAG,
      },
    }));
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  if (values.help) return USAGE;
  const profile = PROFILE_NAMES.find((name) => name === values.profile);
  if (values.profile !== undefined && profile === undefined) return '--profile: expected sidecar or dapr';
  const configuration = CONFIGURATIONS.find((one) => one.id === values.configuration);
  if (values.configuration !== undefined && configuration === undefined) {
    return `--configuration: expected one of ${CONFIGURATIONS.map((one) => one.id).join(', ')}`;
  }
  const appPort = Number(values['app-port'] ?? 0);
  if (!Number.isInteger(appPort) || appPort < 0 || appPort > 65_535) return '--app-port: expected 0 to 65535';
  const baseUrl = values['base-url']?.replace(/\/+$/, '');
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) return '--base-url: expected an address';
  if (baseUrl !== undefined && appPort === 0) return '--base-url needs --app-port';
  return {
    baseUrl,
    appPort,
    configuration,
    consoleRpc: values['console-rpc'],
    consoleToken: values['console-token'] ?? '',
    appId: values['app-id'] ?? APP_ID,
    maxAttempts: values['max-attempts'] === undefined ? undefined : Number(values['max-attempts']),
    profiles: profile !== undefined ? [profile] : baseUrl === undefined ? PROFILE_NAMES : ['sidecar'],
    only: (values.only ?? '').split(',').filter((id) => id !== ''),
    json: values.json,
    red: values.red,
    quiet: values.quiet,
    entry: values.entry,
    writeResources: values['write-resources'],
    list: values.list,
  };
}

function isWanted(read: Read, id: string): boolean {
  if (read.only.length === 0) return true;
  return read.only.some((only) => only === id || id.replace(/[a-z]+$/, '') === only);
}

async function runProfile(
  read: Read,
  profile: ProfileName,
  note: (result: CaseResult) => void,
): Promise<void> {
  const names = NAMES[profile];
  const reachable =
    read.baseUrl === undefined
      ? CONFIGURATIONS.filter((one) => read.configuration === undefined || read.configuration === one)
      : CONFIGURATIONS.filter((one) => one.id === (read.configuration?.id ?? 'base'));
  for (const configuration of CONFIGURATIONS) {
    if (configuration.profiles?.includes(profile) === false) continue;
    const cases = configuration.cases.filter(
      (one) => isWanted(read, one.id) && one.profiles?.includes(profile) !== false,
    );
    if (!reachable.includes(configuration)) {
      if (read.baseUrl === undefined) continue;
      const reason = `needs ${configuration.needs}: --configuration ${configuration.id}`;
      for (const one of cases) note(skipped(one, configuration.id, profile, 'not reachable', reason));
      continue;
    }
    try {
      await runCases({
        configuration,
        cases,
        names,
        component: 'pubsub',
        appPort: read.appPort,
        red: read.red,
        patienceMs: read.red ? RED_PATIENCE_MS : PATIENCE_MS,
        start: async (app) =>
          read.baseUrl === undefined
            ? startOurs(read, configuration, profile, app)
            : attach(read, configuration),
        done: note,
      });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const id = `(${configuration.id})`;
      note({
        id,
        title: configuration.title,
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
  if (read.red || read.configuration !== undefined) return;
  for (const result of await sdkResults({ profile, entry: read.entry, ours: read.baseUrl === undefined })) {
    if (isWanted(read, result.id)) note(result);
  }
  for (const { id, title, reason } of NOT_RUN) {
    if (isWanted(read, id))
      note(skipped({ id, title, basis: '-', rows: [] }, '-', profile, 'not run', reason));
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
  read: Read,
  configuration: Configuration,
  profile: ProfileName,
  app: { readonly url: string; readonly secondUrl?: string },
): Promise<StartedSidecar> {
  return startProduct({
    configuration,
    names: NAMES[profile],
    appUrl: app.url,
    ...(app.secondUrl === undefined ? {} : { secondUrl: app.secondUrl }),
    ...(read.entry === undefined ? {} : { entry: read.entry }),
  });
}

/** A sidecar that somebody else started. */
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
