/** `sidelight mcp`: the tools for agents on stdin and stdout, over an instance that runs or one of its own. */
import { systemClock } from '../adapters/system-clock.ts';
import { UsageError } from '../domain/usage-error.ts';
import { createAgentServer } from '../mcp/server.ts';
import { serveStdio } from '../mcp/stdio.ts';
import { InstanceGone } from '../scenario/rpc.ts';
import type { Rpc } from '../scenario/rpc.ts';
import { connect, TokenRefused } from '../testing/connect.ts';
import type { Address } from '../testing/connect.ts';
import { scenarioRunner } from './agent-scenario.ts';
import { commandLine, WHERE_FLAGS } from './command-flags.ts';
import { startProduct } from './compose.ts';
import type { Product } from './compose.ts';
import { readOptions } from './options.ts';
import { NoInstance, whereOf } from './running-instance.ts';
import { productVersion } from './version.ts';

const FLAGS = { ...WHERE_FLAGS, help: { type: 'boolean' } } as const;

export const MCP_HELP = `sidelight mcp [flags]     tools for coding agents: the Model Context Protocol on stdin and stdout

  --data-dir DIR       the folder of the instance; without it the one that runs is found
  --rpc URL            the address of the ready line's "rpc"; else SIDELIGHT_RPC
  --token T            its "token"; else SIDELIGHT_TOKEN

Without a running instance the first tool that is called starts one that keeps nothing, on free ports. A running instance
serves the same tools at {console}/mcp, with its token. Logs go to stderr. Exit status: 0 the agent hung up; 2 a bad flag,
or several instances run.
`;

type Env = Readonly<Record<string, string | undefined>>;

export interface McpStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/**
 * @param argv what follows the word `mcp`
 * @param signal told when somebody ends the command
 * @returns exit status 0; throws UsageError for a bad flag, and when several instances run
 */
export async function mcpCommand(
  argv: readonly string[],
  env: Env,
  { out, err }: McpStreams,
  signal: AbortSignal,
): Promise<number> {
  const { values, positionals } = commandLine('mcp', argv, FLAGS);
  if (values.help === true) {
    out(MCP_HELP);
    return 0;
  }
  if (positionals.length > 0)
    throw new UsageError(`unexpected "${positionals[0]}" (sidelight mcp --help lists the flags)`);
  const say = (text: string): void => err(`sidelight: ${text}\n`);
  const instances = new Instances(() => found(values, env), env, say);
  // A mistake in the flags is told before an agent waits for anything.
  instances.look();
  const context = {
    rpc: () => instances.rpc(),
    clock: systemClock(),
    runScenario: scenarioRunner({ mayRunPrograms: true, env }),
  };
  try {
    await serveStdio(
      createAgentServer(context, productVersion(), (_level, text) => say(text)),
      signal,
    );
  } finally {
    await instances.close();
  }
  return 0;
}

/** undefined: none runs. */
function found(flags: Parameters<typeof whereOf>[0], env: Env): Address | undefined {
  try {
    return whereOf(flags, env);
  } catch (error) {
    if (error instanceof NoInstance) return undefined;
    throw error;
  }
}

/** The instance that tools ask: looked for when the first one is called, and again after it went away. */
class Instances {
  readonly #find: () => Address | undefined;
  readonly #env: Env;
  readonly #say: (text: string) => void;
  #current: Promise<Rpc> | undefined;
  #own: Product | undefined;

  constructor(find: () => Address | undefined, env: Env, say: (text: string) => void) {
    this.#find = find;
    this.#env = env;
    this.#say = say;
  }

  /** Throws UsageError. */
  look(): void {
    this.#find();
  }

  /** Rejects with InstanceGone when nothing answers, or does not let the token in. */
  rpc(): Promise<Rpc> {
    this.#current ??= this.#open();
    return this.#current;
  }

  async #open(): Promise<Rpc> {
    try {
      const at = this.#own?.ready ?? this.#find() ?? (await this.#start());
      const rpc = await connect(at, 'agent');
      void rpc.ended.then(() => (this.#current = undefined));
      return rpc;
    } catch (error) {
      this.#current = undefined;
      if (error instanceof TokenRefused || error instanceof UsageError)
        throw new InstanceGone(error.message, { cause: error });
      throw error;
    }
  }

  async #start(): Promise<Address> {
    const ports = ['--sidecar-port', '--grpc-port', '--app-port', '--console-port'].flatMap((flag) => [
      flag,
      '0',
    ]);
    const router = ['router', 'ingress'].flatMap((part) => [
      '--set',
      `eventRouter.listen.${part}=localhost:0`,
    ]);
    const flags = ['--headless', '--ephemeral', ...ports, ...router, '--log-level', 'warn'];
    const own = await startProduct(readOptions(flags, this.#env));
    this.#own = own;
    this.#say(
      `no instance runs, so one that keeps nothing was started; its console, once: ${own.ready.open}`,
    );
    return own.ready;
  }

  async close(): Promise<void> {
    const current = await this.#current?.catch(() => undefined);
    current?.close();
    await this.#own?.stop();
  }
}
