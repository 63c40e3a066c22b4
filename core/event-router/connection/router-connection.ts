/**
 * Connects event-router components with their router: at the addresses of the settings or of a cloud, or the
 * embedded router, which opens when it is needed.
 */
import { anchorsOf } from '../../router-protocol/tls-trust.ts';
import { EVR_CODES } from '../../contract/event-router/words.ts';
import type { EvrCode } from '../../contract/event-router/wire.ts';
import type { Profile } from '../../contract/profile.ts';
import { isLoopbackUrl } from '../rules/field-rules.ts';
import { CLOUDS } from '../rules/clouds.ts';
import type { EventRouterSettings } from '../../contract/event-router/settings.ts';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { listenersNamedBy } from './named-listeners.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import { isObject } from '../../domain/json.ts';
import type { Journal } from '../../ports/journal.ts';
import type { LocalRouter, RouterListener } from '../../ports/local-router.ts';
import { RouterError } from '../../ports/local-router.ts';
import type { Log } from '../../ports/log.ts';
import type {
  KnownSubscription,
  RouterAccess,
  RouterEndpoints,
  RouterGuest,
  SubscriptionName,
  WebhookRules,
} from '../client/router-access.ts';

export interface ConnectionDependencies {
  readonly profile: Profile;
  readonly settings: () => EventRouterSettings;
  readonly journal: Journal;
  readonly log: Log;
  /** Makes the embedded router without opening it. */
  readonly makeRouter: (
    settings: EventRouterSettings,
    named: ReadonlySet<RouterListener>,
  ) => Promise<LocalRouter>;
  /** Called when the router opened or failed to open. */
  readonly changed: () => void;
}

const PART = 'event-router';
const KEPT_KEY = 'event-router-subscriptions';

/** Namespace of the router in scopes and paths. */
export function namespaceOf(settings: EventRouterSettings, profile: Profile): string {
  return settings.namespace ?? (profile.brand === 'dapr' ? 'Microsoft.EventGrid' : 'Cloud.EventRouter');
}

export class RouterConnection implements RouterAccess {
  readonly #deps: ConnectionDependencies;
  #router: LocalRouter | undefined;
  #opening: Promise<LocalRouter> | undefined;
  #error: { readonly code?: EvrCode; readonly message: string } | undefined;
  #anchors: { readonly key: string; readonly pems: readonly string[] } | undefined;

  constructor(deps: ConnectionDependencies) {
    this.#deps = deps;
  }

  /** The embedded router while it runs. */
  get router(): LocalRouter | undefined {
    return this.#router;
  }

  /** Why the embedded router could not open. */
  get routerError(): { readonly code?: EvrCode; readonly message: string } | undefined {
    return this.#error;
  }

  get isEmbedded(): boolean {
    const { mode, endpoints, cloud } = this.#deps.settings();
    return mode === 'embedded' && endpoints === null && cloud === null;
  }

  async prepare(guest: RouterGuest): Promise<RouterEndpoints> {
    const { log } = this.#deps;
    const given = this.endpoints();
    if (given !== undefined) {
      const endpoint = guest.input?.subscriberEndpoint;
      if (endpoint !== undefined && isLoopbackUrl(endpoint) && !isLoopbackUrl(given.management)) {
        const text = `component "${guest.component}": subscriberEndpoint is on this machine, which an external router cannot reach without a tunnel (EVR-CFG-96)`;
        log.write('warn', PART, text);
      }
      return given;
    }
    const router = await this.openRouter(guest);
    await router.adopt({
      component: guest.component,
      ...(guest.output === undefined
        ? {}
        : { topicEndpoint: guest.output.topicEndpoint, accessKey: guest.output.accessKey.reveal() }),
      ...(guest.input === undefined
        ? {}
        : { input: { ...guest.input, clientSecret: guest.input.clientSecret.reveal() } }),
    });
    return this.#embedded(router);
  }

  /** Addresses that are known without opening anything; undefined: the router is the embedded one. */
  endpoints(): RouterEndpoints | undefined {
    const settings = this.#deps.settings();
    const { mode, endpoints, cloud, routerApplicationId } = settings;
    const namespace = namespaceOf(settings, this.#deps.profile);
    const common = { namespace, routerApplicationId };
    if (mode === 'off') {
      throw new RouterTrouble('EVR-ID-01', 'there is no event router: the setting eventRouter.mode is off', {
        final: true,
      });
    }
    if (endpoints !== null) {
      const { authority, management, managementAudience, apiVersion } = endpoints;
      return {
        ...common,
        authority,
        management,
        managementAudience: managementAudience ?? management,
        apiVersion,
      };
    }
    if (cloud === null) return undefined;
    const { authority, management } = CLOUDS[cloud];
    return { ...common, authority, management, managementAudience: management, apiVersion: '2022-06-15' };
  }

  /**
   * The embedded router, which is opened if it is not yet. Rejects RouterTrouble.
   * @param guest component whose addresses it must have; absent: none
   */
  openRouter(guest?: RouterGuest): Promise<LocalRouter> {
    if (this.#router !== undefined) return Promise.resolve(this.#router);
    this.#opening ??= this.#open(guest).finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  /** The embedded router as it runs once an opening under way has ended; undefined: it is not open. Opens nothing. */
  async opened(): Promise<LocalRouter | undefined> {
    await this.#opening?.catch(() => undefined);
    return this.#router;
  }

  anchors(): readonly string[] {
    const { trust } = this.#deps.settings();
    const local = this.#router?.certificates.caPem() ?? '';
    const key = JSON.stringify([trust, local]);
    if (this.#anchors?.key === key) return this.#anchors.pems;
    const pems = anchorsOf({ ...trust, ...(local === '' ? {} : { local }) });
    this.#anchors = { key, pems };
    return pems;
  }

  rules(): WebhookRules {
    const settings = this.#deps.settings();
    const { callerCheck, handshakeAuth, acceptV1Tokens, requireRole } = settings;
    const { audiences, allowedOrigins, forwardRouterHeaders, ingress } = settings;
    return {
      callerCheck: callerCheck ?? (this.#deps.profile.brand === 'dapr' ? 'warn' : 'enforce'),
      handshakeAuth,
      acceptV1Tokens,
      requireRole,
      audiences,
      allowedOrigins,
      forwardRouterHeaders,
      selfProbe: ingress.selfProbe,
    };
  }

  async remembered(component: string): Promise<KnownSubscription | undefined> {
    const all = await this.#kept();
    return all[component];
  }

  async remember(component: string, subscription: KnownSubscription): Promise<void> {
    const all = await this.#kept();
    if (JSON.stringify(all[component]) === JSON.stringify(subscription)) return;
    await this.#deps.journal.append([
      { kind: 'kept', key: KEPT_KEY, value: { ...all, [component]: subscription } },
    ]);
  }

  /** Closes the listeners; deliveries in flight get a short time. */
  async close(): Promise<void> {
    await this.#opening?.catch(() => undefined);
    const router = this.#router;
    this.#router = undefined;
    await router?.stop();
  }

  async #open(guest: RouterGuest | undefined): Promise<LocalRouter> {
    const { settings, makeRouter, changed, log } = this.#deps;
    try {
      const given = settings();
      const router = await makeRouter(given, listenersNamedBy(guest, given.listen));
      await startOrClose(router);
      this.#router = router;
      this.#error = undefined;
      const { router: address, ingress } = router.addresses();
      const also = ingress === '' ? '; its ingress does not listen' : `, its ingress at ${ingress}`;
      log.write('info', PART, `The embedded event router listens at ${address}${also}.`);
      return router;
    } catch (error) {
      const message = errorText(error);
      const code = error instanceof RouterError && isEvrCode(error.code) ? error.code : undefined;
      this.#error = { message, ...withoutUndefined({ code }) };
      throw new RouterTrouble(code ?? 'EVR-NET-01', `the embedded router cannot open: ${message}`, {
        cause: error,
      });
    } finally {
      changed();
    }
  }

  #embedded(router: LocalRouter): RouterEndpoints {
    const settings = this.#deps.settings();
    const { router: address } = router.addresses();
    return {
      authority: address,
      management: address,
      managementAudience: address,
      apiVersion: '2022-06-15',
      namespace: namespaceOf(settings, this.#deps.profile),
      routerApplicationId: settings.routerApplicationId,
    };
  }

  async #kept(): Promise<Readonly<Record<string, KnownSubscription>>> {
    const value = await this.#deps.journal.kept(KEPT_KEY);
    if (!isObject(value)) return {};
    const known: Record<string, KnownSubscription> = {};
    for (const [component, one] of Object.entries(value)) {
      const name = nameOf(one);
      if (name === undefined) continue;
      const previous = isObject(one) ? nameOf(one['previous']) : undefined;
      known[component] = { ...name, ...withoutUndefined({ previous }) };
    }
    return known;
  }
}

/**
 * Starts a router. If it cannot listen, everything it opened is closed, because the next try uses a new
 * router.
 */
async function startOrClose(router: LocalRouter): Promise<void> {
  try {
    await router.start();
  } catch (error) {
    await router.stop();
    throw error;
  }
}

function isEvrCode(code: string): code is EvrCode {
  return Object.hasOwn(EVR_CODES, code);
}

function nameOf(value: unknown): SubscriptionName | undefined {
  if (!isObject(value)) return undefined;
  const { scope, name } = value;
  return typeof scope === 'string' && typeof name === 'string' ? { scope, name } : undefined;
}
