/** Every path and verb that is no route of the sidecar. */
import type { FastifyInstance } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import { sendJson, shortAnswer } from './errors.ts';

/** Unknown path or wrong verb: 404 as service invocation would answer, never 405. Behaviour 1.7. */
export function fallbackRoutes(app: FastifyInstance, profile: Profile): void {
  app.setNotFoundHandler((_request, reply) =>
    sendJson(reply, shortAnswer('ERR_DIRECT_INVOKE', profile, 'other')),
  );
}
