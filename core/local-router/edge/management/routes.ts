/**
 * The route of the management API: one entry for every path below a subscription, read from the raw address.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readManagementPath } from '../../rules/management-path.ts';
import type { ManagementTarget } from '../../rules/management-path.ts';
import { readWirePath } from '../../rules/wire-path.ts';
import { single } from '../listener.ts';
import type { Web } from '../listener.ts';
import { WireError } from '../../rules/wire-error.ts';
import type { Authorization } from './authorization.ts';
import type { Management } from './management.ts';
import { emptyList, operations, topicTypes } from './offer.ts';
import type { Answer, Ask } from './request.ts';

/** Adds the routes. `namespace` is that of the router. */
export function addManagement(
  app: Web,
  deps: {
    readonly management: Management;
    readonly access: Authorization;
    readonly namespace: string;
    /** Writes the changes to disk. */
    readonly written: () => void;
  },
): void {
  const answer = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const path = readWirePath(request.raw.url ?? '');
    const target = path === undefined ? undefined : readManagementPath(path, deps.namespace);
    if (path === undefined || target === undefined) {
      const inside = path?.segments[0]?.toLowerCase() === 'subscriptions';
      throw new WireError(404, inside ? 'InvalidResourceType' : 'NotFound', 'This page does not exist.');
    }
    const query = new URLSearchParams(path.query);
    const apiVersion = checkVersion(query.get('api-version'));
    const caller = await deps.access.caller(single(request, 'authorization'));
    const ask: Ask = { method: request.method, caller, request, query, apiVersion };
    const { status, body, headers = {} } = await given(deps.management, ask, target);
    deps.written();
    void reply.code(status).headers({ ...headers, 'x-ms-request-id': randomUUID() });
    if (body === undefined) await reply.send();
    else await reply.type('application/json; charset=utf-8').send(JSON.stringify(body));
  };
  app.all('/*', answer);
}

async function given(management: Management, ask: Ask, target: ManagementTarget): Promise<Answer> {
  switch (target.kind) {
    case 'subscription':
      return management.subscription(ask, target);
    case 'subscriptions':
      return management.subscriptions(ask, target.scope);
    case 'selected':
      return management.selected(ask, target);
    case 'eventTypes':
    case 'none':
      return emptyList(ask);
    case 'operations':
      return operations(ask, management.namespace);
    case 'topicTypes':
      return topicTypes(ask, management.namespace, target);
    case 'topic':
      return management.topic(ask, target);
    case 'topics':
      return management.topics(ask, target);
    case 'operation':
      return management.operation(ask, target.id);
    case 'provider':
      return management.provider(ask, target);
    case 'role':
      return management.role(ask, target);
  }
}

function checkVersion(given: string | null): string {
  if (given === null || given === '') {
    throw new WireError(
      400,
      'MissingApiVersionParameter',
      'The api-version query parameter is required for all requests.',
    );
  }
  if (!/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(-preview)?$/.test(given) || given < '2018-01-01') {
    throw new WireError(400, 'InvalidApiVersionParameter', `The api-version '${given}' is invalid.`);
  }
  return given;
}
