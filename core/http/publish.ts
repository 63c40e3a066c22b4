/** `POST|PUT /v1.0/publish/{pubsubname}/{topic...}`: one message. */
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import type { PublishRequest, SidecarView } from '../runtime/api.ts';
import { badHost } from '../domain/http-edge.ts';
import { bodyOf } from './body.ts';
import { callerOf } from './caller.ts';
import type { RequestHead } from './caller.ts';
import { malformed } from './errors.ts';
import { metadataQuery, misplacedTtl } from './metadata-query.ts';
import { FIXED_SEGMENTS, topicPath } from './path.ts';
import { traceOf } from './trace.ts';

/** The body of a publish, with its headers. */
export interface GivenBody {
  readonly body: Buffer;
  /** Content type exactly as it was sent; undefined: none. */
  readonly contentType: string | undefined;
  readonly isBeginning: boolean;
}

/**
 * The publish of a request.
 * @param raw with its target cleaned. Throws Refusal ERR_MALFORMED_REQUEST.
 */
export function publishOf(
  raw: RequestHead,
  { body, contentType, isBeginning }: GivenBody,
  differences: Profile['differences'],
): Omit<PublishRequest, 'appId'> {
  // Publishes without the framework do not pass through its hooks, so the check is made here.
  const wrong = badHost(raw);
  if (wrong !== undefined) throw malformed(wrong);
  const target = raw.url ?? '/';
  const { pubsubname, topic } = topicPath(target, FIXED_SEGMENTS.publish);
  const misplaced = misplacedTtl(target);
  return {
    pubsubname,
    topic,
    body,
    ...(contentType === undefined ? {} : { contentType }),
    metadata: metadataQuery(target, differences),
    ...traceOf(raw),
    ...(isBeginning ? { isBeginning: true } : {}),
    ...(misplaced === undefined ? {} : { misplacedTtl: misplaced }),
    source: 'http',
    caller: callerOf(raw, contentType),
  };
}

/** Registers the routes of single publish. Interface "Publish a message"; behaviour 1. */
export function publishRoutes(app: FastifyInstance, sidecar: SidecarView, { differences }: Profile): void {
  const handler: RouteHandlerMethod = async (request, reply) => {
    const given = { contentType: request.givenContentType, isBeginning: request.isBeginning };
    await sidecar.publish(publishOf(request.raw, { body: bodyOf(request), ...given }, differences));
    return reply.code(204).send();
  };
  for (const url of ['/v1.0/publish', '/v1.0/publish/*']) {
    app.route({ method: ['POST', 'PUT'], url, config: { edge: 'publish', refusesTooLarge: true }, handler });
  }
}
