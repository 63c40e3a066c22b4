/**
 * `eventRouter.token` and `eventRouter.reveal`: tokens, keys, the embedded directory; reveal shows one secret
 * in plain text.
 */
import { randomBytes } from 'node:crypto';
import type {
  RevealParams,
  TokenParams,
  TokenReport,
  TokenResult,
} from '../../contract/event-router/methods.ts';
import { fieldOf } from '../rules/field-names.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { EventRouterMethods } from '../../ports/event-router.ts';
import { ROLE_WORDS, ROUTER_ROLES, routerRole } from '../../ports/local-router.ts';
import type { RouterRole } from '../../ports/local-router.ts';
import { asRefusal, callSignal, needed } from './lookup.ts';
import type { ConsoleDependencies, Lookup } from './lookup.ts';

const SAS_MS = 3_600_000;

export function tokenMethods(
  deps: ConsoleDependencies,
  lookup: Lookup,
): Pick<EventRouterMethods, 'eventRouter.token' | 'eventRouter.reveal'> {
  return {
    'eventRouter.token': async (params) => {
      const extra = await act(deps, lookup, params);
      const { router } = deps.access;
      return {
        items: reports(deps, params.component),
        ...(router === undefined ? {} : { identity: router.identity.status() }),
        ...extra,
      };
    },
    'eventRouter.reveal': async (params) => {
      const value = await secretOf(deps, lookup, params);
      const what =
        params.component === undefined
          ? `${params.sas === true ? 'a signature token by ' : ''}${params.keyName ?? 'key1'} of topic ${params.topic ?? ''}`
          : `${params.field ?? ''} of component ${params.component}`;
      deps.log('warn', `A person looked at ${what}.`);
      return { value };
    },
  };
}

function reports({ bindings }: ConsoleDependencies, component: string | undefined): readonly TokenReport[] {
  return [...bindings].flatMap(([name, { input }]) =>
    input === undefined || (component !== undefined && component !== name)
      ? []
      : [{ component: name, ...input.tokens() }],
  );
}

async function act(
  deps: ConsoleDependencies,
  lookup: Lookup,
  params: TokenParams,
): Promise<Partial<TokenResult>> {
  switch (params.act) {
    case undefined:
      return {};
    case 'refresh': {
      const { input } = lookup.input(needed(params.component, 'component'));
      await asRefusal(() => input.refresh(callSignal()));
      return {};
    }
    case 'rotate-key':
      await asRefusal(async () => (await lookup.router()).identity.rotateKey());
      return {};
    case 'fault': {
      const router = await lookup.router();
      const { fault = 'valid', times = 1 } = params;
      router.identity.simulate(fault, fault === 'valid' ? 0 : times);
      return {};
    }
    default:
      return directory(deps, lookup, params);
  }
}

/** Serves the two steps of an administrator, and other changes of the directory. */
async function directory(
  deps: ConsoleDependencies,
  lookup: Lookup,
  params: TokenParams,
): Promise<Partial<TokenResult>> {
  const { identity } = await lookup.router();
  const input = params.component === undefined ? undefined : lookup.binding(params.component).fields?.input;
  const clientId = needed(params.clientId ?? input?.clientId, 'clientId');
  const log = (text: string): void => deps.log('info', `${text} (by a person)`);
  switch (params.act) {
    case 'rotate-secret':
    case 'add-app': {
      const tenantId = needed(params.tenantId ?? input?.tenantId, 'tenantId');
      const clientSecret = params.clientSecret ?? randomBytes(24).toString('base64url');
      await asRefusal(() => identity.registerClient({ tenantId, clientId, clientSecret }));
      log(`The client ${clientId} has a new secret.`);
      return { clientSecret };
    }
    case 'setup-identity': {
      // From now on the router's own application may call the webhook's application.
      await asRefusal(() =>
        identity.grant(deps.settings().routerApplicationId, 'webhook-subscriber', clientId),
      );
      await asRefusal(() => identity.grant(clientId, 'webhook-subscriber', clientId));
      log(`The router's application may call ${clientId}.`);
      return {};
    }
    default: {
      const role = roleOf(params.role ?? 'event-subscription-contributor');
      const scope = params.scope ?? input?.scope.text ?? needed(undefined, 'scope');
      if (params.act === 'revoke') await asRefusal(() => identity.revoke(clientId, role, scope));
      else await asRefusal(() => identity.grant(clientId, role, scope));
      log(`${params.act === 'revoke' ? 'Removed' : 'Granted'}: ${role} at ${scope} for ${clientId}.`);
      // Input sides that wait for a role retry at once.
      for (const { input: side } of deps.bindings.values()) side?.retry();
      return {};
    }
  }
}

function roleOf(text: string): RouterRole {
  const role = routerRole(text);
  if (role !== undefined) return role;
  const expected = ROUTER_ROLES.map((one) => `${one} (${ROLE_WORDS[one].name})`).join(', ');
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: `role must be one of ${expected}.` },
    { field: 'role', expected },
  );
}

async function secretOf(deps: ConsoleDependencies, lookup: Lookup, params: RevealParams): Promise<string> {
  if (params.component === undefined) {
    const router = await lookup.router();
    if (params.sas === true)
      return router.topics.sas(needed(params.topic, 'topic'), deps.now() + SAS_MS, params.keyName ?? 'key1');
    return router.topics.keys(needed(params.topic, 'topic'))[params.keyName ?? 'key1'];
  }
  const { fields } = lookup.binding(params.component);
  const field = fieldOf(needed(params.field, 'field'), deps.profile);
  const secret =
    field === 'accessKey'
      ? fields?.output?.accessKey
      : field === 'clientSecret'
        ? fields?.input?.clientSecret
        : undefined;
  if (secret !== undefined) return secret.reveal();
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: `${params.field ?? ''} is not a secret of this component.` },
    { field: 'field' },
  );
}
