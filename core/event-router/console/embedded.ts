/**
 * Methods of the embedded router: `eventRouter.emulate`, `.deliveries`, `.act`, `.topics`, `.certificate`,
 * `.faults`.
 */
import type {
  CertificateParams,
  CertificateResult,
  DeliveriesParams,
  DeliveriesResult,
  EmulateParams,
  EmulateResult,
  FaultsParams,
  FaultsResult,
  RouterActParams,
} from '../../contract/event-router/methods.ts';
import { DELIVERY_STATES } from '../../contract/delivery.ts';
import { ROUTER_ACTS, ROUTER_ACT_FROM } from '../../contract/event-router/words.ts';
import type { DeadLetterFile, RouterDeliveryQuery } from '../../contract/event-router/local-router.ts';
import type { Changed } from '../../contract/targets.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { EventRouterMethods } from '../../ports/event-router.ts';
import type { LocalRouter } from '../../ports/local-router.ts';
import { asRefusal, recordIdOf, needed } from './lookup.ts';
import type { ConsoleDependencies, Lookup } from './lookup.ts';

type Methods =
  | 'emulate'
  | 'deliveries'
  | 'act'
  | 'breakpoints'
  | 'topics'
  | 'certificate'
  | 'faults'
  | 'simulate';

export function embeddedMethods(
  deps: ConsoleDependencies,
  lookup: Lookup,
): Pick<EventRouterMethods, `eventRouter.${Methods}`> {
  return {
    'eventRouter.emulate': (params) => emulate(lookup, params),
    'eventRouter.deliveries': (params) => deliveries(deps, lookup, params),
    'eventRouter.act': async (params) => act(deps, await lookup.router(), lookup, params),
    'eventRouter.breakpoints': async ({ add, remove }) => {
      if (deps.access.router === undefined && add === undefined && remove === undefined) return { items: [] };
      const { breakpoints } = (await lookup.router()).deliveries;
      if (remove !== undefined) breakpoints.remove(remove);
      if (add !== undefined) breakpoints.add(add);
      return { items: breakpoints.list() };
    },
    'eventRouter.topics': async ({ topic, act: wanted, keyName = 'key1' }) => {
      if (wanted === undefined && (await deps.access.opened()) === undefined) return { items: [] };
      const { topics } = await lookup.router();
      const name = (): string => needed(topic, 'topic');
      if (wanted === 'regenerate-key') await asRefusal(() => topics.regenerateKey(name(), keyName));
      if (wanted === 'disable' || wanted === 'enable')
        await asRefusal(() => topics.setDisabled(name(), wanted === 'disable'));
      return { items: topics.list().filter((one) => topic === undefined || one.name === topic) };
    },
    'eventRouter.certificate': (params) => certificate(deps, lookup, params),
    'eventRouter.faults': (params) => faults(deps, lookup, params),
    'eventRouter.simulate': async (params) =>
      deps.simulate(params, deps.access.router?.status().timeScale ?? scale(deps)),
  };
}

function scale({ settings }: ConsoleDependencies): number {
  return settings().delivery.timeScale;
}

async function deliveries(
  deps: ConsoleDependencies,
  lookup: Lookup,
  { component, deliveryId, of, deadLetterFile, ...query }: DeliveriesParams,
): Promise<DeliveriesResult> {
  const { router } = deps.access;
  if (router === undefined) return { items: [], nextCursor: null, total: 0, timeScale: scale(deps) };
  const id = component === undefined ? undefined : recordIdOf(deps, lookup.binding(component));
  const listed =
    of === 'dead-letters'
      ? { items: [], nextCursor: null, total: 0 }
      : router.deliveries.list({ ...query, ...withoutUndefined({ subscriptionId: id }) });
  const delivery = deliveryId === undefined ? undefined : router.deliveries.get(deliveryId);
  if (deliveryId !== undefined && delivery === undefined)
    throw new Refusal(
      'NOT_FOUND',
      { reason: `There is no delivery ${deliveryId}.` },
      { field: 'deliveryId' },
    );
  return {
    ...listed,
    timeScale: router.status().timeScale,
    ...withoutUndefined({ delivery }),
    ...(of === 'dead-letters' ? { deadLetters: router.deliveries.deadLetters() } : {}),
    ...(deadLetterFile === undefined ? {} : { deadLetter: deadLetterText(router, deadLetterFile) }),
  };
}

async function certificate(
  deps: ConsoleDependencies,
  lookup: Lookup,
  { act: wanted }: CertificateParams,
): Promise<CertificateResult> {
  const { trust } = deps.settings();
  const ours = { systemRoots: trust.trustSystemRoots, extraCaFiles: trust.extraCaFiles };
  if (deps.access.router === undefined && wanted === undefined) return { trust: ours };
  const router = await lookup.router();
  if (wanted === 'renew-leaf') await asRefusal(() => router.certificates.renewLeaf());
  if (wanted === 'rotate-ca') await asRefusal(() => router.certificates.rotateCa());
  return {
    ...router.certificates.status(),
    ingress: router.ingress.status(),
    pem: router.certificates.caPem(),
    trust: ours,
  };
}

async function faults(
  deps: ConsoleDependencies,
  lookup: Lookup,
  params: FaultsParams,
): Promise<FaultsResult> {
  const isChange = Object.keys(params).length > 0;
  if (deps.access.router === undefined && !isChange)
    return { ingress: 'none', faults: [], timeScale: scale(deps) };
  const router = await lookup.router();
  if (params.ingress !== undefined) await asRefusal(() => router.ingress.setFault(params.ingress ?? 'none'));
  // Input sides that wait for the ingress retry at once.
  if (params.ingress === 'none') for (const { input } of deps.bindings.values()) input?.retry();
  if (params.add !== undefined) router.faults.arm(params.add);
  if (params.remove !== undefined) router.faults.disarm(params.remove === '*' ? undefined : params.remove);
  if (params.timeScale !== undefined) router.deliveries.setTimeScale(params.timeScale);
  if (isChange) deps.log('info', 'A person changed which faults the embedded router makes on purpose.');
  return {
    ingress: router.ingress.status().fault,
    faults: router.faults.list(),
    timeScale: router.status().timeScale,
  };
}

async function emulate(lookup: Lookup, params: EmulateParams): Promise<EmulateResult> {
  const { binding } = lookup.input(params.component);
  const fields = binding.fields?.input;
  const router = await lookup.router();
  const { token = 'valid', events, batch = false } = params;
  const isBatch = batch || (events !== undefined && events.length > 1);
  const body = events === undefined ? undefined : JSON.stringify(isBatch ? events : events[0]);
  const url = fields?.subscriberEndpoint ?? '';
  const attempt = await router.emulate({
    url,
    kind: params.send === 'handshake' ? 'handshake' : isBatch ? 'batch' : 'event',
    token,
    ...(fields === undefined ? {} : { tenantId: fields.tenantId, clientId: fields.clientId }),
    ...withoutUndefined({ body }),
  });
  const status = attempt.response?.status;
  const { error } = attempt;
  return {
    url,
    token,
    ...withoutUndefined({ status }),
    headers: attempt.response?.headers ?? {},
    body: attempt.response?.body ?? '',
    durationMs: attempt.durationMs ?? 0,
    ...(error?.evr === undefined ? {} : { code: error.evr }),
    ...(error === undefined ? {} : { error: error.message }),
    ...(params.send === 'handshake' ? { health: healthOf(status) } : {}),
  };
}

function healthOf(status: number | undefined): NonNullable<EmulateResult['health']> {
  if (status === 200) return 'healthy';
  return status === 503 ? 'malfunctioning-ingress' : 'not-healthy';
}

async function act(
  deps: ConsoleDependencies,
  router: LocalRouter,
  lookup: Lookup,
  params: RouterActParams,
): Promise<Changed> {
  const { act: wanted, deadLetterFile, event, subscriptionId } = params;
  const how = {
    ...withoutUndefined({ text: event, subscriptionId }),
  };
  if (deadLetterFile !== undefined) {
    if (wanted === 'delete') return { changed: await router.deliveries.removeDeadLetters([deadLetterFile]) };
    const file = neededFile(router, deadLetterFile);
    if (wanted !== 'replay')
      throw new Refusal(
        'INVALID_PARAMS',
        { reason: 'A dead-letter file is replayed or deleted.' },
        { field: 'act' },
      );
    await router.deliveries.resend(file.deliveryId, how);
    return { changed: 1 };
  }
  const ids = idsOf(deps, router, lookup, params);
  const refused: { deliveryId: string; code: string; state: string }[] = [];
  let changed = 0;
  for (const deliveryId of ids) {
    try {
      if (wanted === 'replay') await router.deliveries.resend(deliveryId, how);
      else await router.deliveries.act(deliveryId, plainAct(wanted));
      changed += 1;
    } catch (error) {
      // For a single delivery its own refusal is the answer.
      if (!(error instanceof Refusal) || params.deliveryId !== undefined) throw error;
      const state = router.deliveries.get(deliveryId)?.state ?? 'gone';
      refused.push({ deliveryId, code: error.code, state });
    }
  }
  return { changed, ...(refused.length === 0 ? {} : { refused }) };
}

function neededFile(router: LocalRouter, name: string): DeadLetterFile {
  const file = router.deliveries.deadLetters().find((one) => one.file === name);
  if (file !== undefined) return file;
  throw new Refusal('NOT_FOUND', { reason: `There is no file ${name}.` }, { field: 'deadLetterFile' });
}

/** Text of a dead-letter file. */
function deadLetterText(router: LocalRouter, name: string): string {
  return router.deliveries.deadLetter(neededFile(router, name).file);
}

function plainAct(wanted: RouterActParams['act']): (typeof ROUTER_ACTS)[number] {
  const plain = ROUTER_ACTS.find((one) => one === wanted);
  if (plain !== undefined) return plain;
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: `${wanted} is an act on dead-letter files.` },
    { field: 'act' },
  );
}

function idsOf(
  deps: ConsoleDependencies,
  router: LocalRouter,
  lookup: Lookup,
  params: RouterActParams,
): readonly string[] {
  if (params.deliveryId !== undefined) return [params.deliveryId];
  if (params.deliveryIds !== undefined) return params.deliveryIds;
  const { act: wanted, matching } = params;
  if (matching !== undefined) {
    const possible = wanted === 'replay' || wanted === 'delete' ? DELIVERY_STATES : ROUTER_ACT_FROM[wanted];
    const { states = possible, ...rest } = matching;
    return listed(router, { ...rest, states: states.filter((state) => possible.includes(state)) });
  }
  const subscriptionId = recordIdOf(deps, lookup.binding(needed(params.component, 'component')));
  return listed(router, { subscriptionId, states: ['queued', 'held', 'retrying', 'parked'] });
}

/** Ids of everything that a query finds; a query without states finds nothing. */
function listed(router: LocalRouter, query: RouterDeliveryQuery): readonly string[] {
  const ids: string[] = [];
  if (query.states?.length === 0) return ids;
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = router.deliveries.list({
      ...query,
      limit: 500,
      ...withoutUndefined({ cursor }),
    });
    ids.push(...page.items.map(({ deliveryId }) => deliveryId));
    cursor = page.nextCursor;
  }
  return ids;
}
