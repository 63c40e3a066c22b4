/** Uses the management API for one component: its token, its subscription, and an earlier subscription. */
import type { ManagementToken } from '../../contract/event-router/components.ts';
import type { SubscriptionProperties, SubscriptionRecord } from '../../contract/event-router/wire.ts';
import { differences, propertiesToPut } from '../rules/reconcile.ts';
import type { Difference, WantedSubscription } from '../rules/reconcile.ts';
import { parseScope } from '../../router-protocol/scope.ts';
import type { Scope } from '../../router-protocol/scope.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import type { RouterEndpoints, SubscriptionName } from '../client/router-access.ts';
import { requestToken } from '../client/identity.ts';
import type { AccessToken } from '../client/identity.ts';
import { PART } from './input-dependencies.ts';
import type { InputDependencies } from './input-dependencies.ts';
import { createControlPlane } from '../client/management.ts';
import type { ControlPlane } from '../client/management.ts';
import { pause } from './waiting.ts';

const RENEW_MS = 300_000;
const BUSY_STEP_MS = 2_000;
const BUSY_MAX_MS = 60_000;
const DEADLINE_MS = 5 * 60_000;

export class SubscriptionManager {
  readonly #deps: InputDependencies;
  #endpoints: RouterEndpoints | undefined;
  #plane: ControlPlane | undefined;
  #tokenEndpoint = '';
  #token: AccessToken | undefined;
  #tokenTrouble: RouterTrouble | undefined;
  /** A subscription that was made for an earlier scope or name and still exists. */
  previous: SubscriptionName | undefined;

  constructor(deps: InputDependencies) {
    this.#deps = deps;
  }

  /** Uses this router from now on. */
  use(endpoints: RouterEndpoints, tokenEndpoint: string): void {
    const { client, clock } = this.#deps;
    this.#endpoints = endpoints;
    this.#tokenEndpoint = tokenEndpoint;
    this.#token = undefined;
    this.#plane = createControlPlane({
      client,
      endpoints,
      token: (fresh, signal) => this.#currentToken(fresh, signal),
      now: () => clock.now(),
      wait: (ms, signal) => pause(clock, ms, signal),
    });
  }

  /** Gets a token, so that a wrong secret is reported separately. Rejects RouterTrouble EVR-ID-10. */
  async acquire(signal: AbortSignal): Promise<string> {
    const { expiresMs } = await this.#newToken(signal);
    return `valid until ${new Date(expiresMs).toISOString()}`;
  }

  token(): ManagementToken {
    const trouble = this.#tokenTrouble;
    return {
      audience: this.#endpoints?.managementAudience ?? '',
      ...(this.#token === undefined
        ? {}
        : {
            obtainedAt: new Date(this.#token.obtainedMs).toISOString(),
            expiresAt: new Date(this.#token.expiresMs).toISOString(),
          }),
      ...(trouble === undefined ? {} : { code: trouble.code, error: trouble.message }),
    };
  }

  get(signal: AbortSignal): Promise<SubscriptionRecord | null> {
    const { scope, subscriptionName } = this.#deps.fields;
    return this.#ready().getSubscription(scope, subscriptionName, signal);
  }

  /** Creates the subscription, changes what differs, or leaves it unchanged. Rejects RouterTrouble. */
  async reconcile(signal: AbortSignal): Promise<string> {
    const { clock, log, component } = this.#deps;
    const until = clock.now() + DEADLINE_MS;
    await this.#findPrevious();
    let record = await this.get(signal);
    const busyUntil = Math.min(clock.now() + BUSY_MAX_MS, until);
    while (isBusy(record) && clock.now() < busyUntil) {
      await pause(clock, BUSY_STEP_MS, signal);
      record = await this.get(signal);
    }
    const found = record === null ? [] : await this.differences(record, signal);
    if (record !== null && found.length === 0) {
      const text = 'event subscription already exists with the correct endpoint';
      log.write('info', PART, `Component ${component}: ${text}.`);
      await this.#remember();
      return text;
    }
    await this.put(record, signal);
    const what = record === null ? 'created' : `updated (${found.map(({ field }) => field).join(', ')})`;
    log.write('info', PART, `Component ${component}: event subscription has been ${what}.`);
    await this.#remember();
    return `event subscription has been ${what}`;
  }

  /** Differences between the stored subscription and the one that the component needs. */
  async differences(record: SubscriptionRecord, signal: AbortSignal): Promise<readonly Difference[]> {
    const { fields } = this.#deps;
    const hasQuery = fields.subscriberEndpoint.includes('?');
    const full = hasQuery
      ? await this.#ready().fullUrl(fields.scope, fields.subscriptionName, signal)
      : undefined;
    return differences(record, this.#wanted(), full);
  }

  /**
   * Puts the subscription and waits for the operation to end.
   * @param changes members that a person changed
   */
  async put(
    record: SubscriptionRecord | null,
    signal: AbortSignal,
    changes: SubscriptionProperties = {},
  ): Promise<SubscriptionRecord> {
    const { scope, subscriptionName } = this.#deps.fields;
    const properties = { ...propertiesToPut(record, this.#wanted()), ...changes };
    const plane = this.#ready();
    const handle = await plane.putSubscription(scope, subscriptionName, properties, signal);
    return plane.awaitOperation(handle, signal);
  }

  /** Deletes the subscription of an earlier configuration, or another one by scope and name. */
  async remove(target: SubscriptionName, signal: AbortSignal): Promise<void> {
    await this.#ready().deleteSubscription(this.#scopeOf(target.scope), target.name, signal);
    if (this.previous?.scope === target.scope && this.previous.name === target.name)
      this.previous = undefined;
    this.#deps.changed();
  }

  /** Calls the address by which a person consents. Rejects RouterTrouble. */
  async visit(url: string, signal: AbortSignal): Promise<void> {
    const { client } = this.#deps;
    const answer = await client.call(
      { url, method: 'GET', timeoutMs: 30_000, maxBytes: 4096, onTooLarge: 'cut', signal },
      'EVR-NET-10',
    );
    if (answer.status !== 200) throw new RouterTrouble('EVR-MGT-01', `the router answered ${answer.status}`);
  }

  async refreshToken(signal: AbortSignal): Promise<void> {
    await this.#newToken(signal);
  }

  #wanted(): WantedSubscription {
    const { subscriberEndpoint, tenantId, clientId } = this.#deps.fields;
    return { subscriberEndpoint, tenantId, clientId };
  }

  #ready(): ControlPlane {
    if (this.#plane !== undefined) return this.#plane;
    throw new RouterTrouble('EVR-ID-01', 'the router is not known yet');
  }

  #scopeOf(text: string): Scope {
    const scope = parseScope(text, this.#endpoints?.namespace ?? '');
    if (scope.ok) return scope.value;
    throw new RouterTrouble(scope.complaint.code, `the scope ${text} ${scope.complaint.reason}`);
  }

  async #findPrevious(): Promise<void> {
    const { access, component } = this.#deps;
    const last = await access.remembered(component);
    this.previous = last === undefined || this.#isOurs(last) ? last?.previous : last;
    if (this.previous !== undefined && this.#isOurs(this.previous)) this.previous = undefined;
  }

  #isOurs({ scope, name }: SubscriptionName): boolean {
    const { fields } = this.#deps;
    const wanted = parseScope(scope, this.#endpoints?.namespace ?? '');
    const key = wanted.ok ? wanted.value.key : scope.toLowerCase();
    return key === fields.scope.key && name.toLowerCase() === fields.subscriptionName.toLowerCase();
  }

  async #remember(): Promise<void> {
    const { access, component, fields } = this.#deps;
    const { previous } = this;
    await access.remember(component, {
      scope: fields.scope.text,
      name: fields.subscriptionName,
      ...(previous === undefined ? {} : { previous: { scope: previous.scope, name: previous.name } }),
    });
  }

  async #currentToken(fresh: boolean, signal: AbortSignal): Promise<string> {
    const { clock } = this.#deps;
    const known = this.#token;
    if (!fresh && known !== undefined && known.expiresMs - clock.now() > RENEW_MS) return known.secret;
    return (await this.#newToken(signal)).secret;
  }

  async #newToken(signal: AbortSignal): Promise<AccessToken> {
    const { client, clock, fields } = this.#deps;
    try {
      const request = {
        endpoint: this.#tokenEndpoint,
        clientId: fields.clientId,
        clientSecret: fields.clientSecret,
        scope: `${this.#endpoints?.managementAudience ?? ''}/.default`,
      };
      this.#token = await requestToken(request, { client, clock }, signal);
      this.#tokenTrouble = undefined;
      return this.#token;
    } catch (error) {
      if (error instanceof RouterTrouble) this.#tokenTrouble = error;
      throw error;
    }
  }
}

function isBusy(record: SubscriptionRecord | null): boolean {
  const state = record?.properties?.provisioningState;
  return state === 'Creating' || state === 'Updating';
}
