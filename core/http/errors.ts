/** The only place where a refusal becomes a status and a body of the sidecar's HTTP edge. */
import type { FastifyError, FastifyInstance, FastifyReply } from 'fastify';
import { ERRORS } from '../contract/errors.ts';
import type { ErrorBody, ErrorCode, ErrorRow } from '../contract/errors.ts';
import type { Profile } from '../contract/profile.ts';
import type { FailedEntry, FailedEntryReport } from '../contract/publish.ts';
import { errorBody as bodyOfCode, refusalFacts, Refusal } from '../domain/refusal.ts';
import type { RefusalFacts } from '../domain/refusal.ts';
import type { Log } from '../ports/log.ts';
import { TOO_LARGE } from '../domain/json-body.ts';
import { BodyTooLarge, NoRoomForBody } from './body.ts';
import { metadataQuery } from './metadata-query.ts';
import { FIXED_SEGMENTS, lastSegment, pathOf, pathOfRequest, topicPath } from './path.ts';

/** Groups of routes, each with its status column in the error table. */
export type Edge = 'publish' | 'bulk' | 'health' | 'binding' | 'other';

declare module 'fastify' {
  interface FastifyContextConfig {
    edge?: Edge;
  }
}

/** A publish that was answered with an error. */
export interface RefusedRequest {
  readonly method?: string;
  readonly path: string;
  readonly status: number;
  readonly reason: string;
  /** Absent: the answer has no code. */
  readonly refusal?: RefusalFacts;
  /** True if the connection ended in the middle of the body. Mostly its client died, which is no mistake of a request. */
  readonly isCutOff?: true;
  /** True if the body is over the limit of one body. */
  readonly isTooLarge?: true;
}

export interface HttpAnswer<Body = ErrorBody> {
  readonly status: number;
  readonly body: Body;
}

/**
 * The answer of the HTTP route to a refusal.
 * @param edge column of the table; a code without a status there is answered as a bug, 500
 * @param requestMetadata the publish's own metadata, for `details` (behaviour 1.6)
 */
export function errorBody(
  refusal: Refusal,
  profile: Profile,
  edge: Edge = 'publish',
  requestMetadata: Readonly<Record<string, string>> = {},
): HttpAnswer {
  const row: ErrorRow = ERRORS[refusal.code];
  // In a bulk publish an unknown component has a text of its own (behaviour 3.3).
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
 * Answer of a code that needs only its text: health, unknown path.
 * @param parts names for the variant of the text that has them
 */
export function shortAnswer(code: ErrorCode, profile: Profile, edge: Edge, parts?: string): HttpAnswer {
  const row: ErrorRow = ERRORS[code];
  const more = parts === undefined ? {} : { variant: 'parts' };
  return { status: row[edge] ?? 500, body: bodyOfCode(code, { parts: parts ?? '' }, profile, more) };
}

/** Answer of a bulk publish with failed entries. */
export function reportBody(failedEntries: readonly FailedEntry[]): HttpAnswer<FailedEntryReport> {
  return { status: 500, body: { failedEntries, errorCode: 'ERR_PUBSUB_PUBLISH_MESSAGE' } };
}

const JSON_TYPE = 'application/json';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/**
 * Sends JSON without a charset, as the reference does. The body is sent as bytes, because Fastify adds a
 * charset to text.
 */
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

/**
 * The refusal of an unreadable request.
 * @param reason says what is wrong with it
 */
export function malformed(reason: string): Refusal {
  return new Refusal('ERR_MALFORMED_REQUEST', { reason }, { variant: 'request' });
}

/** The refusal of a request whose body has no room in memory, in the form of its route. */
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
    // The path itself is unreadable, which takes precedence over the missing room.
    if (error instanceof Refusal) return error;
    throw error;
  }
  return malformed(reason);
}

export interface ErrorPorts {
  readonly profile: Profile;
  readonly log: Log;
  /** Receives each publish that got an error. */
  readonly refused: (info: RefusedRequest) => void;
}

/** A request during which an error was thrown. */
export interface FailedRequest {
  readonly edge: Edge;
  readonly method: string;
  readonly target: string;
  /** Path that log and console show; absent: that of the target. */
  readonly path?: string;
}

/** The answer to such a request. */
export interface Failure {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/**
 * The answer to an error that was thrown while a request was read or served. It also reports the error to
 * those who need it.
 */
export function failureOf(
  thrown: Error & { readonly statusCode?: number | undefined },
  { edge, method, target, path = pathOf(target) }: FailedRequest,
  { profile, log, refused }: ErrorPorts,
): Failure {
  const error: typeof thrown =
    thrown instanceof NoRoomForBody ? noRoom(edge, target, thrown.message) : thrown;
  // The query is left out, because metadata may be private.
  const report = (status: number, reason: string, more?: Refusal | 'cut-off'): void => {
    if (edge === 'publish' || edge === 'bulk')
      refused({
        method,
        path,
        status,
        reason,
        ...(more instanceof Refusal ? { refusal: refusalFacts(more) } : {}),
        ...(more === 'cut-off' ? { isCutOff: true } : {}),
        ...(isTooLarge(error) ? { isTooLarge: true } : {}),
      });
  };
  if (error instanceof Refusal) {
    const answer = errorBody(error, profile, edge, metadataQuery(target, profile.differences));
    report(answer.status, answer.body.message, error);
    return asJson(answer);
  }
  // Errors of reading the request have a status: its body is too large or incomplete.
  const status = error.statusCode ?? 500;
  if (error instanceof BodyTooLarge) {
    report(400, error.message);
    return { status: 400, type: TEXT_TYPE, body: Buffer.from(`${error.message}\n`) };
  }
  if (status >= 400 && status < 500) {
    const reason = 'its body could not be read to its end';
    const refusal = new Refusal('ERR_MALFORMED_REQUEST', { reason }, { variant: 'request', cause: error });
    const answer = errorBody(refusal, profile, 'other');
    if (isCutOff(error)) report(answer.status, CUT_OFF, 'cut-off');
    else report(answer.status, `${answer.body.message}: ${error.message}`, refusal);
    return asJson(answer);
  }
  log.write('error', 'http', `${method} ${path}: ${error.stack ?? error.message}`);
  return asJson({ ...shortAnswer('INTERNAL', profile, edge), status: 500 });
}

/** Whether a body over the limit led to it: releases of the reference answer that at different places. */
function isTooLarge(error: Error): boolean {
  return error instanceof Refusal ? error.params['reason'] === TOO_LARGE : error instanceof BodyTooLarge;
}

const CUT_OFF = 'the connection ended before its body was complete';

/** Whether the server reports with this error that the connection has ended. */
function isCutOff(error: Error): boolean {
  return 'code' in error && error.code === 'ECONNRESET';
}

function asJson({ status, body }: HttpAnswer<unknown>): Failure {
  return { status, type: JSON_TYPE, body: Buffer.from(JSON.stringify(body)) };
}

/** Answers every error that a route throws. */
export function answerErrors(app: FastifyInstance, ports: ErrorPorts): void {
  app.setErrorHandler((thrown: FastifyError | Refusal, request, reply) => {
    const edge = request.routeOptions.config.edge ?? 'other';
    const { method } = request;
    const [target, path] = [request.raw.url ?? '/', pathOfRequest(request)];
    const { status, type, body } = failureOf(thrown, { edge, method, target, path }, ports);
    return reply.code(status).header('content-type', type).send(body);
  });
}
