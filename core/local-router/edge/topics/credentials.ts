/** Checks who may publish to a topic: its keys, a signature token, a bearer token. */
import type { FastifyRequest } from 'fastify';
import type { Directory } from '../../identity/directory.ts';
import { callerOf } from '../../identity/tokens.ts';
import type { Tokens } from '../../identity/tokens.ts';
import { sameSecret } from '../../secrets.ts';
import { single } from '../listener.ts';
import { WireError } from '../../rules/wire-error.ts';
import { sasComplaint } from '../../topics/signatures.ts';
import type { StoredTopic } from '../../topics/topics.ts';

export interface CredentialDependencies {
  readonly tokens: Tokens;
  readonly directory: Directory;
  readonly rbac: 'auto' | 'enforce';
  readonly publishAudience: string;
  readonly now: () => number;
}

/**
 * Checks a request.
 * @throws WireError 401 or 403. The first credential that is present decides.
 */
export async function needsCredential(
  deps: CredentialDependencies,
  topic: StoredTopic,
  request: FastifyRequest,
): Promise<void> {
  const key = single(request, 'aeg-sas-key') ?? queryOf(request).get('aeg-sas-key') ?? undefined;
  if (key !== undefined) {
    localAuth(topic);
    const right = [topic.key1, topic.key2].filter((one) => sameSecret(key, one)).length > 0;
    if (!right) throw refused('The access key is wrong.');
    return;
  }
  const authorization = single(request, 'authorization');
  const shared = /^SharedAccessSignature (.+)$/i.exec(authorization ?? '')?.[1];
  const sas = single(request, 'aeg-sas-token') ?? shared;
  if (sas !== undefined) {
    localAuth(topic);
    const address = `https://${request.headers.host ?? ''}${request.raw.url?.split('?')[0] ?? ''}`;
    const complaint = sasComplaint(sas, { address, keys: [topic.key1, topic.key2], nowMs: deps.now() });
    if (complaint !== undefined) throw refused(complaint);
    return;
  }
  if (authorization === undefined)
    throw refused('The request has no credential: send aeg-sas-key, aeg-sas-token or a bearer token.');
  await bearer(deps, topic, authorization);
}

async function bearer(
  deps: CredentialDependencies,
  topic: StoredTopic,
  authorization: string,
): Promise<void> {
  const audience = deps.publishAudience.replace(/\/+$/, '');
  let caller: string;
  try {
    caller = callerOf(await deps.tokens.verify(authorization, [audience]));
  } catch (error) {
    if (error instanceof WireError) throw refused(error.message);
    throw error;
  }
  if (deps.rbac === 'auto' || deps.directory.holds(caller, 'data-sender', topic.resourceId)) return;
  throw new WireError(
    403,
    'Forbidden',
    `The client '${caller}' has no role to send data to the topic ${topic.name}.`,
  );
}

function localAuth(topic: StoredTopic): void {
  if (topic.disableLocalAuth) throw refused('Keys and signature tokens are switched off for this topic.');
}

function refused(message: string): WireError {
  return new WireError(401, 'Unauthorized', message, { headers: { 'www-authenticate': 'Bearer' } });
}

export function queryOf(request: FastifyRequest): URLSearchParams {
  const url = request.raw.url ?? '';
  const mark = url.indexOf('?');
  return new URLSearchParams(mark < 0 ? '' : url.slice(mark + 1));
}
