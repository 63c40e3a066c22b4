/** `GET /v1.0/healthz` and `GET /v1.0/healthz/outbound`. */
import type { FastifyInstance } from 'fastify';
import type { Profile } from '../contract/profile.ts';
import type { SidecarView } from '../runtime/api.ts';
import { sendJson, shortAnswer } from './errors.ts';
import { queryValue } from './metadata-query.ts';

/** Registers the health routes. Interface "Health"; bodies: behaviour 7.1. */
export function healthRoutes(app: FastifyInstance, sidecar: SidecarView, profile: Profile): void {
  const { differences } = profile;
  const config = { edge: 'health' } as const;
  app.get('/v1.0/healthz', { config }, (request, reply) => {
    if (!sidecar.healthy) {
      const parts = differences.namesWhatIsNotReady ? sidecar.notReady.join(' ') : undefined;
      return sendJson(reply, shortAnswer('ERR_HEALTH_NOT_READY', profile, 'health', parts));
    }
    const asked = queryValue(request.raw.url ?? '/', 'appid');
    if (asked !== undefined && asked !== sidecar.appId) {
      return sendJson(reply, shortAnswer('ERR_HEALTH_APPID_NOT_MATCH', profile, 'health'));
    }
    return reply.code(204).send();
  });
  app.get('/v1.0/healthz/outbound', { config }, (_request, reply) => {
    if (sidecar.outboundHealthy) return reply.code(204).send();
    return sendJson(reply, shortAnswer('ERR_OUTBOUND_HEALTH_NOT_READY', profile, 'health'));
  });
}
