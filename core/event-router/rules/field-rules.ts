/** Allowed values of each setting of an event-router component, with the code and words of the refusal. */
import type { EvrCode } from '../../contract/event-router/wire.ts';
import { FIELD_TRAITS, fieldName } from './field-names.ts';
import type { FieldKey } from './field-names.ts';
import type { Profile } from '../../contract/profile.ts';
import { isLoopbackAddress } from '../../domain/loopback.ts';
import { parseScope } from '../../router-protocol/scope.ts';
import type { Scope } from '../../router-protocol/scope.ts';

export interface Mistake {
  readonly field: FieldKey;
  readonly code: EvrCode;
  /** Words that follow `metadata field "<name>"`. */
  readonly says: string;
  readonly severity: 'error' | 'warning';
}

/** A setting as given. `value` undefined: it is in a secret store and cannot be read now. */
export interface GivenValue {
  readonly value: string | undefined;
  readonly written: 'string' | 'number' | 'boolean';
}

type Rule = (given: string, written: GivenValue['written'], more: RuleFacts) => Finding | undefined;
type Finding = readonly [code: EvrCode, says: string, severity?: 'warning'];

export interface RuleFacts {
  readonly profile: Profile;
  /** Namespace of the router. */
  readonly namespace: string;
}

const IDENTIFIER = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_URL_LENGTH = 2048;
const MAX_KEY_LENGTH = 1024;

const MISSING: Readonly<Partial<Record<FieldKey, EvrCode>>> = {
  accessKey: 'EVR-CFG-20',
  topicEndpoint: 'EVR-CFG-22',
  tenantId: 'EVR-CFG-30',
  subscriptionId: 'EVR-CFG-32',
  clientId: 'EVR-CFG-34',
  clientSecret: 'EVR-CFG-36',
  subscriberEndpoint: 'EVR-CFG-40',
  handshakePort: 'EVR-CFG-43',
  scope: 'EVR-CFG-50',
};

const RULES: Readonly<Partial<Record<FieldKey, Rule>>> = {
  accessKey: (value) =>
    hasControls(value) || value.length > MAX_KEY_LENGTH
      ? [
          'EVR-CFG-21',
          hasControls(value) ? 'contains a control character' : `has more than ${MAX_KEY_LENGTH} characters`,
        ]
      : undefined,
  topicEndpoint: (value) => {
    const url = absoluteUrl(value);
    const plain = url?.protocol === 'http:' && isHere(url);
    if (url === undefined || isDecorated(value) || !(url.protocol === 'https:' || plain))
      return ['EVR-CFG-23', 'is not a valid absolute https URL'];
    return plain ? ['EVR-CFG-91', 'uses http; fine on this machine only', 'warning'] : undefined;
  },
  tenantId: (value) => {
    if (!IDENTIFIER.test(value)) return ['EVR-CFG-31', 'has characters that are not allowed'];
    return UUID.test(value)
      ? undefined
      : ['EVR-CFG-92', 'is not a UUID; the issuer check needs the UUID of the tenant', 'warning'];
  },
  subscriptionId: (value) =>
    IDENTIFIER.test(value) ? undefined : ['EVR-CFG-33', 'has characters that are not allowed'],
  clientId: (value) => (UUID.test(value) ? undefined : ['EVR-CFG-35', 'must be a UUID']),
  clientSecret: (value) =>
    UUID.test(value)
      ? ['EVR-CFG-94', 'looks like the id of a secret; its value is needed', 'warning']
      : undefined,
  subscriberEndpoint: (value) => {
    const url = absoluteUrl(value);
    if (url === undefined || isDecorated(value) || value.length > MAX_URL_LENGTH)
      return ['EVR-CFG-41', 'is not a valid URL'];
    return url.protocol === 'https:' ? undefined : ['EVR-CFG-42', 'must use https'];
  },
  handshakePort: (value, written) => {
    if (written === 'number')
      return ['EVR-CFG-44', `must be passed as a quoted string; found the number ${value}`];
    const isPort = /^[0-9]{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535;
    return isPort
      ? undefined
      : ['EVR-CFG-45', `must be a port between 1 and 65535; found ${JSON.stringify(value)}`];
  },
  scope: (value, _written, { namespace }) => {
    const scope = parseScope(value, namespace);
    if (scope.ok) return undefined;
    const { code, reason } = scope.complaint;
    return [code, code === 'EVR-CFG-52' ? `contains an unreplaced placeholder {…}: ${value}` : reason];
  },
  eventSubscriptionName: (value) => {
    if (value.length < 3 || value.length > 64)
      return ['EVR-CFG-60', `must be 3 to 64 characters; found ${value.length}`];
    return /^[A-Za-z0-9]+$/.test(value)
      ? undefined
      : ['EVR-CFG-61', `must be alphanumeric letters only; found ${JSON.stringify(value)}`];
  },
};

/** The mistake in one setting; undefined: none. An empty value counts as missing if the field is required. */
export function checkField(
  field: FieldKey,
  given: GivenValue | undefined,
  needed: boolean,
  facts: RuleFacts,
): Mistake | undefined {
  const missing = MISSING[field];
  if (given === undefined || given.value === '') {
    if (needed && missing !== undefined) {
      const says = `is required for the ${FIELD_TRAITS[field].side} side`;
      return { field, code: missing, says, severity: 'error' };
    }
    if (field !== 'eventSubscriptionName') return undefined;
  }
  if (given?.value === undefined) return undefined;
  const finding = RULES[field]?.(given.value, given.written, facts);
  if (finding === undefined) return undefined;
  const [code, says, severity = 'error'] = finding;
  return { field, code, says, severity };
}

/** The mistake of a `scope` whose subscription differs from the setting. */
export function otherSubscription(scope: Scope, subscriptionId: string): Mistake | undefined {
  if (scope.subscriptionId.toLowerCase() === subscriptionId.toLowerCase()) return undefined;
  return {
    field: 'subscriptionId',
    code: 'EVR-CFG-93',
    says: `is ${subscriptionId}, but the scope names ${scope.subscriptionId}`,
    severity: 'warning',
  };
}

/** Sentence of a mistake: `component "<name>": metadata field "<field>" …`, with the code at its end. */
export function sentence(
  component: string,
  mistake: Pick<Mistake, 'field' | 'code' | 'says'>,
  profile: Profile,
): string {
  const [first = '', ...rest] = mistake.says.split('; found ');
  const found = rest.length === 0 ? '' : `; found ${rest.join('; found ')}`;
  return `component "${component}": metadata field "${fieldName(mistake.field, profile)}" ${first} (${mistake.code})${found}`;
}

/** Whether the host of an address is this machine. */
export function isLoopbackUrl(text: string): boolean {
  return URL.canParse(text) && isHere(new URL(text));
}

/** Names below `localhost` do not count, because not every system resolves them. */
function isHere({ hostname }: URL): boolean {
  return hostname === 'localhost' || isLoopbackAddress(hostname);
}

function absoluteUrl(text: string): URL | undefined {
  if (hasControls(text) || /\s/.test(text) || !/^https?:\/\/[^/]/i.test(text)) return undefined;
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Whether an address has user information or a fragment. */
function isDecorated(text: string): boolean {
  return text.includes('#') || /^[a-z]+:\/\/[^/?]*@/i.test(text);
}

function hasControls(text: string): boolean {
  return /[\u0000-\u001f\u007f]/.test(text);
}
