/** `POST|PUT /v1.0-alpha1/publish/bulk/{pubsubname}/{topic...}`, and the stable path without `-alpha1`: several messages to one topic. */
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import { bulkTypeFlags } from '../domain/bulk-publish.ts';
import type { SidecarView } from '../runtime/api.ts';
import { bodyOf } from './body.ts';
import { callerOf } from './caller.ts';
import { reportBody, sendJson } from './errors.ts';
import { metadataQuery, misplacedTtl } from './metadata-query.ts';
import { FIXED_SEGMENTS, topicPath } from './path.ts';
import { traceOf } from './trace.ts';

/** Registers the routes of bulk publish. Interface "Publish multiple messages"; behaviour 3. */
export function bulkPublishRoutes(
  app: FastifyInstance,
  sidecar: SidecarView,
  { differences }: Profile,
): void {
  const handler: RouteHandlerMethod = async (request, reply) => {
    const target = request.raw.url ?? '/';
    const { pubsubname, topic } = topicPath(target, FIXED_SEGMENTS.bulk);
    const flags = bulkTypeFlags(request.givenContentType);
    const misplaced = misplacedTtl(target);
    const { failedEntries } = await sidecar.publishBulk({
      pubsubname,
      topic,
      body: bodyOf(request),
      metadata: metadataQuery(target, differences),
      ...traceOf(request.raw),
      ...(request.isBeginning ? { isBeginning: true } : {}),
      source: 'bulk',
      caller: callerOf(request.raw, request.givenContentType),
      ...(flags.length === 0 ? {} : { flags }),
      ...(misplaced === undefined ? {} : { misplacedTtl: misplaced }),
    });
    if (failedEntries.length > 0) return sendJson(reply, reportBody(failedEntries));
    return reply.code(204).send();
  };
  for (const url of ['/v1.0-alpha1/publish/bulk', '/v1.0-alpha1/publish/bulk/*']) {
    app.route({ method: ['POST', 'PUT'], url, config: { edge: 'bulk', refusesTooLarge: true }, handler });
  }
}
