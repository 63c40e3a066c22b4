/**
 * Finds the running instance that a command uses: by its flags, its environment, or the files of running
 * instances.
 */
import type { WhereFlags } from '../event-router/command/command.ts';
import { UsageError } from './flags.ts';
import { describeInstance, runningInstances, type FoundInstance } from './running-file.ts';

/** Error: no instance runs, or none at the given address. */
export class NoInstance extends Error {}

type Env = Readonly<Record<string, string | undefined>>;

export interface Where {
  readonly rpc: string;
  readonly token: string;
  /** The instance in words, if neither flags nor the environment named one. */
  readonly chosen?: string;
}

/**
 * Finds the instance. Throws UsageError for an incomplete or bad address and for several instances,
 * NoInstance if none runs.
 */
export function whereOf(flags: WhereFlags, env: Env): Where {
  // An empty variable is one that is not set, as in scripts that hand on what they have.
  const rpc = flags.rpc ?? (env['SIDELIGHT_RPC'] || undefined);
  const token = flags.token ?? (env['SIDELIGHT_TOKEN'] || undefined);
  if (rpc === undefined && token === undefined) {
    const first = found(flags['data-dir'], env);
    // Whoever named no instance may have meant another one.
    return flags['data-dir'] === undefined ? { ...first, chosen: describeInstance(first) } : first;
  }
  if (rpc === undefined || token === undefined)
    throw new UsageError('--rpc URL and --token T belong together (the ready line of the instance has both)');
  // A host and its port alone are an address too, whose scheme is the host.
  if (!URL.canParse(rpc) || !/^https?:$/.test(new URL(rpc).protocol))
    throw new UsageError(`--rpc must be an address such as http://127.0.0.1:3580/rpc, got "${rpc}"`);
  return { rpc, token };
}

function found(dataDir: string | undefined, env: Env): FoundInstance {
  const all = runningInstances(dataDir, env);
  const [first, ...others] = all;
  if (first === undefined)
    throw new NoInstance(
      `no running instance was found${dataDir === undefined ? '' : ` in ${dataDir}`}; start Sidelight, or give --data-dir, or --rpc and --token of its ready line`,
    );
  if (others.length > 0)
    throw new UsageError(
      ['several instances run; choose one:', ...all.map((each) => `  ${describeInstance(each)}`)].join('\n'),
    );
  return first;
}
