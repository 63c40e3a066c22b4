/** Settings of an event-router component by name: sides, secrets, and the names that a profile uses. */
import type { Profile } from '../../contract/profile.ts';

export const FIELDS = [
  'accessKey',
  'topicEndpoint',
  'tenantId',
  'subscriptionId',
  'clientId',
  'clientSecret',
  'subscriberEndpoint',
  'handshakePort',
  'scope',
  'eventSubscriptionName',
  'direction',
  'route',
] as const;
export type FieldKey = (typeof FIELDS)[number];

export interface FieldTraits {
  readonly side: 'input' | 'output' | 'both';
  /** Whether the field is required if its side is on. */
  readonly required: boolean;
  readonly secret: boolean;
}

export const FIELD_TRAITS: Readonly<Record<FieldKey, FieldTraits>> = {
  accessKey: { side: 'output', required: true, secret: true },
  topicEndpoint: { side: 'output', required: true, secret: false },
  tenantId: { side: 'input', required: true, secret: false },
  subscriptionId: { side: 'input', required: true, secret: false },
  clientId: { side: 'input', required: true, secret: false },
  clientSecret: { side: 'input', required: true, secret: true },
  subscriberEndpoint: { side: 'input', required: true, secret: false },
  handshakePort: { side: 'input', required: true, secret: false },
  scope: { side: 'input', required: true, secret: false },
  eventSubscriptionName: { side: 'input', required: false, secret: false },
  direction: { side: 'both', required: false, secret: false },
  route: { side: 'input', required: false, secret: false },
};

/** Further names that the reference accepts; profile `dapr` only. */
const ALIASES: Readonly<Partial<Record<FieldKey, readonly string[]>>> = {
  tenantId: ['spnTenantId', 'tenantId'],
  subscriptionId: ['subscriptionId'],
  clientId: ['spnClientId', 'clientId'],
  clientSecret: ['spnClientSecret', 'clientSecret'],
};

/** Name of a field in this profile. */
export function fieldName(field: FieldKey, { binding }: Profile): string {
  switch (field) {
    case 'tenantId':
      return binding.tenantId;
    case 'subscriptionId':
      return binding.subscriptionId;
    case 'clientId':
      return binding.clientId;
    case 'clientSecret':
      return binding.clientSecret;
    default:
      return field;
  }
}

/** The field of that name in any letter case; undefined: none. */
export function fieldOf(name: string, profile: Profile): FieldKey | undefined {
  const lower = name.toLowerCase();
  return FIELDS.find((field) => {
    const more = profile.brand === 'dapr' ? (ALIASES[field] ?? []) : [];
    return [fieldName(field, profile), ...more].some((one) => one.toLowerCase() === lower);
  });
}
