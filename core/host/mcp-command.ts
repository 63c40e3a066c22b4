/** `sidelight mcp`: the tools for agents on stdin and stdout, for a running instance or one of its own. */
import { systemClock } from '../adapters/system-clock.ts';
import { UsageError } from '../domain/usage-error.ts';
import { createAgentServer } from '../mcp/server.ts';
import { serveStdio } from '../mcp/stdio.ts';
import type { Address } from '../testing/connect.ts';
import { AgentInstances } from './agent-instances.ts';
import { scenarioRunner } from './agent-scenario.ts';
import { commandLine, WHERE_FLAGS, WHERE_HELP } from './command-flags.ts';
import { NoInstance, whereOf } from './running-instance.ts';
import { productVersion } from './version.ts';

export const MCP_FLAGS = { ...WHERE_FLAGS, help: { type: 'boolean' } } as const;

export const MCP_HELP = `sidelight mcp [flags]     tools for coding agents: the Model Context Protocol on stdin and stdout

${WHERE_HELP}

Where no instance runs, the first call of a tool starts one on free ports that keeps nothing. A running instance
serves the same tools at {console}/mcp, with its token. Logs go to stderr. Exit status: 0 the agent ended; 2 a bad flag,
or several instances run.
`;

type Env = Readonly<Record<string, string | undefined>>;

export interface McpStreams {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
}

/**
 * Runs the command.
 * @param argv words after `mcp`
 * @param signal aborted when the command should end
 * @returns exit status 0; throws UsageError for a bad flag, and when several instances run
 */
export async function mcpCommand(
  argv: readonly string[],
  env: Env,
  { out, err }: McpStreams,
  signal: AbortSignal,
): Promise<number> {
  const { values, positionals } = commandLine('mcp', argv, MCP_FLAGS);
  if (values.help === true) {
    out(MCP_HELP);
    return 0;
  }
  if (positionals.length > 0)
    throw new UsageError(`unexpected "${positionals[0]}" (sidelight mcp --help lists the flags)`);
  const print = (text: string): void => err(`sidelight: ${text}\n`);
  const instances = new AgentInstances(() => found(values, env), env, print);
  // A mistake in the flags is reported before an agent waits for an answer.
  instances.look();
  const context = {
    rpc: () => instances.rpc(),
    clock: systemClock(),
    runScenario: scenarioRunner({ mayRunPrograms: true, env }),
  };
  try {
    await serveStdio(
      createAgentServer(context, productVersion(), (_level, text) => print(text)),
      signal,
    );
  } finally {
    await instances.close();
  }
  return 0;
}

/** The running instance; undefined: none runs. */
function found(flags: Parameters<typeof whereOf>[0], env: Env): Address | undefined {
  try {
    return whereOf(flags, env);
  } catch (error) {
    if (error instanceof NoInstance) return undefined;
    throw error;
  }
}
