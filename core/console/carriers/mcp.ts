/** `POST /mcp`: passes requests of agents to the part that speaks their protocol. */
import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../domain/refusal.ts';
import type { AskedByAgent } from '../../ports/agents.ts';
import { tooManyMembers, tooManyValues } from '../request-values.ts';
import { sendRefusal } from './http.ts';

/** Headers that are part of the protocol; no other one is handed on. */
const OWN_HEADERS = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-session-id'];

export function addAgentRoute(app: FastifyInstance, ask: AskedByAgent): void {
  app.post('/mcp', async (request, reply) => {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    reply.raw.once('close', leave);
    const headers = Object.fromEntries(
      OWN_HEADERS.flatMap((name) => {
        const value = request.headers[name];
        return typeof value === 'string' ? [[name, value]] : [];
      }),
    );
    const body = typeof request.body === 'string' ? request.body : '';
    const tooMany = tooManyValues(body) ?? tooManyMembers(body);
    if (tooMany !== undefined) return sendRefusal(reply, 413, tooMany);
    const answer = await ask({ headers, body }, gone.signal);
    reply.raw.removeListener('close', leave);
    return reply
      .code(answer.status)
      .headers(answer.headers)
      .header('Cache-Control', 'no-store')
      .send(answer.body);
  });
  // The protocol is served without sessions, so nothing can be pushed (GET) or ended (DELETE).
  app.route({
    method: ['GET', 'DELETE'],
    url: '/mcp',
    handler: (_request, reply) => {
      const refusal = new Refusal('INVALID_REQUEST', { reason: 'agents ask with POST' });
      return sendRefusal(reply.header('Allow', 'POST'), 405, refusal);
    },
  });
}
