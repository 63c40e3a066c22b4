/** Handles every path and verb without a route. */
import type { FastifyInstance } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import { sendJson, shortAnswer } from './errors.ts';

/** Answers an unknown path or wrong verb with 404, as service invocation would, never 405. Behaviour 1.7. */
export function answerUnknownRoutes(app: FastifyInstance, profile: Profile): void {
  app.setNotFoundHandler((_request, reply) =>
    sendJson(reply, shortAnswer('ERR_DIRECT_INVOKE', profile, 'other')),
  );
}
