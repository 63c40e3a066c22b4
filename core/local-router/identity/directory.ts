/** The directory: tenants with their clients, digests of secrets, and the assigned roles. */
import { createHash } from 'node:crypto';
import type { DirectoryClient } from '../../contract/event-router/local-router-status.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { scopeContains } from '../../router-protocol/scope.ts';
import { ROUTER_ROLES } from '../../ports/local-router.ts';
import type { RouterRole } from '../../ports/local-router.ts';
import { digestOf, hasDigest, hintOf } from '../secrets.ts';
import type { RouterStore } from '../store/store.ts';

interface KeptSecret {
  readonly digest: string;
  readonly hint: string;
  readonly expiresMs?: number;
}

export interface Client {
  readonly tenantId: string;
  readonly clientId: string;
  readonly objectId: string;
  readonly displayName: string;
  readonly secrets: readonly KeptSecret[];
  /** Version (1 or 2) of the tokens that are made for this application. */
  readonly acceptedTokenVersion: 1 | 2;
}

export interface Grant {
  /** Client id in lower case. */
  readonly clientId: string;
  readonly role: RouterRole;
  /** Scope key, "/" for everything; for webhook-subscriber the application. */
  readonly scope: string;
}

/** Clients by tenant, and grants. The store keeps them over a restart. */
export class Directory {
  readonly #store: RouterStore;
  readonly #changed: () => void;
  readonly #clients = new Map<string, Client>();
  readonly #grants = new Map<string, Grant>();

  constructor(store: RouterStore, changed: () => void) {
    this.#store = store;
    this.#changed = changed;
    for (const { key, value } of store.kept('client')) if (isClient(value)) this.#clients.set(key, value);
    for (const { key, value } of store.kept('grant')) if (isGrant(value)) this.#grants.set(key, value);
  }

  tenants(): readonly string[] {
    return [...new Set([...this.#clients.values()].map(({ tenantId }) => tenantId))];
  }

  hasTenant(tenantId: string): boolean {
    return this.tenants().some((tenant) => tenant.toLowerCase() === tenantId.toLowerCase());
  }

  client(tenantId: string, clientId: string): Client | undefined {
    return this.#clients.get(clientKey(tenantId, clientId));
  }

  /** The application with this id in any tenant. */
  application(clientId: string): Client | undefined {
    return [...this.#clients.values()].find(
      (client) => client.clientId.toLowerCase() === clientId.toLowerCase(),
    );
  }

  /** Client id of a principal, by object id or client id in lower case. */
  clientOfPrincipal(principal: string): string | undefined {
    return [...this.#clients.values()].find(
      ({ clientId, objectId }) => objectId === principal || clientId.toLowerCase() === principal,
    )?.clientId;
  }

  list(): readonly DirectoryClient[] {
    return [...this.#clients.values()].map((client) => ({
      tenantId: client.tenantId,
      clientId: client.clientId,
      displayName: client.displayName,
      secrets: client.secrets.map(({ hint, expiresMs }) =>
        expiresMs === undefined ? { hint } : { hint, expiresAt: new Date(expiresMs).toISOString() },
      ),
      grants: [...this.#grants.values()]
        .filter(({ clientId }) => clientId === client.clientId.toLowerCase())
        .map(({ role, scope }) => ({ role, scope })),
    }));
  }

  /** Adds the client, or replaces its secret. True if anything changed. */
  register(request: {
    readonly tenantId: string;
    readonly clientId: string;
    readonly clientSecret: string;
    readonly displayName?: string;
    readonly secretExpiresMs?: number;
    readonly acceptedTokenVersion?: 1 | 2;
  }): boolean {
    const key = clientKey(request.tenantId, request.clientId);
    const before = this.#clients.get(key);
    const secret: KeptSecret = {
      digest: digestOf(request.clientSecret),
      hint: hintOf(request.clientSecret),
      ...withoutUndefined({ expiresMs: request.secretExpiresMs }),
    };
    const kept = before?.secrets[0];
    if (kept?.digest === secret.digest && kept.expiresMs === secret.expiresMs) return false;
    const client: Client = {
      tenantId: request.tenantId,
      clientId: request.clientId,
      objectId: objectIdOf(request.clientId),
      displayName: request.displayName ?? before?.displayName ?? request.clientId,
      secrets: [secret],
      acceptedTokenVersion: request.acceptedTokenVersion ?? before?.acceptedTokenVersion ?? 2,
    };
    this.#clients.set(key, client);
    this.#store.keep('client', key, client);
    this.#changed();
    return true;
  }

  /** Checks a secret: right, wrong or expired. */
  checkSecret(client: Client, given: string, nowMs: number): 'right' | 'wrong' | 'expired' {
    const found = client.secrets.find(({ digest }) => hasDigest(given, digest));
    if (found === undefined) return 'wrong';
    return found.expiresMs !== undefined && found.expiresMs <= nowMs ? 'expired' : 'right';
  }

  /** Grants a role. True if the client did not have it. */
  grant(grant: Grant): boolean {
    const entry = { ...grant, clientId: grant.clientId.toLowerCase(), scope: scopeKey(grant.scope) };
    const key = grantKey(entry);
    if (this.#grants.has(key)) return false;
    this.#grants.set(key, entry);
    this.#store.keep('grant', key, entry);
    this.#changed();
    return true;
  }

  revoke(grant: Grant): boolean {
    const key = grantKey({ ...grant, clientId: grant.clientId.toLowerCase(), scope: scopeKey(grant.scope) });
    if (!this.#grants.delete(key)) return false;
    this.#store.keep('grant', key, undefined);
    this.#changed();
    return true;
  }

  /** Whether the client has the role at the scope or an ancestor of it. */
  holds(clientId: string, role: RouterRole, scope: string): boolean {
    const wanted = scopeKey(scope);
    return [...this.#grants.values()].some(
      (grant) =>
        grant.role === role &&
        grant.clientId === clientId.toLowerCase() &&
        (role === 'webhook-subscriber' ? grant.scope === wanted : scopeContains(grant.scope, wanted)),
    );
  }
}

/** A stable id for the service principal of a client: a UUID made from the client's id. */
export function objectIdOf(clientId: string): string {
  const hex = createHash('sha256').update(`object:${clientId.toLowerCase()}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function scopeKey(scope: string): string {
  const lower = scope.toLowerCase();
  return lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
}

function clientKey(tenantId: string, clientId: string): string {
  return `${tenantId}/${clientId}`.toLowerCase();
}

function grantKey({ clientId, role, scope }: Grant): string {
  return `${clientId} ${role} ${scope}`;
}

function isClient(value: unknown): value is Client {
  return typeof value === 'object' && value !== null && 'clientId' in value && 'secrets' in value;
}

function isGrant(value: unknown): value is Grant {
  return (
    typeof value === 'object' &&
    value !== null &&
    'role' in value &&
    ROUTER_ROLES.some((role) => role === value.role)
  );
}
