/** Serves the protocol on stdin and stdout, which carry nothing else. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { AgentServer } from './server.ts';

/** Resolves when the client has closed stdin, or `signal` is aborted. */
export async function serveStdio(server: AgentServer, signal: AbortSignal): Promise<void> {
  await server.connect(new StdioServerTransport());
  await new Promise<void>((resolve) => {
    process.stdin.once('end', () => resolve());
    process.stdin.once('close', () => resolve());
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
}
