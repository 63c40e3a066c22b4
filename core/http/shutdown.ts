/** `POST /v1.0/shutdown`. */
import type { FastifyInstance } from 'fastify';
import { forceShutdownHeader, isForce } from '../contract/profile.ts';
import type { Profile } from '../contract/profile.ts';
import { sendText } from './errors.ts';

/**
 * Shutdown route. `shutdown` is called once the 204 is on its way; forced, with the profile's header: nothing is waited for.
 * A web page of any origin is refused: it must not be able to stop the product. Behaviour 7.3.
 */
export function shutdownRoutes(
  app: FastifyInstance,
  profile: Profile,
  shutdown: (isForced: boolean) => void,
): void {
  app.post('/v1.0/shutdown', (request, reply) => {
    if (request.headers.origin !== undefined) {
      return sendText(reply, 403, 'shutdown is not open to web pages');
    }
    const force = request.headers[forceShutdownHeader(profile)];
    reply.raw.once('close', () => shutdown(isForce(Array.isArray(force) ? force[0] : force)));
    return reply.code(204).header('connection', 'close').send();
  });
}
