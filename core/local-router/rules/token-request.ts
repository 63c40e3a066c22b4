/** Reads a client-credentials request strictly, and makes the service's refusals with their numbers. */

export interface TokenRequest {
  readonly clientId: string;
  readonly clientSecret: string;
  /** The resource, without `/.default` and without a slash at the end. */
  readonly audience: string;
  /** Resource as written in `resource=` or `scope=`. */
  readonly asked: string;
}

export interface TokenRefusal {
  readonly status: 400 | 401 | 429;
  readonly error:
    | 'invalid_request'
    | 'unauthorized_client'
    | 'invalid_client'
    | 'invalid_scope'
    | 'unsupported_grant_type'
    | 'invalid_grant'
    | 'temporarily_unavailable';
  readonly code: number;
  readonly says: string;
}

export const TOKEN_REFUSALS = {
  unknownTenant: { status: 400, error: 'invalid_request', code: 90002, says: 'The tenant was not found.' },
  unknownClient: {
    status: 400,
    error: 'unauthorized_client',
    code: 700016,
    says: 'The application was not found in the tenant.',
  },
  wrongSecret: {
    status: 401,
    error: 'invalid_client',
    code: 7000215,
    says: 'Invalid client secret provided. Give the value of the secret, not its id.',
  },
  expiredSecret: {
    status: 401,
    error: 'invalid_client',
    code: 7000222,
    says: 'The client secret has expired.',
  },
  unknownResource: {
    status: 400,
    error: 'invalid_scope',
    code: 70011,
    says: 'The scope is not valid: it must be the id of a known resource followed by /.default.',
  },
  otherGrant: {
    status: 400,
    error: 'unsupported_grant_type',
    code: 70003,
    says: 'The grant type is not supported; use client_credentials.',
  },
  tooMany: {
    status: 429,
    error: 'temporarily_unavailable',
    code: 50196,
    says: 'Too many failed requests of this client.',
  },
} as const satisfies Readonly<Record<string, TokenRefusal>>;

/** Refusal of a parameter that is missing or was sent twice. */
function parameterRefusal(name: string, twice = false): TokenRefusal {
  const says = twice
    ? `The request contains the parameter '${name}' more than once.`
    : `The request body must contain the parameter '${name}'.`;
  return { status: 400, error: 'invalid_request', code: 900144, says };
}

/**
 * Reads the form. Unknown parameters are ignored, repeated ones refused.
 * @param version 2: `scope` ends in /.default; 1: `resource` is the audience itself
 * @param basic id and secret of a Basic header, if there was one
 */
export function readTokenRequest(
  form: readonly (readonly [name: string, value: string])[],
  version: 1 | 2,
  basic?: { readonly id: string; readonly secret: string },
): TokenRequest | TokenRefusal {
  const values = new Map<string, string>();
  for (const [name, value] of form) {
    if (values.has(name)) return parameterRefusal(name, true);
    values.set(name, value);
  }
  const grant = values.get('grant_type');
  if (grant === undefined || grant === '') return parameterRefusal('grant_type');
  if (grant !== 'client_credentials') return TOKEN_REFUSALS.otherGrant;
  const clientId = basic?.id ?? values.get('client_id') ?? '';
  if (clientId === '') return parameterRefusal('client_id');
  const clientSecret = basic?.secret ?? values.get('client_secret') ?? '';
  if (clientSecret === '') return parameterRefusal('client_secret');
  const asked = values.get(version === 2 ? 'scope' : 'resource') ?? '';
  if (asked === '') return parameterRefusal(version === 2 ? 'scope' : 'resource');
  if (version === 1) return { clientId, clientSecret, audience: withoutSlash(asked), asked };
  const resource = resourceOf(asked);
  if (resource === undefined) return TOKEN_REFUSALS.unknownResource;
  return { clientId, clientSecret, audience: withoutSlash(resource), asked };
}

/**
 * Scopes that some clients send beside the resource, without a meaning for a client that signs in by its
 * secret.
 */
const SIGN_IN_WORDS: ReadonlySet<string> = new Set(['openid', 'profile', 'offline_access', 'email']);
const DEFAULT = '/.default';

/** The one resource of a scope such as `https://resource/.default openid profile`; undefined: none, or several. */
function resourceOf(scope: string): string | undefined {
  const [resource = '', ...others] = scope
    .split(' ')
    .filter((word) => word !== '' && !SIGN_IN_WORDS.has(word.toLowerCase()));
  return others.length === 0 && resource.endsWith(DEFAULT) ? resource.slice(0, -DEFAULT.length) : undefined;
}

function withoutSlash(text: string): string {
  return text.replace(/\/+$/, '');
}
