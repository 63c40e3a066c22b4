/** `POST /v1.0/shutdown`. */
import type { FastifyInstance } from 'fastify';
import { sendText } from './errors.ts';

/**
 * Shutdown route. `shutdown` is called once the 204 is on its way.
 * A web page of any origin is refused: it must not be able to stop the product. Behaviour 7.3.
 */
export function shutdownRoutes(app: FastifyInstance, shutdown: () => void): void {
  app.post('/v1.0/shutdown', (request, reply) => {
    if (request.headers.origin !== undefined) {
      return sendText(reply, 403, 'shutdown is not open to web pages');
    }
    reply.raw.once('close', shutdown);
    return reply.code(204).header('connection', 'close').send();
  });
}
