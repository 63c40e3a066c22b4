/** Texts of the section Event router of the Settings screen: its groups, and each member by its path. */

export const ROUTER = {
  about:
    'Changes to what the webhook accepts, to the ingress check and to sidecar health apply at once. A component reads which router it uses, and its addresses, when it connects. Restart Sidelight to apply the other values to a running embedded router.',
  noAddress: 'An external router needs a cloud, or addresses.',
  badPort: 'Line {line}: write it as topic = port.',
  twice: 'Line {line}: this topic has a port in line {first}.',
  badRule: 'Line {line}: write a host, a path that begins with /, and an address, separated by spaces.',
} as const;

export interface RouterText {
  readonly title: string;
  readonly hint?: string;
  /** Titles of the words that the member accepts; "" stands for no value. */
  readonly words?: Readonly<Record<string, string>>;
}

/** Titles of the groups, in their order. */
export const ROUTER_GROUPS = {
  router: 'Router',
  external: 'External router',
  listen: 'Where the embedded router listens',
  ingress: 'Ingress, the TLS side of the webhook',
  delivery: 'Delivery by the embedded router',
  trust: 'Trust and identity',
  webhook: 'What the webhook accepts',
  limits: 'Limits',
  allows: 'What the embedded router allows',
} as const;

export const ROUTER_TEXTS: Readonly<Record<string, RouterText>> = {
  mode: {
    title: 'Which router',
    words: {
      embedded: 'Embedded router',
      external: 'External router',
      off: 'None: only output sides work',
    },
  },
  namespace: { title: 'Namespace in scopes and paths', hint: "Empty: the profile's" },
  routerApplicationId: {
    title: "Application id of the router's tokens",
  },
  cloud: {
    title: 'Cloud',
    hint: 'An external router needs a cloud, or addresses',
    words: { '': 'none', public: 'Public', government: 'Government', china: 'China' },
  },
  'endpoints.authority': { title: 'Address of the authority', hint: 'https://…' },
  'endpoints.management': { title: 'Address of the management', hint: 'https://…' },
  'endpoints.managementAudience': { title: 'Audience of the management', hint: 'Empty: its address' },
  'endpoints.publishAudience': { title: 'Audience of publishes' },
  'endpoints.apiVersion': { title: 'API version', hint: 'Such as 2022-06-15' },
  'listen.router': {
    title: 'Router',
    hint: 'Host and port. If the default port is in use, Sidelight takes the next free one',
  },
  'listen.ingress': { title: 'Ingress', hint: 'Host and port' },
  'listen.topicPorts': { title: 'Ports of individual topics', hint: 'One per line: orders = 7501' },
  'ingress.enabled': { title: 'Serve the ingress' },
  'ingress.selfProbe': {
    title: 'Check the ingress at the start',
    hint: 'The component sends itself one OPTIONS request through it',
  },
  'ingress.cert': { title: 'Certificate file', hint: 'Empty: a certificate of the local authority' },
  'ingress.key': { title: 'Key file' },
  'ingress.rules': {
    title: 'Forwarding rules',
    hint: 'One per line: host, path, address, and the path to send instead, if any',
  },
  'delivery.timeScale': {
    title: 'Time scale',
    hint: 'Multiplies every wait, pause and time to live; 1 = the documented schedule',
  },
  'delivery.jitter': { title: 'Jitter', hint: '0 to 1: how much longer a wait may be' },
  'delivery.maxConcurrentDeliveries': { title: 'Concurrent deliveries' },
  'delivery.deadLetterDelay': {
    title: 'Wait before dead-lettering',
    hint: 'Before the time scale',
  },
  'delivery.ttlCheck': {
    title: 'When an event expires',
    words: { exact: 'When its time to live ends', 'at-attempt': 'When its next attempt is due' },
  },
  'delivery.onExhausted': {
    title: 'After the last attempt, without a dead-letter destination',
    words: { park: 'Park', drop: 'Drop, as the service does' },
  },
  'delivery.probation': {
    title: 'Pause a whole subscription after a failure',
    hint: 'As the service does, for example 5 minutes after a 404',
  },
  'delivery.retry401Once': { title: 'Retry a 401 once, with a new token' },
  'trust.extraCaFiles': { title: 'Further certificate authorities', hint: 'One file per line' },
  'trust.trustSystemRoots': { title: 'Trust the authorities of this system' },
  identity: {
    title: 'Clients',
    words: { auto: 'Any client is known', strict: 'Only clients that were added' },
  },
  rbac: {
    title: 'Roles',
    words: { auto: 'Components get the roles they need', enforce: 'Only roles that were granted' },
  },
  callerCheck: {
    title: "A token that is not the router's own",
    words: { '': 'As the profile says', enforce: 'Refuse', warn: 'Accept and warn', off: 'Accept' },
  },
  handshakeAuth: {
    title: 'Token at a handshake',
    words: {
      optional: 'Optional, but refused if it is not valid',
      required: 'Required',
      none: 'Not checked',
    },
  },
  handshakeToken: {
    title: 'Handshakes of the embedded router',
    words: { send: 'With a token', omit: 'Without a token' },
  },
  acceptV1Tokens: { title: 'Accept tokens of version 1' },
  requireRole: { title: 'Require the role of the router in a token' },
  forwardRouterHeaders: {
    title: "Pass the router's headers to the app",
    hint: 'Headers whose names begin with aeg-',
  },
  audiences: { title: 'Further audiences', hint: 'One per line' },
  allowedOrigins: { title: 'Origins whose handshakes are answered', hint: 'One per line; empty: any' },
  'limits.maxRequestBytes': { title: 'Largest request' },
  'limits.topicEventsPerSecond': {
    title: 'Events per second and topic',
    hint: 'Beyond it a topic answers 429; 0 = no limit',
  },
  'limits.topicBytesPerSecond': {
    title: 'Bytes per second and topic',
    hint: 'Beyond it a topic answers 429; 0 = no limit',
  },
  allowRemote: {
    title: 'Listen beyond this machine',
    hint: 'Needed for an address above that is not of this machine',
  },
  allowPublicSubscribers: { title: 'Deliver to public addresses' },
  allowInsecureSubscribers: { title: 'Deliver over http' },
  revalidateOnPut: { title: 'Repeat the handshake when a subscription is put again' },
  strictConflicts: {
    title: 'Refuse a second change of a subscription while one runs',
    hint: 'Otherwise it waits',
  },
  keepOnDelete: {
    title: 'Park the events of a deleted subscription',
    hint: 'Otherwise they are dropped',
  },
  'health.strictBindings': { title: 'The sidecar is healthy only once its router components are ready' },
};
