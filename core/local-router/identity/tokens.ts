/**
 * Tokens: those that clients request, those of deliveries, deliberately wrong ones, and the check of callers.
 */
import { randomBytes } from 'node:crypto';
import { SignJWT, createLocalJWKSet, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import type { TokenFault } from '../../contract/event-router/local-router-status.ts';
import type { ShownToken } from '../../contract/event-router/local-router.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { RouterWords } from '../options.ts';
import { WireError } from '../rules/wire-error.ts';
import type { Client, Directory } from './directory.ts';
import { objectIdOf } from './directory.ts';
import { SigningKeys } from './signing-keys.ts';

export const TOKEN_SECONDS = 3600;
const RENEW_MS = 300_000;
const MAX_CACHED = 1000;

export interface TokenDependencies {
  readonly keys: SigningKeys;
  readonly directory: Directory;
  readonly words: RouterWords;
  readonly routerApplicationId: string;
  /** Base address of the identity service. */
  readonly authority: () => string;
  /** The service's clock: the machine's, plus the skew that a person set. */
  readonly now: () => number;
}

export interface TokenRequest {
  readonly tenantId: string;
  readonly audience: string;
  readonly caller: string;
  readonly roles?: readonly string[];
  readonly version: 1 | 2;
}

/** A signed token, and the parts that may be shown. */
export interface MadeToken {
  readonly text: string;
  readonly shown: ShownToken;
}

/**
 * Makes and verifies tokens. Delivery tokens are cached per tenant and audience, and renewed when fewer than
 * 300 s remain.
 */
export class Tokens {
  readonly #deps: TokenDependencies;
  readonly #cache = new Map<string, { readonly made: MadeToken; readonly renewMs: number }>();
  #next: { kind: TokenFault; times: number } = { kind: 'valid', times: 0 };

  constructor(deps: TokenDependencies) {
    this.#deps = deps;
  }

  get next(): { readonly kind: TokenFault; readonly times: number } {
    return { ...this.#next };
  }

  /** Sets the fault of the next tokens of deliveries and handshakes. */
  simulate(kind: TokenFault, times: number): void {
    this.#next = { kind, times };
  }

  /** Token for a webhook; undefined: none is sent. */
  async forWebhook(tenantId: string, application: string): Promise<MadeToken | undefined> {
    if (this.#next.times <= 0 || this.#next.kind === 'valid') return this.#cached(tenantId, application);
    this.#next.times -= 1;
    return this.faulty(this.#next.kind, tenantId, application);
  }

  /** Drops a cached token, because the endpoint answered 401. */
  forget(tenantId: string, application: string): void {
    this.#cache.delete(`${tenantId} ${application}`);
  }

  forgetAll(): void {
    this.#cache.clear();
  }

  /** A token that is wrong in exactly one way. */
  async faulty(kind: TokenFault, tenantId: string, application: string): Promise<MadeToken | undefined> {
    const request = this.#webhookRequest(tenantId, application);
    switch (kind) {
      case 'none':
        return undefined;
      case 'valid':
        return this.mint(request);
      case 'expired':
        return this.mint(request, { fromMs: -2 * TOKEN_SECONDS * 1000 });
      case 'not-yet-valid':
        return this.mint(request, { fromMs: 600_000 });
      case 'wrong-audience':
        return this.mint({ ...request, audience: '00000000-0000-4000-8000-00000000dead' });
      case 'wrong-issuer':
        return this.mint(request, { issuer: `${this.#deps.authority()}/another-tenant/v2.0` });
      case 'wrong-caller':
        return this.mint({ ...request, caller: '00000000-0000-4000-8000-00000000beef' });
      case 'unknown-kid':
        return this.mint(request, { signer: await SigningKeys.stray() });
      case 'bad-signature': {
        const { key } = await SigningKeys.stray();
        return this.mint(request, { signer: { kid: (await this.#deps.keys.current()).kid, key } });
      }
    }
  }

  async mint(
    request: TokenRequest,
    off: {
      readonly fromMs?: number;
      readonly issuer?: string;
      readonly signer?: Awaited<ReturnType<SigningKeys['current']>>;
    } = {},
  ): Promise<MadeToken> {
    const { kid, key } = off.signer ?? (await this.#deps.keys.current());
    const from = Math.floor((this.#deps.now() + (off.fromMs ?? 0)) / 1000);
    const claims = this.#claims(request, off.issuer);
    const text = await new SignJWT({ ...claims, iat: from, nbf: from, exp: from + TOKEN_SECONDS })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid, ...(request.version === 1 ? { x5t: kid } : {}) })
      .sign(key);
    const shown: ShownToken = {
      kid,
      iss: claims.iss,
      aud: request.audience,
      caller: request.caller,
      expiresAt: new Date((from + TOKEN_SECONDS) * 1000).toISOString(),
      ...withoutUndefined({ roles: request.roles }),
    };
    return { text, shown };
  }

  /**
   * Verifies a bearer token of this service, and returns the caller.
   * @throws WireError 401 with the code of the failure
   */
  async verify(authorization: string | undefined, audiences: readonly string[]): Promise<JWTPayload> {
    const text = /^Bearer ([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(authorization ?? '')?.[1];
    if (authorization === undefined) throw this.#refusal('AuthenticationFailed', 'A bearer token is needed.');
    if (text === undefined || text.length > 16 * 1024) {
      throw this.#refusal(
        'InvalidAuthenticationToken',
        'The Authorization header holds no usable bearer token.',
      );
    }
    try {
      const keys = createLocalJWKSet({
        keys: [...(await this.#deps.keys.jwks(this.#deps.authority())).keys],
      });
      const { payload } = await jwtVerify(text, keys, {
        algorithms: ['RS256'],
        audience: [...audiences],
        requiredClaims: ['exp', 'iat', 'tid'],
        clockTolerance: 300,
        currentDate: new Date(this.#deps.now()),
      });
      const { tid } = payload;
      if (typeof tid !== 'string' || !this.#issuers(tid).includes(payload.iss ?? '')) {
        throw this.#refusal('InvalidAuthenticationToken', 'The token is of another issuer.');
      }
      return payload;
    } catch (error) {
      if (error instanceof WireError) throw error;
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      if (code === 'ERR_JWT_EXPIRED')
        throw this.#refusal('ExpiredAuthenticationToken', 'The token has expired.');
      throw this.#refusal('InvalidAuthenticationToken', `The token was not accepted (${code || 'unknown'}).`);
    }
  }

  async #cached(tenantId: string, application: string): Promise<MadeToken> {
    const key = `${tenantId} ${application}`;
    const kept = this.#cache.get(key);
    if (kept !== undefined && this.#deps.now() < kept.renewMs) return kept.made;
    const made = await this.mint(this.#webhookRequest(tenantId, application));
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(key, { made, renewMs: this.#deps.now() + TOKEN_SECONDS * 1000 - RENEW_MS });
    return made;
  }

  #webhookRequest(tenantId: string, application: string): TokenRequest {
    return {
      tenantId,
      audience: application,
      caller: this.#deps.routerApplicationId,
      roles: ['AzureEventGridSecureWebhookSubscriber'],
      version: this.#application(application)?.acceptedTokenVersion ?? 2,
    };
  }

  #application(id: string): Client | undefined {
    return this.#deps.directory.application(id);
  }

  #claims(request: TokenRequest, issuer: string | undefined): JWTPayload & { readonly iss: string } {
    const [v1, v2] = this.#issuers(request.tenantId);
    const oid = objectIdOf(request.caller);
    const caller =
      request.version === 2
        ? { azp: request.caller, azpacr: '1', ver: '2.0' }
        : { appid: request.caller, appidacr: '1', ver: '1.0' };
    return {
      iss: issuer ?? (request.version === 2 ? v2 : v1) ?? '',
      aud: request.audience,
      ...caller,
      oid,
      sub: oid,
      tid: request.tenantId,
      uti: randomBytes(16).toString('base64url'),
      ...(request.roles === undefined ? {} : { roles: [...request.roles] }),
    };
  }

  #issuers(tenantId: string): readonly string[] {
    const authority = this.#deps.authority();
    return [this.#deps.words.version1Issuer(authority, tenantId), `${authority}/${tenantId}/v2.0`];
  }

  #refusal(code: string, message: string): WireError {
    const uri = `${this.#deps.authority()}/common`;
    return new WireError(401, code, message, {
      headers: { 'www-authenticate': `Bearer authorization_uri="${uri}", error="invalid_token"` },
    });
  }
}

/** The application that a token names as its caller. */
export function callerOf(payload: JWTPayload): string {
  const caller = payload['azp'] ?? payload['appid'];
  return typeof caller === 'string' ? caller : '';
}
