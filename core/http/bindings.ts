/** `POST|PUT /v1.0/bindings/{name}`: invokes the output side of a binding. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { errorText } from '../contract/error-text.ts';
import type { Log } from '../ports/log.ts';
import type { SidecarView } from '../runtime/api.ts';
import { bodyOf } from './body.ts';
import { FIXED_SEGMENTS, lastSegment } from './path.ts';
import { traceOf } from './trace.ts';

/** Registers the binding routes. Behaviour 8.1. */
export function bindingRoutes(app: FastifyInstance, sidecar: SidecarView, log: Log): void {
  app.route({
    method: ['POST', 'PUT'],
    url: '/v1.0/bindings/:name',
    config: { edge: 'binding', refusesTooLarge: true },
    handler: async (request, reply) => {
      const name = lastSegment(request.raw.url ?? '/', FIXED_SEGMENTS.binding);
      const answer = await sidecar.invokeBinding(name, bodyOf(request), traceOf(request.raw), {
        isBeginning: request.isBeginning,
      });
      // A binding that returns nothing gets 204; one with an empty body gets 200.
      if (answer === undefined) return reply.code(204).send();
      addMetadata(reply, name, answer.metadata ?? {}, log);
      return reply
        .code(200)
        .header('content-type', 'application/json')
        .send(Buffer.from(answer.data ?? ''));
    },
  });
}

function addMetadata(
  reply: FastifyReply,
  binding: string,
  metadata: Readonly<Record<string, string>>,
  log: Log,
): void {
  for (const [key, value] of Object.entries(metadata)) {
    const name = `metadata.${key}`;
    try {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    } catch (error) {
      const why = errorText(error);
      log.write('warn', 'http', `binding ${binding}: its answer's metadata ${key} cannot be sent: ${why}`);
      continue;
    }
    reply.header(name, value);
  }
}
