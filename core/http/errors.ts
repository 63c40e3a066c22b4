/** The only place where a refusal becomes a status and a body of the sidecar's HTTP edge. */
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { ERRORS } from '../contract/errors.ts';
import type { ErrorBody, ErrorCode, ErrorRow } from '../contract/errors.ts';
import type { Profile } from '../contract/profile.ts';
import type { FailedEntry, FailedEntryReport } from '../contract/publish.ts';
import { errorBody as bodyOfCode, Refusal } from '../domain/refusal.ts';
import type { Log } from '../ports/log.ts';
import { BodyTooLarge, NoRoomForBody } from './body.ts';
import { metadataQuery } from './metadata-query.ts';
import { FIXED_SEGMENTS, lastSegment, pathOf, topicPath } from './path.ts';

/** Groups of routes with a status column of their own in the error table. */
export type Edge = 'publish' | 'bulk' | 'health' | 'binding' | 'other';

declare module 'fastify' {
  interface FastifyContextConfig {
    edge?: Edge;
  }
}

/** A publish that was answered with an error. */
export interface RefusedRequest {
  readonly path: string;
  readonly status: number;
  readonly reason: string;
}

export interface HttpAnswer<Body = ErrorBody> {
  readonly status: number;
  readonly body: Body;
}

/**
 * What the HTTP route answers to a refusal.
 * @param edge which column of the table; a code without a status there is answered as a bug, 500
 * @param requestMetadata the publish's own metadata, for `details` (behaviour 1.6)
 */
export function errorBody(
  refusal: Refusal,
  profile: Profile,
  edge: Edge = 'publish',
  requestMetadata: Readonly<Record<string, string>> = {},
): HttpAnswer {
  const row: ErrorRow = ERRORS[refusal.code];
  // An unknown component has a text of its own in a bulk publish (behaviour 3.3).
  const unknownInBulk = edge === 'bulk' && refusal.code === 'ERR_PUBSUB_NOT_FOUND' ? 'bulk' : undefined;
  const variant = refusal.variant ?? unknownInBulk;
  return {
    status: row[edge] ?? 500,
    body: bodyOfCode(refusal.code, refusal.params, profile, {
      requestMetadata,
      ...(variant === undefined ? {} : { variant }),
    }),
  };
}

/**
 * Answer of a code that needs nothing but its text: health, unknown path.
 * @param parts names for the variant of the text that has them
 */
export function shortAnswer(code: ErrorCode, profile: Profile, edge: Edge, parts?: string): HttpAnswer {
  const row: ErrorRow = ERRORS[code];
  const more = parts === undefined ? {} : { variant: 'parts' };
  return { status: row[edge] ?? 500, body: bodyOfCode(code, { parts: parts ?? '' }, profile, more) };
}

/** Answer of a bulk publish of which something failed. */
export function reportBody(failedEntries: readonly FailedEntry[]): HttpAnswer<FailedEntryReport> {
  return { status: 500, body: { failedEntries, errorCode: 'ERR_PUBSUB_PUBLISH_MESSAGE' } };
}

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Sends JSON without a charset, as the reference does: Fastify adds one to text, so these are bytes. */
export function sendJson(reply: FastifyReply, answer: HttpAnswer<unknown>): FastifyReply {
  return reply
    .code(answer.status)
    .header('content-type', JSON_TYPE)
    .send(Buffer.from(JSON.stringify(answer.body)));
}

/** Sends one line of plain text. */
export function sendText(reply: FastifyReply, status: number, line: string): FastifyReply {
  return reply.code(status).header('content-type', TEXT_TYPE).send(`${line}\n`);
}

/** The refusal of a request that cannot be read. @param reason says what is wrong with it */
export function malformed(reason: string): Refusal {
  return new Refusal('ERR_MALFORMED_REQUEST', { reason }, { variant: 'request' });
}

/** The refusal of a request whose body found no room, as its route refuses for any other limit. */
function noRoom(edge: Edge, target: string, reason: string): Refusal {
  try {
    if (edge === 'binding') {
      const name = lastSegment(target, FIXED_SEGMENTS.binding);
      return new Refusal('ERR_INVOKE_OUTPUT_BINDING', { name, reason });
    }
    if (edge === 'publish' || edge === 'bulk')
      return new Refusal('ERR_PUBSUB_PUBLISH_MESSAGE', {
        ...topicPath(target, FIXED_SEGMENTS[edge]),
        reason,
      });
  } catch (error) {
    // The path itself cannot be read, which would have been the answer without a body.
    if (error instanceof Refusal) return error;
    throw error;
  }
  return malformed(reason);
}

export interface ErrorPorts {
  readonly profile: Profile;
  readonly log: Log;
  /** A publish got an error. */
  readonly refused: (info: RefusedRequest) => void;
}

/** A request that something was thrown at. */
export interface FailedRequest {
  readonly edge: Edge;
  readonly method: string;
  readonly target: string;
}

/** The answer to a request that something was thrown at. */
export interface Failure {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** The answer to what was thrown while a request was read or served; tells of it where somebody has to know. */
export function failureOf(
  thrown: Error & { readonly statusCode?: number | undefined },
  { edge, method, target }: FailedRequest,
  { profile, log, refused }: ErrorPorts,
): Failure {
  const error: typeof thrown =
    thrown instanceof NoRoomForBody ? noRoom(edge, target, thrown.message) : thrown;
  // Without the query: metadata may be nobody's business.
  const tell = (status: number, reason: string): void => {
    if (edge === 'publish' || edge === 'bulk') refused({ path: pathOf(target), status, reason });
  };
  if (error instanceof Refusal) {
    const answer = errorBody(error, profile, edge, metadataQuery(target, profile.differences));
    tell(answer.status, answer.body.message);
    return asJson(answer);
  }
  // Carried by what went wrong while the request was read: its body is too large or broken off.
  const status = error.statusCode ?? 500;
  if (error instanceof BodyTooLarge) {
    tell(400, error.message);
    return { status: 400, type: TEXT_TYPE, body: Buffer.from(`${error.message}\n`) };
  }
  if (status >= 400 && status < 500) {
    const reason = 'its body could not be read to its end';
    const refusal = new Refusal('ERR_MALFORMED_REQUEST', { reason }, { variant: 'request', cause: error });
    const answer = errorBody(refusal, profile, 'other');
    tell(answer.status, `${answer.body.message}: ${error.message}`);
    return asJson(answer);
  }
  log.write('error', 'http', `${method} ${target}: ${error.stack ?? error.message}`);
  return asJson({ ...shortAnswer('INTERNAL', profile, edge), status: 500 });
}

function asJson({ status, body }: HttpAnswer<unknown>): Failure {
  return { status, type: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) };
}

/** Answers everything that a route throws. */
export function answerErrors(app: FastifyInstance, ports: ErrorPorts): void {
  app.setErrorHandler((thrown: FastifyError | Refusal, request, reply) => {
    const edge = request.routeOptions.config.edge ?? 'other';
    const { method } = request;
    const { status, type, body } = failureOf(thrown, { edge, method, target: request.raw.url ?? '/' }, ports);
    return reply.code(status).header('content-type', type).send(body);
  });
}
