/** Serves agents at `{console}/mcp`: their requests become calls of the console's methods in this process. */
import { systemClock } from '../adapters/system-clock.ts';
import type { TextPipe } from '../contract/rpc.ts';
import { answerOverHttp } from '../mcp/http.ts';
import { createAgentServer } from '../mcp/server.ts';
import type { ToolContext } from '../mcp/tool.ts';
import type { AskedByAgent } from '../ports/agents.ts';
import type { Log } from '../ports/log.ts';
import { PipeRpc, pipePair } from '../scenario/pipe-rpc.ts';
import { InstanceGone } from '../scenario/rpc.ts';
import type { Rpc } from '../scenario/rpc.ts';
import { scenarioRunner } from './agent-scenario.ts';

export interface AgentFacts {
  /** Serves the other end of the pipe as a console. */
  readonly attach: (pipe: TextPipe) => void;
  readonly log: Log;
  readonly version: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function agentHandler({ attach, log, version, env }: AgentFacts): AskedByAgent {
  const run = scenarioRunner({ mayRunPrograms: false, env });
  const runScenario: ToolContext['runScenario'] = (given, signal) => {
    log.write('info', 'console', 'run_scenario by an agent');
    return run(given, signal);
  };
  return async (question, signal) => {
    let rpc: Rpc | undefined;
    const open = (): Rpc => {
      const [own, other] = pipePair();
      const opened = new PipeRpc(own, () => new InstanceGone('the instance is ending'));
      attach(other);
      return opened;
    };
    const context: ToolContext = {
      rpc: () => Promise.resolve((rpc ??= open())),
      clock: systemClock(),
      runScenario,
    };
    const server = createAgentServer(context, version, (level, text) => log.write(level, 'console', text));
    try {
      return await answerOverHttp(server, question, signal);
    } finally {
      rpc?.close();
    }
  };
}
