/** Handles every path and verb without a route. */
import type { FastifyInstance } from 'fastify';
import { nearest } from '../contract/nearest.ts';
import type { Profile } from '../contract/profile.ts';
import { otherCall } from '../domain/other-blocks.ts';
import { sendJson, shortAnswer } from './errors.ts';
import type { RefusedRequest } from './errors.ts';
import { pathOf } from './path.ts';

/** Methods of a publish. */
const PUBLISHES: ReadonlySet<string> = new Set(['POST', 'PUT']);
/** Methods that a person may take for that of a publish. A browser sends OPTIONS by itself. */
const OTHER_VERBS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'PATCH']);

/** A path of publishes, also one whose version is wrong or missing; not that of a method which an app calls `publish`. */
const MEANT_AS_PUBLISH = /^(?:\/[^/]*)?\/publish(?:\/|$)/;
/** The first word behind the version of the API. */
const FIRST_WORD = /^\/v1\.0(?:-alpha1)?\/([^/]+)/i;

/**
 * Answers an unknown path or wrong verb with 404, as service invocation would, never 405. Behaviour 1.7.
 * @param refused receives each that was meant as a publish, or for a block that Sidelight does not serve
 */
export function answerUnknownRoutes(
  app: FastifyInstance,
  profile: Profile,
  refused: (info: RefusedRequest) => void,
): void {
  app.setNotFoundHandler((request, reply) => {
    const answer = shortAnswer('ERR_DIRECT_INVOKE', profile, 'other');
    const { method } = request;
    const path = pathOf(request.raw.url ?? '/');
    const header = request.headers[profile.appIdHeader];
    const target = typeof header === 'string' && header !== '' ? header : undefined;
    const mistake = publishMistake(method, path, target !== undefined);
    if (mistake !== undefined) {
      const refusal = { code: 'ERR_DIRECT_INVOKE', params: {} } as const;
      refused({ method, path, status: answer.status, reason: mistake, refusal });
      return sendJson(reply, answer);
    }
    const other = otherCall(path, target, profile.appIdHeader);
    if (other !== undefined) {
      const reason = `Sidelight does not serve ${other.block}`;
      refused({ method, path: other.path, status: answer.status, reason });
    }
    return sendJson(reply, answer);
  });
}

/**
 * What is wrong with a request that was meant as a publish; undefined: it was not.
 * @param isInvocation whether a header names another app: then each path is a method of that app
 */
function publishMistake(method: string, path: string, isInvocation: boolean): string | undefined {
  const isPublishing = PUBLISHES.has(method);
  if (isPublishing && MEANT_AS_PUBLISH.test(path)) return 'the sidecar has no such path';
  if (isInvocation || !(isPublishing || OTHER_VERBS.has(method))) return undefined;
  const word = FIRST_WORD.exec(path)?.[1] ?? '';
  if (word === 'publish') return 'a publish is a POST or a PUT';
  return nearest(word, ['publish']) === undefined ? undefined : 'the sidecar has no such path';
}
