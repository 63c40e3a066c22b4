/** Runs a command beside the product. The exit status of the command becomes that of the whole. */
import type { ShutdownMode } from '../domain/shutdown-kind.ts';
import type { Product } from './compose.ts';
import { CommandProcess } from './command-process.ts';
import type { CommandFollower } from './command-process.ts';
import { startGroup } from './process-group.ts';
import type { OnLine } from './passed-output.ts';
import { onSignals } from './signals.ts';

const CHILD_GRACE_MS = 5_000;
/** Exit status after a second signal. */
const CUT_SHORT = 130;

export interface ChildCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The app to which the command belongs. */
  readonly appId: string;
  /** Says that the product is ready: called before the command starts, and once signals are heard. */
  readonly announce: () => void;
  /** Address of the app; absent: it has none. */
  readonly url?: string;
  /** Follows the command for the console, where it can be stopped and started again; absent: its output is not read. */
  readonly follower?: CommandFollower & { readonly onLine: OnLine };
}

/**
 * Runs the command. A signal is passed on to it; a second one kills it, and cuts the calls that the product waits for. Resolves with its
 * status, after all processes that it left have ended and the product has stopped; with 0 if a person had stopped it in the console. Throws
 * if the command cannot be started.
 */
export async function runChildCommand(
  product: Pick<Product, 'started' | 'onShutdown' | 'stop'>,
  { program, args, env, appId, url, announce, follower }: ChildCommand,
): Promise<number> {
  let killer: NodeJS.Timeout | undefined;
  const end = (signal: NodeJS.Signals): void => {
    command.end(signal);
    killer ??= setTimeout(() => command.end('SIGKILL'), CHILD_GRACE_MS);
  };
  let isHurried = false;
  // On a busy machine the command runs, and may be sent a signal, before its start returns here: a signal that nobody hears ends this process alone.
  const unheard = onSignals((signal, isAgain) => {
    isHurried ||= isAgain;
    end(isAgain ? 'SIGKILL' : signal);
  });
  announce();
  let pid: number | undefined;
  const command = startedOr(
    unheard,
    () =>
      new CommandProcess({
        appId,
        command: [program, ...args],
        url,
        start: () => startGroup(program, args, env, follower?.onLine),
        changed(process) {
          if (process.pid === pid) return;
          pid = process.pid;
          if (pid !== undefined) product.started([{ appId, pid }]);
        },
        follower,
      }),
  );
  let how: ShutdownMode = 'in-order';
  product.onShutdown((asked) => {
    how = asked;
    end(asked === 'at-once' ? 'SIGKILL' : 'SIGTERM');
  });
  let status: number;
  try {
    status = await command.over;
  } finally {
    clearTimeout(killer);
    await command.endLeft(CHILD_GRACE_MS);
    unheard();
    // A first signal may have come while the processes that the command left were ended.
    clearTimeout(killer);
    await product.stop(isHurried ? 'at-once' : how);
  }
  if (isHurried) return CUT_SHORT;
  return isForced(how) ? 1 : status;
}

/** The command that `start` gives; where it throws, signals are unheard again. */
function startedOr(unheard: () => void, start: () => CommandProcess): CommandProcess {
  try {
    return start();
  } catch (error) {
    unheard();
    throw error;
  }
}

/**
 * Whether a client forced the end. It is a function, because TypeScript does not see that a callback sets the
 * variable.
 */
function isForced(how: ShutdownMode): boolean {
  return how === 'at-once';
}
