/** Topic endpoints: check the credential, the body and every event, and answer once the events are stored. */
import { gunzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorText, hasCode } from '../../../contract/error-text.ts';
import { withoutUndefined } from '../../../contract/without-undefined.ts';
import { readPublish } from '../../rules/published.ts';
import type { PublishedEvent } from '../../rules/published.ts';
import { bytesOf } from '../listener.ts';
import type { Web } from '../listener.ts';
import { WireError } from '../../rules/wire-error.ts';
import { binaryEvent } from './binary-mode.ts';
import { needsCredential, queryOf } from './credentials.ts';
import type { CredentialDependencies } from './credentials.ts';
import type { Throttle } from '../../topics/throttle.ts';
import type { StoredTopic, Topics } from '../../topics/topics.ts';

export interface EndpointDependencies extends CredentialDependencies {
  readonly topics: Topics;
  readonly maxBytes: number;
  readonly throttle: Throttle;
  /** Resolves when the events are stored. */
  readonly publish: (topic: StoredTopic, events: readonly PublishedEvent[]) => Promise<void>;
}

type NameOf = (request: FastifyRequest) => string;

/** Adds the routes below `/topics/{topic}`, for all topics. */
export function addShared(app: Web, deps: EndpointDependencies): void {
  addRoute(app, '/topics/:topic/api/events', deps, (request) => {
    const { params } = request;
    return typeof params === 'object' && params !== null && 'topic' in params ? String(params.topic) : '';
  });
}

/** Adds the routes of a topic with its own port. */
export function addOwn(app: Web, topic: string, deps: EndpointDependencies): void {
  addRoute(app, '/api/events', deps, () => topic);
}

function addRoute(app: Web, url: string, deps: EndpointDependencies, nameOf: NameOf): void {
  const need = (request: FastifyRequest): StoredTopic => {
    const topic = deps.topics.get(nameOf(request));
    if (topic === undefined) throw new WireError(404, 'NotFound', `There is no topic ${nameOf(request)}.`);
    return topic;
  };
  app.options(url, async (_request, reply) => {
    await reply.code(204).header('allow', 'POST').send();
  });
  app.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    handler: () => {
      throw new WireError(405, 'MethodNotAllowed', 'Allowed here: POST.', { headers: { allow: 'POST' } });
    },
  });
  app.route({
    method: 'POST',
    url,
    bodyLimit: deps.maxBytes,
    // The check runs before the body is read, so that bytes without a credential are not kept.
    onRequest: async (request) => {
      const topic = need(request);
      await needsCredential(deps, topic, request);
      if (topic.disabled) throw new WireError(403, 'Forbidden', `The topic ${topic.name} is disabled.`);
      const version = queryOf(request).get('api-version');
      if (version !== null && version !== '2018-01-01') {
        throw bad(`The api-version ${version} is not supported; use 2018-01-01.`);
      }
    },
    onError: async (request, _reply, error) => count(deps, nameOf(request), error),
    handler: (request, reply) => take(deps, need(request), request, reply),
  });
}

async function take(
  deps: EndpointDependencies,
  topic: StoredTopic,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const bytes = inflated(request, deps.maxBytes);
  const binary = request.headers['ce-specversion'] === undefined ? undefined : binaryEvent(request, bytes);
  const read = readPublish(topic, {
    contentType: request.headers['content-type'] ?? '',
    text: binary === undefined ? textOf(bytes) : '',
    ...withoutUndefined({ binary }),
    maxEventBytes: deps.maxBytes,
    sizeOf: (text) => Buffer.byteLength(text),
  });
  if (!read.ok) {
    const { status, reason, index } = read.complaint;
    if (status === 413) throw new WireError(413, 'RequestEntityTooLarge', reason);
    if (status === 415) throw new WireError(415, 'UnsupportedMediaType', reason);
    throw bad(reason, index);
  }
  const full = deps.throttle.refusal(topic.name, { events: read.value.events.length, bytes: bytes.length });
  if (full !== undefined)
    throw new WireError(429, 'TooManyRequests', full, { headers: { 'retry-after': '1' } });
  await deps.publish(topic, read.value.events);
  deps.topics.countAccepted(topic.name, read.value.events.length);
  if (read.value.warning !== undefined) void reply.header('x-sidelight-warning', read.value.warning);
  await reply.code(200).send();
}

/** Index of the wrong event in a request. */
const INDEXES = new WeakMap<WireError, number>();

function bad(reason: string, index?: number): WireError {
  const error = new WireError(400, 'BadRequest', reason, {
    details: [{ code: 'InputJsonInvalid', message: reason }],
  });
  if (index !== undefined) INDEXES.set(error, index);
  return error;
}

function count(deps: EndpointDependencies, name: string, error: unknown): void {
  const topic = deps.topics.get(name);
  if (topic === undefined) return;
  const known = error instanceof WireError ? error : undefined;
  const index = known === undefined ? undefined : INDEXES.get(known);
  const status =
    known?.status ?? (error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500);
  deps.topics.countRejected(topic.name, {
    at: new Date(deps.now()).toISOString(),
    status,
    reason: errorText(error),
    ...withoutUndefined({ index }),
  });
}

function inflated(request: FastifyRequest, maxBytes: number): Buffer {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  const bytes = bytesOf(request);
  if (encoding === 'identity') return bytes;
  if (encoding !== 'gzip')
    throw new WireError(415, 'UnsupportedMediaType', `The encoding ${encoding} is not supported.`);
  try {
    return gunzipSync(bytes, { maxOutputLength: maxBytes });
  } catch (error) {
    if (hasCode(error, 'ERR_BUFFER_TOO_LARGE')) {
      throw new WireError(413, 'RequestEntityTooLarge', 'The request is larger than the limit.');
    }
    throw bad('The body is not gzip.');
  }
}

function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw bad('The body is not UTF-8.');
  }
}
