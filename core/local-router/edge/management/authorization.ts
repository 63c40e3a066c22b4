/**
 * Authorization of the management API: token, roles, the webhook's application, registration of the provider.
 */
import type { FullProperties } from '../../rules/record-body.ts';
import type { Directory } from '../../identity/directory.ts';
import { objectIdOf } from '../../identity/directory.ts';
import { callerOf } from '../../identity/tokens.ts';
import type { Tokens } from '../../identity/tokens.ts';
import { ROLE_WORDS } from '../../../ports/local-router.ts';
import type { RouterRole } from '../../../ports/local-router.ts';
import type { RouterStore } from '../../store/store.ts';
import { WireError } from '../../rules/wire-error.ts';

export interface AuthorizationDependencies {
  readonly tokens: Tokens;
  readonly directory: Directory;
  readonly store: RouterStore;
  readonly rbac: 'auto' | 'enforce';
  readonly namespace: string;
  readonly routerApplicationId: string;
  readonly audiences: () => readonly string[];
}

/**
 * Actions on a topic itself. They reveal its keys, and the role for event subscriptions does not include
 * them. The pattern ignores the action's name: characters that change in lower case must not make it a
 * different action here than where it runs.
 */
const CONTRIBUTOR_ONLY = /^topics\/[^/]+\/action$/;

/** Checks of one management API; each throws the WireError that is answered. */
export class Authorization {
  readonly #deps: AuthorizationDependencies;
  readonly #unregistered: Set<string>;

  constructor(deps: AuthorizationDependencies) {
    this.#deps = deps;
    this.#unregistered = new Set(deps.store.kept('unregistered').map(({ key }) => key));
  }

  /** Client id of the caller. */
  async caller(authorization: string | undefined): Promise<string> {
    return callerOf(await this.#deps.tokens.verify(authorization, this.#deps.audiences()));
  }

  /**
   * Throws 403 unless the caller has a role for the action, at the scope or above.
   * @param action without the namespace, such as `topics/read`
   */
  needsRole(caller: string, action: string, scope: string): void {
    const role = CONTRIBUTOR_ONLY.test(action) ? 'contributor' : 'event-subscription-contributor';
    this.#needs(role, caller, action, scope);
  }

  /** Throws 403 unless the caller may assign the role. Only a contributor makes contributors, because they can read the keys of topics. */
  maySetRole(caller: string, role: RouterRole, scope: string): void {
    const needed = role === 'contributor' ? 'contributor' : 'event-subscription-contributor';
    this.#needs(needed, caller, 'roleAssignments/write', scope);
  }

  #needs(
    needed: 'contributor' | 'event-subscription-contributor',
    caller: string,
    action: string,
    scope: string,
  ): void {
    const { directory } = this.#deps;
    if (directory.holds(caller, 'contributor', scope) || directory.holds(caller, needed, scope)) return;
    const role = ROLE_WORDS[needed].name;
    throw new WireError(
      403,
      'AuthorizationFailed',
      `The client '${caller}' with object id '${objectIdOf(caller)}' does not have authorization to perform action '${this.#deps.namespace}/${action}' over scope '${scope}' or the scope is invalid. If access was recently granted, please refresh your credentials. Missing role: ${role}.`,
    );
  }

  /**
   * Throws 403 unless both caller and router may use the application for which tokens of deliveries are made.
   */
  needsApplication(caller: string, properties: FullProperties): void {
    const application = properties.destination.properties.azureActiveDirectoryApplicationIdOrUri;
    if (application === undefined) return;
    const { directory, rbac, routerApplicationId } = this.#deps;
    const known = directory.application(application) !== undefined;
    if (rbac === 'auto' && known) {
      directory.grant({ clientId: routerApplicationId, role: 'webhook-subscriber', scope: application });
    }
    const role = ROLE_WORDS['webhook-subscriber'].name;
    const owns = caller.toLowerCase() === application.toLowerCase();
    if (!owns && !directory.holds(caller, 'webhook-subscriber', application)) {
      throw new WireError(
        403,
        'WebhookApplicationRoleMissing',
        `The client '${caller}' does not own the application '${application}' and has no role assignment ${role} on it.`,
      );
    }
    if (!directory.holds(routerApplicationId, 'webhook-subscriber', application)) {
      throw new WireError(
        403,
        'WebhookApplicationRoleMissing',
        `The service principal of the event router ('${routerApplicationId}') has no role assignment ${role} on the application '${application}'.`,
      );
    }
  }

  isRegistered(subscriptionId: string): boolean {
    return !this.#unregistered.has(subscriptionId.toLowerCase());
  }

  /** Throws 409 if the provider is not registered in the subscription. */
  needsRegistration(subscriptionId: string): void {
    if (this.isRegistered(subscriptionId)) return;
    throw new WireError(
      409,
      'MissingSubscriptionRegistration',
      `The subscription is not registered to use namespace '${this.#deps.namespace}'.`,
    );
  }

  register(subscriptionId: string, registered: boolean): void {
    const key = subscriptionId.toLowerCase();
    if (registered) this.#unregistered.delete(key);
    else this.#unregistered.add(key);
    this.#deps.store.keep('unregistered', key, registered ? undefined : true);
  }
}
