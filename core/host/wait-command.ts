/**
 * `sidelight wait FILTER`: ends as soon as enough messages of a running instance match, or reports what there
 * was instead.
 */
import { systemClock } from '../adapters/system-clock.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { mistakeText } from '../domain/filter/meant.ts';
import { parseFilter } from '../domain/filter/parse.ts';
import { UsageError } from '../domain/usage-error.ts';
import { InstanceGone, RpcRefused } from '../scenario/rpc.ts';
import { describeMatched, describeWaited, nearestOf, waitFor } from '../scenario/wait.ts';
import type { Waited, WaitFor } from '../scenario/wait.ts';
import { connect, TokenRefused } from '../testing/connect.ts';
import { commandLine, countFlag, durationFlag, WHERE_FLAGS, WHERE_HELP } from './command-flags.ts';
import { wordHint } from './flag-hints.ts';
import { NoInstance, whereOf } from './running-instance.ts';

export const WAIT_FLAGS = {
  ...WHERE_FLAGS,
  count: { type: 'string' },
  timeout: { type: 'string' },
  since: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export const WAIT_HELP = `sidelight wait FILTER [flags]     wait until messages of a running instance match

  sidelight wait 'topic:orders state:processed'     FILTER is what you write into the filter field of the console

  --count N            wait for at least N messages (1)
  --timeout DURATION   longest time to wait, for example 500ms, 10s or 2m (10s)
  --since start|now    start counts all messages that are kept; now counts those that are accepted from now on (start)
  --json               print one JSON object: {matched, count, elapsedMs, items, meant?, nearest?}
${WHERE_HELP}

Exit status: 0 they matched, and stdout says which in one line; 1 they did not match in time, and stderr says what came instead; 2 a bad filter or flag;
3 no running instance was found, or it went away.
`;

export interface Streams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/**
 * Runs the command.
 * @param argv words after `wait`
 * @returns exit status 0, 1 or 3; throws UsageError for a bad filter or flag
 */
export async function waitCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  { out, err }: Streams,
): Promise<number> {
  const { values, positionals } = commandLine('wait', argv, WAIT_FLAGS);
  if (values.help === true) {
    out(WAIT_HELP);
    return 0;
  }
  const wanted = wantedOf(positionals.join(' '), values);
  try {
    const where = whereOf(values, env);
    const waited = await waitAt(where, wanted);
    if (values.json === true) out(`${JSON.stringify(inJson(waited))}\n`);
    if (where.chosen !== undefined) err(`sidelight: asked the running instance ${where.chosen}\n`);
    if (waited.matched) {
      if (values.json !== true) out(`${describeMatched(waited)}\n`);
      return 0;
    }
    err(`sidelight: ${describeWaited(wanted, waited).join('\n')}\n`);
    return 1;
  } catch (error) {
    if (error instanceof InstanceGone || error instanceof NoInstance) {
      err(`sidelight: ${error.message}\n`);
      return 3;
    }
    if (error instanceof TokenRefused || error instanceof RpcRefused)
      throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

async function waitAt(
  where: { readonly rpc: string; readonly token: string },
  wanted: WaitFor,
): Promise<Waited> {
  const rpc = await connect(where);
  try {
    return await waitFor({ rpc, clock: systemClock() }, wanted);
  } finally {
    rpc.close();
  }
}

function wantedOf(
  filter: string,
  given: { readonly count?: string; readonly timeout?: string; readonly since?: string },
): WaitFor {
  if (filter.trim() === '')
    throw new UsageError("wait needs a filter, for example: sidelight wait 'topic:orders state:processed'");
  const parsed = parseFilter(filter);
  if (!parsed.ok) throw new UsageError(`the filter cannot be read. ${mistakeText(filter, parsed.error)}`);
  const { since = 'start' } = given;
  if (since !== 'start' && since !== 'now')
    throw new UsageError(`--since must be start or now, got "${since}"${wordHint(since, ['start', 'now'])}`);
  return {
    filter,
    since,
    count: countFlag('--count', given.count ?? '1'),
    withinMs: durationFlag('--timeout', given.timeout ?? '10s'),
  };
}

function inJson({ matched, count, elapsedMs, items, instead, meant }: Waited): object {
  return {
    matched,
    count,
    elapsedMs,
    items,
    ...withoutUndefined({ meant }),
    ...(instead === undefined ? {} : { nearest: nearestOf(instead) }),
  };
}
