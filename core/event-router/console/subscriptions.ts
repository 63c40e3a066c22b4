/** `eventRouter.subscriptions`: the stored subscriptions, and those that the components need. */
import type {
  SubscriptionReport,
  SubscriptionsParams,
  SubscriptionsResult,
} from '../../contract/event-router/methods.ts';
import type { SubscriptionRecord } from '../../contract/event-router/wire.ts';
import type { RouterSubscription } from '../../contract/event-router/local-router.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { EventRouterBinding } from '../binding/binding.ts';
import { isObject } from '../../domain/json.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { EventRouterMethods } from '../../ports/event-router.ts';
import { asRefusal, callSignal, recordIdOf, needed } from './lookup.ts';
import type { ConsoleDependencies, Lookup } from './lookup.ts';

export function subscriptionMethods(
  deps: ConsoleDependencies,
  lookup: Lookup,
): Pick<EventRouterMethods, 'eventRouter.subscriptions'> {
  return {
    'eventRouter.subscriptions': async (params) => {
      const extra = await act(deps, lookup, params);
      return { items: await listAll(deps, params.component), ...extra };
    },
  };
}

async function act(
  deps: ConsoleDependencies,
  lookup: Lookup,
  params: SubscriptionsParams,
): Promise<Partial<SubscriptionsResult>> {
  const { act: wanted = 'list', properties = {}, event } = params;
  if (wanted === 'list') return {};
  const { binding, input } = lookup.input(needed(params.component, 'component'));
  const signal = callSignal();
  const own = {
    scope: binding.fields?.input?.scope.text ?? '',
    name: binding.fields?.input?.subscriptionName ?? '',
  };
  const target = { scope: params.scope ?? own.scope, name: params.name ?? own.name };
  switch (wanted) {
    case 'put':
      await asRefusal(() => input.putAgain(signal));
      return {};
    case 'change':
      await asRefusal(async () =>
        input.management.put(await input.management.get(signal), signal, properties),
      );
      return {};
    case 'delete':
      await asRefusal(() => input.management.remove(target, signal));
      deps.log('info', `The event subscription ${target.name} at ${target.scope} was deleted by a person.`);
      return {};
    case 'test': {
      const router = await lookup.router();
      if (!isObject(event))
        throw new Refusal('INVALID_PARAMS', { reason: 'event must be an object.' }, { field: 'event' });
      const { matches, because } = router.subscriptions.test(recordIdOf(deps, binding), event);
      return { matches, ...(because === undefined ? {} : { because: describeReason(because) }) };
    }
  }
}

async function listAll(
  deps: ConsoleDependencies,
  component: string | undefined,
): Promise<readonly SubscriptionReport[]> {
  const { bindings, access } = deps;
  const local = access.router?.subscriptions.list() ?? [];
  const known = new Set<string>();
  const reports: SubscriptionReport[] = [];
  for (const [name, binding] of bindings) {
    if (binding.input === undefined || (component !== undefined && component !== name)) continue;
    const found = local.find(({ record }) => record.id === recordIdOf(deps, binding));
    if (found !== undefined) known.add(found.record.id);
    reports.push(await currentOf(name, binding, found));
    const { previous } = binding.input.management;
    if (previous !== undefined) {
      const tail = `/${previous.name.toLowerCase()}`;
      const old = local.find(
        ({ record }) =>
          record.id.toLowerCase().startsWith(previous.scope.toLowerCase()) &&
          record.id.toLowerCase().endsWith(tail),
      );
      if (old !== undefined) known.add(old.record.id);
      reports.push({
        component: name,
        ...previous,
        differences: [],
        role: 'previous',
        ...(old === undefined ? {} : { record: old.record, router: old }),
      });
    }
  }
  if (component === undefined)
    for (const one of local) if (!known.has(one.record.id)) reports.push(otherOf(one));
  return reports;
}

async function currentOf(
  component: string,
  { input, fields }: EventRouterBinding,
  router: RouterSubscription | undefined,
): Promise<SubscriptionReport> {
  const base = {
    component,
    scope: fields?.input?.scope.text ?? '',
    name: fields?.input?.subscriptionName ?? '',
    role: 'current' as const,
    ...withoutUndefined({ router }),
  };
  try {
    const signal = callSignal();
    const record = (await input?.management.get(signal)) ?? null;
    if (record === null) return { ...base, differences: [] };
    const differences = (await input?.management.differences(record, signal)) ?? [];
    return { ...base, ...shownRecord(record), differences };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    return {
      ...base,
      differences: [],
      error: `${typeof code === 'string' ? `${code}: ` : ''}${errorText(error)}`,
    };
  }
}

function otherOf(router: RouterSubscription): SubscriptionReport {
  const [scope = ''] = router.record.id.split(/\/providers\/[^/]+\/eventSubscriptions\//i);
  return {
    scope,
    name: router.record.name,
    ...shownRecord(router.record),
    differences: [],
    role: 'other',
    router,
  };
}

function shownRecord(record: SubscriptionRecord): Pick<SubscriptionReport, 'record' | 'state' | 'schema'> {
  const { provisioningState: state, eventDeliverySchema: schema } = record.properties;
  return { record, ...withoutUndefined({ state, schema }) };
}

function describeReason(
  because: 'type' | 'subject' | { readonly operatorType: string; readonly key: string },
): string {
  return typeof because === 'string' ? because : `${because.operatorType} ${because.key}`;
}
