/** Serves `eventRouter.*`: components by what is loaded, the embedded router through its port. */
import type { EventRouterComponent, EventRouterStatus } from '../../contract/event-router/components.ts';
import type { HandshakeAct, HandshakeResult } from '../../contract/event-router/methods.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { EventRouterMethods } from '../../ports/event-router.ts';
import { createEvent } from './create.ts';
import { writtenBeforeAnswer } from './written-before-answer.ts';
import { embeddedMethods } from './embedded.ts';
import { asRefusal, callSignal, lookupOver, recordIdOf } from './lookup.ts';
import type { ConsoleDependencies, Lookup } from './lookup.ts';
import { componentReport } from './status.ts';
import { subscriptionMethods } from './subscriptions.ts';
import { tokenMethods } from './tokens.ts';

/** Makes the methods for the components that the runtime has loaded. */
export function eventRouterMethods(deps: ConsoleDependencies): EventRouterMethods {
  const lookup = lookupOver(deps);
  const methods: EventRouterMethods = {
    'eventRouter.status': async ({ component }) => statusOf(deps, component),
    'eventRouter.handshake': (params) => handshake(deps, lookup, params),
    'eventRouter.create': (params) => createEvent(deps, lookup, params),
    ...subscriptionMethods(deps, lookup),
    ...tokenMethods(deps, lookup),
    ...embeddedMethods(deps, lookup),
  };
  return writtenBeforeAnswer(methods, () => deps.access.router?.written());
}

function statusOf(deps: ConsoleDependencies, wanted: string | undefined): EventRouterStatus {
  const { profile, components, bindings, access, settings } = deps;
  const rows = components().filter(
    (row) => row.type === profile.binding.type && (wanted === undefined || row.name === wanted),
  );
  if (wanted !== undefined && rows.length === 0) {
    const reason = `No component ${wanted} of type ${profile.binding.type} is loaded.`;
    throw new Refusal('NOT_FOUND', { reason }, { field: 'component' });
  }
  const { mode, cloud } = settings();
  const given = mode === 'off' ? undefined : access.endpoints();
  const router = access.router;
  const own = router?.addresses().router;
  const { routerError } = access;
  const endpoints =
    given ??
    (own === undefined
      ? undefined
      : { authority: own, management: own, managementAudience: own, apiVersion: '2022-06-15' });
  return {
    mode: mode === 'off' ? 'off' : access.isEmbedded ? 'embedded' : 'external',
    ...(given === undefined ? {} : { externalName: cloud ?? new URL(given.management).host }),
    ...(endpoints === undefined
      ? {}
      : {
          endpoints: {
            authority: endpoints.authority,
            management: endpoints.management,
            managementAudience: endpoints.managementAudience,
            apiVersion: endpoints.apiVersion,
          },
        }),
    ...(router === undefined ? {} : { router: router.status() }),
    ...withoutUndefined({ routerError }),
    components: rows.map((row) => ({
      ...componentReport(row, bindings.get(row.name), profile),
      ...addedOf(deps),
    })),
  };
}

/** How the component was added: without a folder a person added every event-router component. */
function addedOf({ source }: ConsoleDependencies): Pick<EventRouterComponent, 'added'> {
  if (source.remove === undefined) return {};
  const notKept = source.notKept?.();
  return { added: notKept === undefined ? {} : { notKept } };
}

async function handshake(
  deps: ConsoleDependencies,
  lookup: Lookup,
  { component, act }: { component: string; act?: HandshakeAct },
): Promise<HandshakeResult> {
  const { input, binding } = lookup.input(component);
  const id = recordIdOf(deps, binding);
  // Before the first PUT the router has no subscription, and so no handshake of it.
  const router = id === '' ? undefined : deps.access.router;
  switch (act) {
    case undefined:
      break;
    case 'probe':
      await input.probe(callSignal());
      break;
    case 'router':
      await asRefusal(() => input.putAgain(callSignal()));
      break;
    case 'retry':
      input.retry();
      break;
    case 'revoke':
      input.consents = false;
      deps.log('info', `A person withdrew the consent of component ${component}.`);
      break;
    case 'validate': {
      input.consents = true;
      const url = router?.subscriptions.validationUrl(id);
      if (url !== undefined) await asRefusal(() => input.management.visit(url, callSignal()));
      break;
    }
  }
  const validationUrl = router?.subscriptions.validationUrl(id);
  return {
    component,
    state: input.steps.state,
    handshakes: input.report().handshakes,
    routerHandshakes: router?.subscriptions.handshakes(id) ?? [],
    ...withoutUndefined({ validationUrl }),
  };
}
