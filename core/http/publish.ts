/** `POST|PUT /v1.0/publish/{pubsubname}/{topic...}`: one message. */
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import type { SidecarView } from '../runtime/api.ts';
import { bodyOf } from './body.ts';
import { callerOf } from './caller.ts';
import { metadataQuery } from './metadata-query.ts';
import { FIXED_SEGMENTS, topicPath } from './path.ts';
import { traceOf } from './trace.ts';

/** Routes of single publish. Interface "Publish a message"; behaviour 1. */
export function publishRoutes(app: FastifyInstance, sidecar: SidecarView, { differences }: Profile): void {
  const handler: RouteHandlerMethod = async (request, reply) => {
    const target = request.raw.url ?? '/';
    const { pubsubname, topic } = topicPath(target, FIXED_SEGMENTS.publish);
    await sidecar.publish({
      pubsubname,
      topic,
      body: bodyOf(request),
      ...(request.givenContentType === undefined ? {} : { contentType: request.givenContentType }),
      metadata: metadataQuery(target, differences),
      ...traceOf(request),
      ...(request.isBeginning ? { isBeginning: true } : {}),
      source: 'http',
      caller: callerOf(request),
    });
    return reply.code(204).send();
  };
  for (const url of ['/v1.0/publish', '/v1.0/publish/*']) {
    app.route({ method: ['POST', 'PUT'], url, config: { edge: 'publish', refusesTooLarge: true }, handler });
  }
}
