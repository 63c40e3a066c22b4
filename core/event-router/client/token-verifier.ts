/** Verifies the token of a webhook request: its signature by a published key, then every claim. */
import { decodeJwt, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import type { TokenCheck, TokenVerdict } from '../../contract/event-router/components.ts';
import type { ShownToken } from '../../contract/event-router/local-router.ts';
import {
  CLOCK_TOLERANCE_S,
  NOT_VALID,
  NO_BEARER,
  NO_HEADER,
  callerOf,
  checkClaims,
  checkList,
  issuersOf,
  notYet,
  tokenOf,
  wordsFor,
} from '../rules/token-checks.ts';
import type { Claims } from '../rules/token-checks.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import type { Clock } from '../../ports/clock.ts';
import type { TokenVerifier, Verdict } from './router-client.ts';
import type { WebhookRules } from './router-access.ts';
import type { PublishedKeys } from './published-keys.ts';

export interface VerifierFacts {
  readonly issuer: string;
  readonly tenantId: string;
  /** Client id, which is the audience of a delivery's token. */
  readonly clientId: string;
  readonly routerApplicationId: string;
  readonly rules: () => WebhookRules;
  readonly keys: PublishedKeys;
  readonly clock: Clock;
}

export type Verified = Verdict & {
  /** The token and its verdict for display. */
  readonly shown: TokenVerdict;
  /** Line for the log, if the token was refused or is unusual. */
  readonly line?: string;
};

/**
 * Verifies tokens and never rejects. If the keys are not reachable, the status is 503, so that the router
 * tries again.
 */
export class JwtVerifier implements TokenVerifier {
  readonly #facts: VerifierFacts;

  constructor(facts: VerifierFacts) {
    this.#facts = facts;
  }

  async verify(header: string | undefined): Promise<Verified> {
    if (header === undefined) return this.#refused('NO_AUTHORIZATION', 'no token', NO_HEADER);
    const token = tokenOf(header);
    if (token === undefined) return this.#refused('NO_BEARER_TOKEN', 'no bearer token', NO_BEARER);
    const seen = look(token);
    const { issuer, tenantId, clientId, keys, clock } = this.#facts;
    const rules = this.#facts.rules();
    try {
      const { payload } = await jwtVerify(token, (head, parts) => keys.keyOf(head, parts), {
        issuer: [...issuersOf(issuer, tenantId, rules.acceptV1Tokens)],
        audience: [clientId, ...rules.audiences],
        algorithms: ['RS256'],
        clockTolerance: CLOCK_TOLERANCE_S,
        requiredClaims: ['exp'],
        currentDate: new Date(clock.now()),
      });
      return this.#claims(payload, seen, rules);
    } catch (error) {
      return this.#failed(error, seen);
    }
  }

  #claims(claims: Claims, seen: Seen, rules: WebhookRules): Verified {
    const { tenantId, routerApplicationId, clock } = this.#facts;
    const { callerCheck, requireRole } = rules;
    const facts = { tenantId, routerApplicationId, callerCheck, requireRole, nowMs: clock.now() };
    const { failed, warnings } = checkClaims(claims, facts);
    const skipped: TokenCheck[] = [
      ...(callerCheck === 'off' ? (['caller'] as const) : []),
      ...(requireRole ? [] : (['role'] as const)),
      ...(claims['nbf'] === undefined ? (['nbf'] as const) : []),
      ...(claims['tid'] === undefined ? (['tid'] as const) : []),
    ];
    const common = {
      at: this.#now(),
      warnings,
      claims: seen.shown,
      checks: checkList(failed?.check, skipped),
    };
    if (failed !== undefined) {
      return {
        ok: false,
        status: 401,
        code: 'ERR_JWT_CLAIM_VALIDATION_FAILED',
        reason: failed.reason,
        token: seen.token,
        shown: {
          ...common,
          accepted: false,
          reason: failed.reason,
          errorCode: 'ERR_JWT_CLAIM_VALIDATION_FAILED',
        },
        line: `${NOT_VALID}: ${failed.reason}${seen.words}`,
      };
    }
    const [warning] = warnings;
    return {
      ok: true,
      token: seen.token,
      ...(warning === undefined
        ? {}
        : { warning, line: `The token was accepted with a warning: ${warning}${seen.words}` }),
      shown: { ...common, accepted: true, reason: 'verified' },
    };
  }

  #failed(error: unknown, seen: Seen): Verified {
    if (error instanceof RouterTrouble) {
      const reason = `the published keys could not be reached: ${error.message}`;
      return {
        ok: false,
        status: 503,
        code: 'EVR-ID-03',
        reason,
        token: seen.token,
        shown: this.#shown({
          reason,
          errorCode: 'EVR-ID-03',
          claims: seen.shown,
          checks: checkList('signature', []),
        }),
        line: `${NOT_VALID}: ${reason} (EVR-ID-03)${seen.words}`,
      };
    }
    const code = error instanceof errors.JOSEError ? error.code : 'ERR_JWS_INVALID';
    const isClaim = error instanceof errors.JWTClaimValidationFailed || error instanceof errors.JWTExpired;
    const { reason: words, check } = wordsFor(code, isClaim ? error.claim : undefined);
    const nbf = seen.claims['nbf'];
    const reason = check === 'nbf' && typeof nbf === 'number' ? notYet(nbf, this.#facts.clock.now()) : words;
    return {
      ok: false,
      status: 401,
      code,
      reason,
      token: seen.token,
      shown: this.#shown({
        reason,
        errorCode: code,
        claims: seen.shown,
        checks: checkList(check, ['caller', 'role', 'tid']),
      }),
      line: `${NOT_VALID}: ${reason} (${code})${seen.words}`,
    };
  }

  #refused(code: string, reason: string, line: string): Verified {
    const shown = this.#shown({ reason, errorCode: code, claims: {}, checks: checkList('signature', []) });
    return { ok: false, status: 401, code, reason, shown, line };
  }

  #shown(of: Pick<TokenVerdict, 'reason' | 'errorCode' | 'claims' | 'checks'>): TokenVerdict {
    return { at: this.#now(), accepted: false, warnings: [], ...of };
  }

  #now(): string {
    return new Date(this.#facts.clock.now()).toISOString();
  }
}

/** Content of a token before it is verified. */
interface Seen {
  readonly claims: Claims;
  readonly shown: TokenVerdict['claims'];
  readonly token: ShownToken;
  /** Words for the log: kid, issuer, audience, caller, expiry; never the token. */
  readonly words: string;
}

function look(token: string): Seen {
  let claims: Claims = {};
  let header: Claims = {};
  try {
    header = { ...decodeProtectedHeader(token) };
    claims = { ...decodeJwt(token) };
  } catch {
    // The verification that follows reports a token that cannot be read.
  }
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' ? value.slice(0, 200) : undefined;
  const moment = (value: unknown): string | undefined =>
    typeof value === 'number' && Math.abs(value) < 8e12 ? new Date(value * 1000).toISOString() : undefined;
  const texts = (value: unknown): readonly string[] | undefined =>
    Array.isArray(value) ? value.flatMap((one) => text(one) ?? []).slice(0, 20) : undefined;
  const all = {
    kid: text(header['kid']),
    alg: text(header['alg']),
    iss: text(claims['iss']),
    aud: texts(claims['aud']) ?? text(claims['aud']),
    caller: text(callerOf(claims)),
    tid: text(claims['tid']),
    expiresAt: moment(claims['exp']),
    notBefore: moment(claims['nbf']),
    roles: texts(claims['roles']),
  };
  const shown = defined(all);
  const { alg: _alg, tid: _tid, notBefore: _notBefore, ...rest } = shown;
  const words = ['kid', 'iss', 'aud', 'caller', 'expiresAt'] as const;
  const said = words.flatMap((name) => (all[name] === undefined ? [] : [`${name} ${String(all[name])}`]));
  return { claims, shown, token: rest, words: said.length === 0 ? '' : ` [${said.join(', ')}]` };
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

function defined<T extends object>(members: T): Defined<T> {
  const result: Defined<T> = {};
  for (const name of Object.keys(members) as (keyof T)[]) {
    const value = members[name];
    if (value !== undefined) result[name] = value as Exclude<T[keyof T], undefined>;
  }
  return result;
}
