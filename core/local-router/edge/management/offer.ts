/**
 * Answers what management clients ask about the provider: operations, types of topics, and empty lists of
 * resources that it does not have.
 */
import { WireError } from '../../rules/wire-error.ts';
import { notAllowed } from './request.ts';
import type { Answer, Ask } from './request.ts';

const ACTIONS = [
  'eventSubscriptions/read',
  'eventSubscriptions/write',
  'eventSubscriptions/delete',
  'eventSubscriptions/getFullUrl/action',
  'eventSubscriptions/getDeliveryAttributes/action',
  'topics/read',
  'topics/write',
  'topics/delete',
  'topics/listKeys/action',
  'topics/regenerateKey/action',
  'register/action',
  'unregister/action',
] as const;

/** Answers with an empty list. */
export async function emptyList(ask: Ask): Promise<Answer> {
  return list(ask, []);
}

/** Lists the actions that roles allow. */
export async function operations(ask: Ask, namespace: string): Promise<Answer> {
  return list(
    ask,
    ACTIONS.map((action) => ({
      name: `${namespace}/${action}`,
      display: { provider: namespace, resource: action.split('/')[0], operation: action, description: '' },
      origin: 'user,system',
    })),
  );
}

/** Lists the one type of topics, or its declared types of events, of which there are none. */
export async function topicTypes(
  ask: Ask,
  namespace: string,
  { name, events }: { readonly name?: string; readonly events?: true },
): Promise<Answer> {
  const own = topicType(namespace);
  if (name === undefined) return list(ask, [own]);
  if (name.toLowerCase() !== own.name.toLowerCase())
    throw new WireError(404, 'ResourceNotFound', `The topic type '${name}' was not found.`);
  if (events === true) return list(ask, []);
  if (ask.method !== 'GET') throw notAllowed('GET');
  return { status: 200, body: own };
}

function topicType(namespace: string) {
  const name = `${namespace}.Topics`;
  return {
    id: `providers/${namespace}/topicTypes/${name}`,
    name,
    type: `${namespace}/topicTypes`,
    properties: {
      provider: namespace,
      displayName: 'Topics',
      description: 'Topics of this router.',
      resourceRegionType: 'RegionalResource',
      provisioningState: 'Succeeded',
      supportedLocations: ['local'],
      sourceResourceFormat: `/subscriptions/<>/resourceGroups/<>/providers/${namespace}/topics/<>`,
    },
  };
}

function list(ask: Ask, value: readonly unknown[]): Answer {
  if (ask.method !== 'GET') throw notAllowed('GET');
  return { status: 200, body: { value, nextLink: null } };
}
