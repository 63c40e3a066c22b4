/** Reads the bodies of requests to the console as texts, and counts them until they are complete. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Pieces } from '../../domain/pieces.ts';
import type { Refusal } from '../../domain/refusal.ts';
import type { IncompleteTexts } from '../incomplete-texts.ts';

/** Error for a body that is refused as too large, by itself or with all others. */
export class RefusedText extends Error {
  readonly statusCode = 413;
  /** Absent: the body is over the limit of its route. */
  readonly refusal: Refusal | undefined;

  constructor(refusal?: Refusal) {
    super(refusal?.message ?? 'the body is too large');
    this.refusal = refusal;
  }
}

/** Reads every body, whatever its content type is. */
export function takeTexts(app: FastifyInstance, incomplete: IncompleteTexts): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (request, payload, done) => {
    const most = request.routeOptions.bodyLimit;
    if (announced(request) > most) {
      done(new RefusedText());
      return;
    }
    const pieces = new Pieces<Buffer>((all) => Buffer.concat(all));
    const counted = incomplete.begin((refusal) => end(new RefusedText(refusal)));
    const end = (error?: Error): void => {
      payload.off('data', onData).off('end', onEnd).off('error', onError).off('close', onClose);
      counted.end();
      // The rest of a refused body is read and dropped, so that its client can read the answer.
      if (error !== undefined) payload.resume();
      const text = error === undefined ? pieces.whole().toString('utf8') : '';
      pieces.clear();
      if (error === undefined) done(null, text);
      else done(error);
    };
    const onData = (chunk: Buffer): void => {
      pieces.add(chunk);
      if (pieces.length > most) end(new RefusedText());
      else counted.add(chunk.length);
    };
    const onEnd = (): void => end();
    const onError = (cause: Error): void => end(Object.assign(cause, { statusCode: 400 }));
    const onClose = (): void => counted.end();
    payload.on('data', onData).on('end', onEnd).on('error', onError).on('close', onClose);
  });
}

/** Length of the body as its client says; 0: it does not say. */
function announced({ headers }: FastifyRequest): number {
  return Number(headers['content-length'] ?? 0);
}
