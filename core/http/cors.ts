/** Lets web pages of allowed origins read answers, and answers their preflights. */
import type { FastifyInstance } from 'fastify';
import type { Differences } from '../contract/profile.ts';

/**
 * Adds the headers. It must be added after the hook that refuses foreign origins: every `Origin` that arrives
 * here is allowed.
 */
export function allowPages(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin } = request.headers;
    if (origin !== undefined)
      void reply.header('access-control-allow-origin', origin).header('vary', 'Origin');
    done();
  });
}

/**
 * Answers every preflight with 200; one that asks for too much gets no permission. It is added before or
 * after the check of the token.
 */
export function answerPreflights(app: FastifyInstance, { methods, headers }: Differences['preflight']): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { origin, 'access-control-request-method': method } = request.headers;
    if (request.method !== 'OPTIONS' || origin === undefined || method === undefined) {
      done();
      return;
    }
    const asked = request.headers['access-control-request-headers'] ?? '';
    const names = asked.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim().toLowerCase()]));
    const may =
      methods.includes(method) && names.every((name) => headers === 'any' || headers.includes(name));
    if (may) void reply.header('access-control-allow-methods', method);
    if (may && names.length > 0) void reply.header('access-control-allow-headers', asked);
    void reply.code(200).send();
  });
}
