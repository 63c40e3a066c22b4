/** Streamable HTTP without sessions: each request has its own server, and the answer is one JSON text. */
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { AgentAnswer, AgentQuestion } from '../ports/agents.ts';
import type { AgentServer } from './server.ts';

/**
 * Answers a request.
 * @param signal aborted when the client no longer waits; running work then ends
 */
export async function answerOverHttp(
  server: AgentServer,
  { headers, body }: AgentQuestion,
  signal: AbortSignal,
): Promise<AgentAnswer> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const hungUp = new Promise<undefined>((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  try {
    await server.connect(transport);
    const request = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body });
    const answer = await Promise.race([transport.handleRequest(request), hungUp]);
    if (answer === undefined) return { status: 408, headers: {}, body: '' };
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  } finally {
    await server.close();
  }
}
