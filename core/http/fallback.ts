/** Handles every path and verb without a route. */
import type { FastifyInstance } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import { otherCall } from '../domain/other-blocks.ts';
import { sendJson, shortAnswer } from './errors.ts';
import type { RefusedRequest } from './errors.ts';
import { pathOf } from './path.ts';

/** Methods of a publish. */
const PUBLISHES: ReadonlySet<string> = new Set(['POST', 'PUT']);

/** A path of publishes, also one whose version is wrong or missing; not that of a method which an app calls `publish`. */
const MEANT_AS_PUBLISH = /^(?:\/[^/]*)?\/publish(?:\/|$)/;

/**
 * Answers an unknown path or wrong verb with 404, as service invocation would, never 405. Behaviour 1.7.
 * @param refused receives each that was meant as a publish, or for a block that Sidelight does not serve
 */
export function answerUnknownRoutes(
  app: FastifyInstance,
  profile: Profile,
  refused: (info: RefusedRequest) => void,
): void {
  app.setNotFoundHandler((request, reply) => {
    const answer = shortAnswer('ERR_DIRECT_INVOKE', profile, 'other');
    const { method } = request;
    const path = pathOf(request.raw.url ?? '/');
    if (PUBLISHES.has(method) && MEANT_AS_PUBLISH.test(path)) {
      const refusal = { code: 'ERR_DIRECT_INVOKE', params: {} } as const;
      refused({ method, path, status: answer.status, reason: 'the sidecar has no such path', refusal });
      return sendJson(reply, answer);
    }
    const target = request.headers[profile.appIdHeader];
    const other = otherCall(path, typeof target === 'string' ? target : undefined, profile.appIdHeader);
    if (other !== undefined) {
      const reason = `Sidelight does not serve ${other.block}`;
      refused({ method, path: other.path, status: answer.status, reason });
    }
    return sendJson(reply, answer);
  });
}
