/** The suite's command line: usage and checks. */
import { parseArgs } from 'node:util';
import { CONFIGURATIONS } from './configurations.ts';
import type { Configuration } from './suite/configuration.ts';
import { APP_ID } from './suite/files.ts';
import { PROFILE_NAMES } from './suite/names.ts';
import type { ProfileName } from './suite/names.ts';
import { textOf } from './suite/text-of.ts';

export const USAGE = `Usage: npm run conformance -- [options]
  --base-url URL           test the sidecar at this address, which somebody started with --app-url
                           pointing at --app-port; without it, our own product is started as needed
  --app-port N             port on which the suite listens as the app (with --base-url)
  --configuration ID       how that sidecar was started (default: base); --list shows them all
  --console-rpc URL        RPC address of its console, with --console-token TOKEN
  --app-id ID              its app id (default: ${APP_ID})
  --max-attempts N         attempts of its retry policy (default: as the configuration says)
  --profile NAME           sidecar, dapr or dapr-1.18; default: all for our own product, of the last
                           one what releases do otherwise; sidecar for another
  --brief                  in the profiles after the first, only the cases that expect something else there,
                           and none that waits for more than two seconds
  --only 12,13b            only these cases (a number stands for all its letters)
  --json FILE              write the report as JSON; with --reference that of the comparison
  --reference PATH         compare with the real reference: an executable that is called as
                           PATH VERSION HTTP_PORT APP_PORT RESOURCES flags, serves gRPC on HTTP_PORT+1000,
                           and ends by SIGTERM; known differences are listed with their reasons
  --reference-version V    a release to compare with, repeatable (default: 1.13.6 and 1.18.3)
  --through-tap            with --reference: run everything once more through a tap and say where its table differs
  --red                    spoil what each case looks at: every case has to fail
  --jobs N                 products running at the same time (default 3; 1 with --base-url)
  --quiet                  print failures and the closing line only
  --entry FILE             start this script as the product
  --kept                   start products in processes that have run others, where no case looks at the process
  --write-resources DIR    write the components folder of --configuration for --app-port and end
  --list                   list configurations and cases and end`;

/** The arguments, checked. */
export interface Read {
  readonly baseUrl: string | undefined;
  readonly appPort: number;
  readonly configuration: Configuration | undefined;
  readonly consoleRpc: string | undefined;
  readonly consoleToken: string;
  readonly appId: string;
  readonly maxAttempts: number | undefined;
  readonly profiles: readonly ProfileName[];
  /** True if one profile was named: everything is run in it. */
  readonly isProfileGiven: boolean;
  /** In the profiles after the first, only the cases that expect something else there; none that waits for more than two seconds. */
  readonly brief: boolean;
  readonly only: readonly string[];
  readonly json: string | undefined;
  readonly red: boolean;
  readonly quiet: boolean;
  readonly jobs: number;
  readonly entry: string | undefined;
  /** Products share processes, one after the other, where no case looks at the process. */
  readonly kept: boolean;
  readonly writeResources: string | undefined;
  readonly reference: string | undefined;
  readonly versions: readonly string[];
  readonly throughTap: boolean;
  readonly list: boolean;
}

const TEXT = { type: 'string' } as const;
const FLAG = { type: 'boolean', default: false } as const;

/** Reads the command line; a text is what to print instead of running: the usage, or what is wrong. */
export function readArgs(args: readonly string[]): Read | string {
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
        brief: FLAG,
        quiet: FLAG,
        jobs: TEXT,
        entry: TEXT,
        kept: FLAG,
        'write-resources': TEXT,
        reference: TEXT,
        'reference-version': { type: 'string', multiple: true },
        'through-tap': FLAG,
        list: FLAG,
        help: FLAG,
      },
    }));
  } catch (error) {
    return textOf(error);
  }
  if (values.help) return USAGE;
  const profile = PROFILE_NAMES.find((name) => name === values.profile);
  if (values.profile !== undefined && profile === undefined)
    return `--profile: expected ${PROFILE_NAMES.join(', ')}`;
  const configuration = CONFIGURATIONS.find((one) => one.id === values.configuration);
  if (values.configuration !== undefined && configuration === undefined) {
    return `--configuration: expected one of ${CONFIGURATIONS.map((one) => one.id).join(', ')}`;
  }
  const appPort = Number(values['app-port'] ?? 0);
  if (!Number.isInteger(appPort) || appPort < 0 || appPort > 65_535) return '--app-port: expected 0 to 65535';
  const baseUrl = values['base-url']?.replace(/\/+$/, '');
  if (baseUrl !== undefined && !URL.canParse(baseUrl)) return '--base-url: expected an address';
  if (baseUrl !== undefined && appPort === 0) return '--base-url needs --app-port';
  const jobs = baseUrl === undefined ? Number(values.jobs ?? 3) : 1;
  if (!Number.isInteger(jobs) || jobs < 1) return '--jobs: expected 1 or more';
  const versions = values['reference-version'] ?? ['1.13.6', '1.18.3'];
  if (!versions.every((version) => /^\d+\.\d+\.\d+$/.test(version)))
    return '--reference-version: expected a release such as 1.18.3';
  if (values.reference !== undefined && (baseUrl !== undefined || values.red))
    return '--reference goes with neither --base-url nor --red';
  if (values['through-tap'] && values.reference === undefined) return '--through-tap needs --reference';
  return {
    baseUrl,
    appPort,
    jobs,
    configuration,
    consoleRpc: values['console-rpc'],
    consoleToken: values['console-token'] ?? '',
    appId: values['app-id'] ?? APP_ID,
    maxAttempts: values['max-attempts'] === undefined ? undefined : Number(values['max-attempts']),
    isProfileGiven: profile !== undefined || baseUrl !== undefined,
    profiles: profile !== undefined ? [profile] : baseUrl === undefined ? PROFILE_NAMES : ['sidecar'],
    only: (values.only ?? '').split(',').filter((id) => id !== ''),
    json: values.json,
    red: values.red,
    brief: values.brief,
    quiet: values.quiet,
    entry: values.entry,
    kept: values.kept,
    writeResources: values['write-resources'],
    reference: values.reference,
    versions,
    throughTap: values['through-tap'],
    list: values.list,
  };
}
