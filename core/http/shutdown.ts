/** `POST /v1.0/shutdown`. */
import type { FastifyInstance } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import { shutdownModeOf } from '../domain/shutdown-kind.ts';
import type { ShutdownMode } from '../domain/shutdown-kind.ts';
import { sendText } from './errors.ts';

/**
 * Registers the shutdown route. `shutdown` is called once the 204 is on its way. A web page of any origin is
 * refused, because it must not be able to stop the product. Behaviour 7.3.
 */
export function shutdownRoutes(
  app: FastifyInstance,
  shutdown: (how: ShutdownMode) => void,
  { brandWord }: Profile,
): void {
  app.post('/v1.0/shutdown', (request, reply) => {
    if (request.headers.origin !== undefined) {
      return sendText(reply, 403, 'shutdown is not open to web pages');
    }
    const how = shutdownModeOf(request.headers[`${brandWord}-force-shutdown`]);
    reply.raw.once('close', () => shutdown(how));
    return reply.code(204).header('connection', 'close').send();
  });
}
