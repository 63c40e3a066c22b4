/** The settings block `eventRouter`, which binding and service share: its defaults and its check. */
import { ENDPOINT_DEFAULTS, EVENT_ROUTER_DEFAULTS } from '../contract/event-router/settings.ts';
import type { EventRouterSettings, IngressRuleSetting } from '../contract/event-router/settings.ts';
import {
  also,
  decimal,
  flag,
  integer,
  listOf,
  members,
  orNull,
  recordOf,
  text,
  word,
} from '../domain/setting-checks.ts';
import type { Check, SettingRow } from '../domain/setting-checks.ts';

const address = text('a host and port such as localhost:7443', (value) =>
  /^(\[[0-9a-fA-F:]+\]|[^\s:/]+):\d{1,5}$/.test(value),
);
const httpsUrl = text('an https address', (value) => /^https:\/\/[^/\s]+/.test(value));
const anyText = text('a string', () => true);
const aText = text('a string that is not empty', (value) => value !== '');

/** `on` and `off`, which YAML reads as booleans. */
const onOff: Check<boolean> = {
  expected: 'on or off',
  read: (value) => flag().read(value === 'on' ? true : value === 'off' ? false : value),
};

const endpoints = members(
  {
    authority: httpsUrl,
    management: httpsUrl,
    managementAudience: orNull(aText),
    publishAudience: aText,
    apiVersion: text('a date such as 2022-06-15', (value) => /^\d{4}-\d{2}-\d{2}(-preview)?$/.test(value)),
  },
  ENDPOINT_DEFAULTS,
);

const rule: Check<IngressRuleSetting> = also(
  members<IngressRuleSetting>(
    { host: aText, path: anyText, upstream: aText, rewrite: orNull(anyText) },
    { host: '', path: '', upstream: '', rewrite: null },
  ),
  'host, path and upstream given',
  ({ host, path, upstream }) => host !== '' && path.startsWith('/') && upstream !== '',
);

const DEFAULTS = EVENT_ROUTER_DEFAULTS;

const block = members<EventRouterSettings>(
  {
    mode: word(['embedded', 'external', 'off']),
    namespace: orNull(
      text('a namespace such as Cloud.EventRouter', (value) => /^[A-Za-z0-9]+(\.[A-Za-z0-9]+)+$/.test(value)),
    ),
    routerApplicationId: aText,
    endpoints: orNull(endpoints),
    cloud: orNull(word(['public', 'government', 'china'])),
    trust: members({ extraCaFiles: listOf(aText), trustSystemRoots: flag() }, DEFAULTS.trust),
    identity: word(['auto', 'strict']),
    rbac: word(['auto', 'enforce']),
    listen: members(
      { router: address, ingress: address, topicPorts: recordOf(aText, integer(0, 65_535)) },
      DEFAULTS.listen,
    ),
    ingress: members(
      { enabled: flag(), selfProbe: flag(), cert: orNull(aText), key: orNull(aText), rules: listOf(rule) },
      DEFAULTS.ingress,
    ),
    delivery: members(
      {
        timeScale: decimal(0, 1000),
        jitter: decimal(0, 1),
        probation: onOff,
        ttlCheck: word(['exact', 'at-attempt']),
        maxConcurrentDeliveries: integer(1, 1000),
        onExhausted: word(['park', 'drop']),
        deadLetterDelay: decimal(0, 86_400),
        retry401Once: flag(),
      },
      DEFAULTS.delivery,
    ),
    health: members({ strictBindings: flag() }, DEFAULTS.health),
    limits: members(
      {
        maxRequestBytes: integer(1024, 100 * 1024 * 1024),
        topicEventsPerSecond: integer(0, 1_000_000),
        topicBytesPerSecond: integer(0, 1_000_000_000),
      },
      DEFAULTS.limits,
    ),
    callerCheck: orNull(word(['enforce', 'warn', 'off'])),
    handshakeAuth: word(['optional', 'required', 'none']),
    handshakeToken: word(['send', 'omit']),
    forwardRouterHeaders: flag(),
    acceptV1Tokens: flag(),
    audiences: listOf(aText),
    requireRole: flag(),
    allowedOrigins: listOf(aText),
    allowRemote: flag(),
    allowPublicSubscribers: flag(),
    allowInsecureSubscribers: flag(),
    revalidateOnPut: flag(),
    strictConflicts: flag(),
    keepOnDelete: flag(),
  },
  EVENT_ROUTER_DEFAULTS,
);

/** Check of the block. External mode needs an address: `endpoints` or `cloud`. */
const check: Check<EventRouterSettings> = also(
  block,
  'endpoints or cloud with mode external',
  ({ mode, endpoints: given, cloud }) => mode !== 'external' || given !== null || cloud !== null,
);

/** The row of the table of settings. */
export const EVENT_ROUTER_SETTING: SettingRow<EventRouterSettings> = {
  default: EVENT_ROUTER_DEFAULTS,
  check,
  meaning: 'The event router: docs/event-router.md says what each member does.',
};
