/** `POST /rpc`: one request or a batch per HTTP request; nothing can be pushed. */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { AnswerRoom } from '../../contract/rpc.ts';
import type { Refusal } from '../../domain/refusal.ts';
import { plainError } from '../rpc-error.ts';
import type { UnreadAnswers } from './unread-answers.ts';

export type Answer = (text: string, signal: AbortSignal, room: AnswerRoom) => Promise<string | undefined>;

/** JSON-RPC errors are HTTP 200; a request that holds only notifications is answered 204. */
export function addRpcRoute(app: FastifyInstance, answer: Answer, unread: UnreadAnswers): void {
  app.post('/rpc', async (request, reply) => {
    const gone = new AbortController();
    const leave = (): void => gone.abort();
    reply.raw.once('close', leave);
    const body = typeof request.body === 'string' ? request.body : '';
    const room = unread.roomOf({ isGone: () => gone.signal.aborted });
    const text = await answer(body, gone.signal, room);
    reply.raw.removeListener('close', leave);
    reply.header('Cache-Control', 'no-store');
    if (text === undefined) return reply.code(204).send();
    return reply.type('application/json; charset=utf-8').send(text);
  });
}

/** A refusal of the carrier itself, in the shape of a JSON-RPC error. */
export function sendRefusal(reply: FastifyReply, status: number, refusal: Refusal): FastifyReply {
  return reply
    .code(status)
    .header('Cache-Control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(refusalText(refusal));
}

/** The JSON-RPC error of a carrier, which answers no call. */
export function refusalText(refusal: Refusal): string {
  return JSON.stringify({ jsonrpc: '2.0', id: null, error: plainError(refusal) });
}
