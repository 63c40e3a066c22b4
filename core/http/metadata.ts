/** `GET /v1.0/metadata` and `PUT /v1.0/metadata/{key}`. */
import type { FastifyInstance } from 'fastify';
import type { SidecarView } from '../runtime/api.ts';
import { bodyOf } from './body.ts';
import { sendJson } from './errors.ts';
import { lastSegment } from './path.ts';

/** Segments before the key: v1.0, metadata. */
const FIXED = 2;

/** Registers the metadata routes. Behaviour 7.2. */
export function metadataRoutes(app: FastifyInstance, sidecar: SidecarView): void {
  app.get('/v1.0/metadata', (_request, reply) => sendJson(reply, { status: 200, body: sidecar.metadata() }));
  app.put('/v1.0/metadata/:key', (request, reply) => {
    sidecar.setMetadata(lastSegment(request.raw.url ?? '/', FIXED), bodyOf(request).toString('utf8'));
    return reply.code(204).send();
  });
}
