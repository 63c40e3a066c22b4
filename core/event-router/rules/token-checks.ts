/** Conditions for a delivery's token besides its signature, and the words for each failed one. */
import { TOKEN_CHECKS } from '../../contract/event-router/words.ts';
import type { TokenCheck, TokenVerdict } from '../../contract/event-router/components.ts';

/** Form of the header: three parts of base64url; `Bearer ` may be left out. */
const SHAPE = /^(?:Bearer )?((?:[A-Za-z0-9_-]+\.){2}[A-Za-z0-9_-]*)$/i;
const MAX_LENGTH = 16 * 1024;
const ROLE = 'AzureEventGridSecureWebhookSubscriber';

export const NO_HEADER = 'Incoming webhook request does not contain an Authorization header';
export const NO_BEARER =
  'Incoming webhook request does not contain a valid bearer token in the Authorization header';
export const NOT_VALID = 'Failed to validate JWT in the incoming webhook request';

/** Tolerated difference between clocks in seconds. */
export const CLOCK_TOLERANCE_S = 300;

/** The token of an Authorization header; undefined: the header has none, or one that is too long. */
export function tokenOf(header: string): string | undefined {
  return header.length > MAX_LENGTH ? undefined : SHAPE.exec(header)?.[1];
}

/**
 * Accepted issuers.
 * @param issuer the discovered one, of v2 tokens
 */
export function issuersOf(issuer: string, tenantId: string, acceptV1: boolean): readonly string[] {
  if (!acceptV1) return [issuer];
  return [...new Set([issuer, issuer.replace(/\/v2\.0\/?$/, '/'), `https://sts.windows.net/${tenantId}/`])];
}

export interface Claims {
  readonly [claim: string]: unknown;
}

export interface ClaimRules {
  readonly tenantId: string;
  readonly routerApplicationId: string;
  readonly callerCheck: 'enforce' | 'warn' | 'off';
  readonly requireRole: boolean;
  readonly nowMs: number;
}

export interface ClaimsChecked {
  readonly failed?: { readonly check: TokenCheck; readonly reason: string };
  readonly warnings: readonly string[];
}

/** The caller: `azp` of a v2 token, `appid` of a v1 token. */
export function callerOf(claims: Claims): string | undefined {
  const caller = claims['azp'] ?? claims['appid'];
  return typeof caller === 'string' ? caller : undefined;
}

/** Checks that follow signature, issuer, audience and times: `iat`, tenant, caller, role. */
export function checkClaims(claims: Claims, rules: ClaimRules): ClaimsChecked {
  const warnings: string[] = [];
  const iat = claims['iat'];
  if (typeof iat === 'number' && iat * 1000 > rules.nowMs + CLOCK_TOLERANCE_S * 1000)
    return { failed: { check: 'nbf', reason: notYet(iat, rules.nowMs) }, warnings };
  const tid = claims['tid'];
  if (tid !== undefined && (typeof tid !== 'string' || tid.toLowerCase() !== rules.tenantId.toLowerCase()))
    return { failed: { check: 'tid', reason: 'tenant mismatch' }, warnings };
  const caller = callerOf(claims);
  if (rules.callerCheck !== 'off' && caller?.toLowerCase() !== rules.routerApplicationId.toLowerCase()) {
    const reason = `the caller is ${caller ?? 'not named'}, not the event router`;
    if (rules.callerCheck === 'enforce') return { failed: { check: 'caller', reason }, warnings };
    warnings.push(reason);
  }
  const roles = claims['roles'];
  if (rules.requireRole && !(Array.isArray(roles) && roles.includes(ROLE)))
    return { failed: { check: 'role', reason: `the role ${ROLE} is missing` }, warnings };
  return { warnings };
}

/**
 * Text for a token that is "not yet valid", with the difference of the clocks.
 * @param moment seconds since 1970
 */
export function notYet(moment: number, nowMs: number): string {
  const minutes = Math.round((moment * 1000 - nowMs) / 60_000);
  return `not yet valid: it begins ${minutes} min from now; the clocks of the router and of this machine are apart`;
}

/**
 * The library's error in words, with the failed check.
 * @param claim claim of the error
 */
export function wordsFor(
  code: string,
  claim: string | undefined,
): { readonly reason: string; readonly check: TokenCheck } {
  switch (code) {
    case 'ERR_JWT_EXPIRED':
      return { reason: 'token expired', check: 'exp' };
    case 'ERR_JWKS_NO_MATCHING_KEY':
    case 'ERR_JWKS_MULTIPLE_MATCHING_KEYS':
      return { reason: 'unknown signing key', check: 'signature' };
    case 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED':
      return { reason: 'bad signature', check: 'signature' };
    case 'ERR_JOSE_ALG_NOT_ALLOWED':
      return { reason: 'algorithm refused', check: 'signature' };
    case 'ERR_JWT_CLAIM_VALIDATION_FAILED':
      return claimText(claim);
    default:
      return { reason: 'malformed', check: 'signature' };
  }
}

function claimText(claim: string | undefined): { readonly reason: string; readonly check: TokenCheck } {
  switch (claim) {
    case 'nbf':
    case 'iat':
      return { reason: 'not yet valid', check: 'nbf' };
    case 'aud':
      return { reason: 'audience mismatch', check: 'aud' };
    case 'iss':
      return { reason: 'issuer mismatch', check: 'iss' };
    case 'exp':
      return { reason: 'no expiry', check: 'exp' };
    default:
      return { reason: 'malformed', check: 'signature' };
  }
}

/** Every check with its result. Those before the failed one succeeded, those after it were not made. */
export function checkList(
  failed: TokenCheck | undefined,
  skipped: readonly TokenCheck[],
): TokenVerdict['checks'] {
  const at = failed === undefined ? TOKEN_CHECKS.length : TOKEN_CHECKS.indexOf(failed);
  return TOKEN_CHECKS.map((check, i) => {
    if (i > at || (skipped.includes(check) && check !== failed)) return { check, result: 'not-checked' };
    return { check, result: i === at ? 'failed' : 'ok' };
  });
}
