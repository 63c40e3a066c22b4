/** Client of the management API: gets, puts, polls and deletes event subscriptions. */
import type { SubscriptionProperties, SubscriptionRecord } from '../../contract/event-router/wire.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { subscriptionPath } from '../../router-protocol/scope.ts';
import type { Scope } from '../../router-protocol/scope.ts';
import { RouterTrouble, managementCode, retryAfterMs } from '../rules/trouble.ts';
import { isObject, tryParse } from '../../domain/json.ts';
import type { EventRouterControlPlane, OperationHandle } from './router-client.ts';
import type { RouterEndpoints } from './router-access.ts';
import type { TrustedAnswer, TrustedClient } from './trusted-client.ts';

export interface ManagementPorts {
  readonly client: TrustedClient;
  readonly endpoints: RouterEndpoints;
  /** Returns a valid token; `fresh`: the last one was refused. */
  readonly token: (fresh: boolean, signal: AbortSignal) => Promise<string>;
  readonly now: () => number;
  /** Resolves after that time; rejects when `signal` is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface ControlPlane extends EventRouterControlPlane {
  /** Endpoint of a subscription with its query, which a record does not have. */
  fullUrl(scope: Scope, name: string, signal: AbortSignal): Promise<string | undefined>;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 1024 * 1024;
const POLL_MS = 1_000;
const SLOWEST_POLL_MS = 10_000;
const OPERATION_MS = 5 * 60_000;

/** Makes the client. Its methods reject RouterTrouble with the codes EVR-MGT-01 to -09. */
export function createControlPlane(ports: ManagementPorts): ControlPlane {
  return new Management(ports);
}

class Management implements ControlPlane {
  readonly #ports: ManagementPorts;

  constructor(ports: ManagementPorts) {
    this.#ports = ports;
  }

  async getSubscription(scope: Scope, name: string, signal: AbortSignal): Promise<SubscriptionRecord | null> {
    const answer = await this.#call('GET', this.#url(scope, name), undefined, signal);
    if (answer.status === 404 && errorOf(answer).code === 'ResourceNotFound') return null;
    if (answer.status === 404 && errorOf(answer).code === '') return null;
    if (answer.status !== 200) throw this.#trouble(answer);
    return recordOf(answer);
  }

  async putSubscription(
    scope: Scope,
    name: string,
    properties: SubscriptionProperties,
    signal: AbortSignal,
  ): Promise<OperationHandle> {
    const answer = await this.#call('PUT', this.#url(scope, name), { properties }, signal);
    if (answer.status < 200 || answer.status > 202) throw this.#trouble(answer);
    const statusUrl = answer.headers['azure-asyncoperation'] ?? answer.headers['location'];
    const record = answer.status === 202 ? undefined : recordOf(answer);
    return {
      scope,
      name,
      ...(statusUrl === undefined ? {} : { statusUrl: this.#ownUrl(statusUrl) }),
      ...withoutUndefined({ record }),
    };
  }

  async awaitOperation(handle: OperationHandle, signal: AbortSignal): Promise<SubscriptionRecord> {
    const { now, wait } = this.#ports;
    const until = now() + OPERATION_MS;
    let waitMs = POLL_MS;
    for (;;) {
      const record = await this.#look(handle, signal);
      if (record !== undefined) return record;
      if (now() + waitMs > until) {
        throw new RouterTrouble(
          'EVR-MGT-09',
          `the operation did not end within ${OPERATION_MS / 60_000} min`,
        );
      }
      await wait(waitMs, signal);
      waitMs = Math.min(waitMs * 1.5, SLOWEST_POLL_MS);
    }
  }

  async deleteSubscription(scope: Scope, name: string, signal: AbortSignal): Promise<void> {
    const answer = await this.#call('DELETE', this.#url(scope, name), undefined, signal);
    if (![200, 202, 204, 404].includes(answer.status)) throw this.#trouble(answer);
  }

  async fullUrl(scope: Scope, name: string, signal: AbortSignal): Promise<string | undefined> {
    const answer = await this.#call('POST', this.#url(scope, name, '/getFullUrl'), undefined, signal);
    if (answer.status !== 200) throw this.#trouble(answer);
    const value = tryParse(answer.text)?.value;
    const url = isObject(value) ? value['endpointUrl'] : undefined;
    return typeof url === 'string' ? url : undefined;
  }

  /** Polls a running operation once; undefined: it still runs. */
  async #look(handle: OperationHandle, signal: AbortSignal): Promise<SubscriptionRecord | undefined> {
    if (handle.statusUrl !== undefined) {
      const answer = await this.#call('GET', handle.statusUrl, undefined, signal);
      if (answer.status !== 200 && answer.status !== 202) throw this.#trouble(answer);
      const value = tryParse(answer.text)?.value;
      const status = isObject(value) ? value['status'] : undefined;
      if (status === 'Failed' || status === 'Canceled') {
        const { code, message } = errorOf(answer);
        throw new RouterTrouble('EVR-MGT-08', `${code === '' ? 'the operation failed' : code}: ${message}`);
      }
      if (status !== 'Succeeded' && (status !== undefined || answer.status === 202)) return undefined;
    }
    const record = await this.getSubscription(handle.scope, handle.name, signal);
    const state = record?.properties.provisioningState;
    if (record === null)
      throw new RouterTrouble('EVR-MGT-08', 'the event subscription is missing after it was put');
    if (state === 'Creating' || state === 'Updating') return undefined;
    if (state === 'Failed' || state === 'Canceled')
      throw new RouterTrouble('EVR-MGT-08', `the event subscription is ${state}`);
    return record;
  }

  async #call(
    method: 'GET' | 'PUT' | 'POST' | 'DELETE',
    url: string,
    body: unknown,
    signal: AbortSignal,
    fresh = false,
  ): Promise<TrustedAnswer> {
    const { client, token } = this.#ports;
    const answer = await client.call(
      {
        url,
        method,
        headers: {
          authorization: `Bearer ${await token(fresh, signal)}`,
          accept: 'application/json',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        onTooLarge: 'refuse',
        signal,
      },
      'EVR-MGT-07',
    );
    return answer.status === 401 && !fresh ? this.#call(method, url, body, signal, true) : answer;
  }

  #url(scope: Scope, name: string, tail = ''): string {
    const { management, namespace, apiVersion } = this.#ports.endpoints;
    const path = subscriptionPath(scope, namespace, name) + tail;
    return `${management.replace(/\/+$/, '')}${encodePath(path)}?api-version=${apiVersion}`;
  }

  /** Checks an address. Tokens are sent only to the management service, whatever address its answer has. */
  #ownUrl(url: string): string {
    const { management } = this.#ports.endpoints;
    const absolute = new URL(url, management);
    if (absolute.origin === new URL(management).origin) return absolute.href;
    throw new RouterTrouble('EVR-MGT-01', `the operation is at another origin: ${absolute.origin}`);
  }

  #trouble(answer: TrustedAnswer): RouterTrouble {
    const { code, message } = errorOf(answer);
    const wait = retryAfterMs(answer.headers['retry-after'], this.#ports.now());
    const words = code === '' ? `the management service answered ${answer.status}` : `${code}: ${message}`;
    return new RouterTrouble(managementCode(answer.status), words, {
      status: answer.status,
      final: answer.status === 403 || answer.status === 400,
      ...withoutUndefined({ retryAfterMs: wait }),
    });
  }
}

/** Encodes only the characters of a path that it cannot hold. */
function encodePath(path: string): string {
  return path.replaceAll(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]/g, (c) => encodeURIComponent(c));
}

function errorOf({ text }: TrustedAnswer): { readonly code: string; readonly message: string } {
  const value = tryParse(text)?.value;
  const error = isObject(value) ? value['error'] : undefined;
  if (!isObject(error)) return { code: '', message: '' };
  const part = (name: string): string => (typeof error[name] === 'string' ? error[name] : '');
  return { code: part('code'), message: part('message').slice(0, 2000) };
}

function recordOf({ text }: TrustedAnswer): SubscriptionRecord {
  const value = tryParse(text)?.value;
  if (isRecord(value)) return value;
  throw new RouterTrouble('EVR-MGT-07', 'the management service did not answer with an event subscription');
}

/**
 * Whether a value may be a record. Its members are checked where they are read, because another program wrote
 * them.
 */
function isRecord(value: unknown): value is SubscriptionRecord {
  return isObject(value) && (value['properties'] === undefined || isObject(value['properties']));
}
