/** Text of a working example of an event-router component, as one file. */
import type { Profile } from '../../contract/profile.ts';

export interface ExampleFacts {
  readonly name: string;
  readonly profile: Profile;
  readonly namespace: string;
  /** Base addresses of the embedded router. */
  readonly router: string;
  readonly ingress: string;
  readonly handshakePort: number;
  readonly accessKey: string;
  readonly clientSecret: string;
  /** Ids of the example, UUIDs. */
  readonly tenantId: string;
  readonly subscriptionId: string;
  readonly clientId: string;
}

/**
 * Both sides of one topic: an event that is created goes through the router to the webhook and to the app.
 */
export function exampleComponent(facts: ExampleFacts): string {
  const { name, profile, namespace, subscriptionId } = facts;
  const { binding } = profile;
  const scope = `/subscriptions/${subscriptionId}/resourceGroups/dev/providers/${namespace}/topics/${name}`;
  const entries: readonly (readonly [string, string])[] = [
    ['direction', 'input, output'],
    ['accessKey', facts.accessKey],
    ['topicEndpoint', `${facts.router}/topics/${name}/api/events`],
    [binding.tenantId, facts.tenantId],
    [binding.subscriptionId, subscriptionId],
    [binding.clientId, facts.clientId],
    [binding.clientSecret, facts.clientSecret],
    ['subscriberEndpoint', `${facts.ingress}/${name}/api/events`],
    ['handshakePort', String(facts.handshakePort)],
    ['scope', scope],
    ['eventSubscriptionName', `${name.replaceAll(/[^A-Za-z0-9]/g, '')}in`],
  ];
  return [
    `apiVersion: ${profile.apiGroup}/v1alpha1`,
    'kind: Component',
    `metadata: { name: ${name} }`,
    'spec:',
    `  type: ${binding.type}`,
    '  version: v1',
    '  metadata:',
    ...entries.map(([field, value]) => `    - { name: ${field}, value: "${value}" }`),
    '',
  ].join('\n');
}
