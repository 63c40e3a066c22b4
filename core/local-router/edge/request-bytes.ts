/** Reads the bodies of requests as bytes, whatever their type is. Bodies in pieces of one byte take no more memory than others. */
import type { Server } from 'node:https';
import type { FastifyInstance } from 'fastify';
import { Pieces } from '../../domain/pieces.ts';
import { WireError } from '../rules/wire-error.ts';

/** Replaces the parsers of a listener. A body over the limit of its route is refused as soon as that is known. */
export function takeBytes(app: FastifyInstance<Server>): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const most = request.routeOptions.bodyLimit;
    if (Number(request.headers['content-length'] ?? 0) > most) {
      done(tooLarge());
      return;
    }
    const pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
    const end = (error?: Error): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError);
      if (error === undefined) done(null, pieces.whole());
      else done(error);
      pieces.clear();
    };
    const onData = (chunk: Buffer): void => {
      pieces.add(chunk);
      if (pieces.length > most) end(tooLarge());
    };
    const onEnd = (): void => end();
    const onError = (cause: Error): void => end(Object.assign(cause, { statusCode: 400 }));
    payload.on('data', onData).on('end', onEnd).on('error', onError);
  });
}

function tooLarge(): WireError {
  return new WireError(413, 'RequestEntityTooLarge', 'The request is larger than the limit.');
}
