/**
 * Bounds the large answers of a sidecar, such as its metadata or the report of a bulk publish: a client that reads none of them may ask for
 * hundreds in one packet. They count in the room for request bodies until they have gone, and the next request of the connection waits for that.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import { LARGE_ANSWER_BYTES } from '../domain/http-edge.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import { Refusal } from '../domain/refusal.ts';
import { errorBody } from './errors.ts';

/** Bytes of an answer, if it is large; 0: it is not. */
export function largeBytes(payload: unknown): number {
  const bytes = Buffer.isBuffer(payload) ? payload.length : 0;
  return bytes >= LARGE_ANSWER_BYTES ? bytes : 0;
}

/**
 * Counts large answers. Without room the answer to a question is replaced by an error that names the limit. The answer to an act is sent in
 * any case, one of a connection at a time: a client that reads an error instead would do the act again.
 */
export function boundLargeAnswers(app: FastifyInstance, bodies: BodyCount, profile: Profile): void {
  app.addHook('onSend', (request, reply, payload: unknown, done) => {
    const bytes = largeBytes(payload);
    if (bytes === 0) return done(null, payload);
    const noRoom = bodies.take(bytes);
    if (noRoom === undefined) whenGone(request, reply, () => bodies.free(bytes));
    if (noRoom === undefined || request.method !== 'GET') return done(null, payload);
    const { status, body } = errorBody(
      new Refusal('ERR_ANSWER_NO_ROOM', { reason: noRoom }),
      profile,
      'other',
    );
    void reply.code(status).removeHeader('content-length');
    return done(null, Buffer.from(JSON.stringify(body)));
  });
}

/** Calls `act` once when an answer has gone to its client, or its connection has ended. */
export function whenGone(request: FastifyRequest, reply: FastifyReply, act: () => void): void {
  const { socket } = request.raw;
  if (socket.destroyed) return act();
  let isGone = false;
  const gone = (): void => {
    // One of the two events may be emitted while the listeners of the other are being called.
    if (isGone) return;
    isGone = true;
    reply.raw.off('close', gone);
    socket.off('close', gone);
    act();
  };
  // An answer that waits behind another one does not hear of the end of its connection.
  reply.raw.on('close', gone);
  socket.on('close', gone);
}
