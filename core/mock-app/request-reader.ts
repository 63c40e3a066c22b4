/** Reads the mock app's requests, and answers bytes that are no request. */
import { ServerResponse } from 'node:http';
import { fastify } from 'fastify';
import type { FastifyHttpOptions, FastifyInstance, RawServerDefault } from 'fastify';

import type { Profile } from '../contract/profile.ts';
import {
  answerConnects,
  closingAnswer,
  cutUnread,
  dropIfLate,
  EarlyAnswers,
  endWith,
  NO_SCHEMAS,
  silenceOptions,
  whyUnreadable,
} from '../domain/http-edge.ts';
import type { Silence } from '../domain/http-edge.ts';
import { Partings } from '../domain/partings.ts';
import { errorBody } from '../domain/refusal.ts';
import type { BodyCount } from '../domain/request-bodies.ts';
import { takeBodies } from './request-bodies.ts';

/** Ends of connections, for all mock apps together. */
const partings = new Partings((run) => setImmediate(run), setTimeout);

/**
 * Makes a server that accepts any path and any body unchanged; it does not listen yet.
 * @param bodies counts the bodies of all mock apps
 * @param onCut called with the reason for which a connection with all its requests was closed
 */
export function createReader(
  silence: Silence,
  profile: Profile,
  bodies: BodyCount,
  onCut: (reason: string) => void,
): FastifyInstance {
  const early = new EarlyAnswers();
  const server = fastify({
    schemaController: NO_SCHEMAS,
    forceCloseConnections: true,
    // Every path gets the same route; the handler reads the path from the request itself.
    rewriteUrl: () => '/',
    ...readingOptions(silence, profile, early),
  });
  cutUnread(server.server);
  early.watch(server.server);
  answerConnects(
    server.server,
    (request) => new ServerResponse(request),
    (socket) => endWith(socket, '', silence.partingMs, setTimeout),
  );
  server.server.on('checkExpectation', (request, response) =>
    server.server.emit('request', request, response),
  );
  takeBodies(server, bodies, onCut);
  // An app accepts any body, whatever its type is; the type is read from the raw headers.
  server.addHook('onRequest', (request, _reply, done) => {
    request.headers = { 'content-type': 'application/octet-stream' };
    done();
  });
  return server;
}

/**
 * Options for reading: a request is answered whatever headers it lacks; an unreadable one gets
 * ERR_MALFORMED_REQUEST.
 */
function readingOptions(
  silence: Silence,
  profile: Profile,
  early: EarlyAnswers,
): FastifyHttpOptions<RawServerDefault> {
  return {
    ...silenceOptions(silence),
    clientErrorHandler: (error, socket) => {
      dropIfLate(error, socket);
      const why = whyUnreadable(error);
      if (why === undefined || !socket.writable) {
        socket.destroy();
        return;
      }
      if (early.has(socket)) {
        partings.end(socket, '', silence.partingMs);
        return;
      }
      const { status, reason } = why;
      const body = JSON.stringify(
        errorBody('ERR_MALFORMED_REQUEST', { reason }, profile, { variant: 'request' }),
      );
      partings.end(socket, closingAnswer(status, body, Buffer.byteLength(body)), silence.partingMs);
    },
  };
}
