/** Makes everything the router is built of, once. Nothing listens yet. */
import path from 'node:path';
import type { EvrCode } from '../contract/event-router/wire.ts';
import type { LocalRouterStatus } from '../contract/event-router/local-router-status.ts';
import { anchorsOf } from '../router-protocol/tls-trust.ts';
import { Changes } from './changes.ts';
import { Faults } from './faults.ts';
import { HandshakeLog } from './handshake-log.ts';
import { Directory } from './identity/directory.ts';
import { SigningKeys } from './identity/signing-keys.ts';
import { Tokens } from './identity/tokens.ts';
import { Ingress } from './edge/ingress/ingress.ts';
import { Authorization } from './edge/management/authorization.ts';
import { Management } from './edge/management/management.ts';
import { wordsOf } from './options.ts';
import type { LocalRouterOptions, RouterWords } from './options.ts';
import { createOutbound } from './outbound/outbound.ts';
import type { Outbound } from './outbound/outbound.ts';
import { Sleeps } from './sleeps.ts';
import { makePrivateFolder } from './store/private-folder.ts';
import { RouterStore } from './store/store.ts';
import type { StoredSubscription } from './subscriptions/stored-subscription.ts';
import { Operations } from './subscriptions/operations.ts';
import { Subscriptions } from './subscriptions/subscriptions.ts';
import { validate } from './subscriptions/validation.ts';
import { removeTopic } from './topics/remove-topic.ts';
import { Topics } from './topics/topics.ts';
import { Certificates } from './trust/certificates.ts';
import { RefusalLog } from './edge/refusal-log.ts';

type Note = LocalRouterStatus['notes'][number];

/** Facts that are known only when the listeners are open. */
export interface Addresses {
  router: string;
  topicPorts: Record<string, string>;
}

/** Changes that the delivery engine follows; delivery-service.ts sets them. */
export interface RouterHooks {
  changed: (subscription: StoredSubscription) => void;
  removed: (subscription: StoredSubscription) => void;
  repaired: () => void;
}

export interface RouterDependencies {
  readonly options: LocalRouterOptions;
  readonly words: RouterWords;
  readonly addresses: Addresses;
  readonly changes: Changes;
  readonly notes: readonly Note[];
  readonly note: (text: string, code?: EvrCode) => void;
  readonly refusals: RefusalLog;
  readonly skew: { ms: number };
  readonly store: RouterStore;
  readonly certificates: Certificates;
  readonly faults: Faults;
  readonly keys: SigningKeys;
  readonly directory: Directory;
  readonly tokens: Tokens;
  readonly outbound: Outbound;
  readonly operations: Operations;
  readonly topics: Topics;
  readonly handshakes: HandshakeLog;
  readonly subscriptions: Subscriptions;
  readonly access: Authorization;
  readonly management: Management;
  readonly ingress: Ingress;
  readonly hooks: RouterHooks;
  readonly sleeps: Sleeps;
  /** Resources that clients ask tokens for, without a slash at the end. */
  readonly resources: () => readonly string[];
  readonly endpointsOf: (topic: string) => readonly string[];
}

const MOST_NOTES = 100;

/** Throws RouterError EVR-SEC-01 when a kept key can be read by others. */
export async function createDependencies(options: LocalRouterOptions): Promise<RouterDependencies> {
  const { settings, clock, ids, log, profile, folder } = options;
  if (folder !== undefined) makePrivateFolder(folder);
  const now = (): number => clock.now();
  const changes = new Changes();
  const notes: Note[] = [];
  const note = (text: string, code?: EvrCode): void => {
    notes.push({ at: new Date(now()).toISOString(), text, ...(code === undefined ? {} : { code }) });
    if (notes.length > MOST_NOTES) notes.shift();
    log.write(
      code === undefined ? 'info' : 'warn',
      'local-router',
      code === undefined ? text : `${code} ${text}`,
    );
    changes.tell('note');
  };
  const refusals = new RefusalLog(now, () => changes.tell('note'));
  const kept = folder === undefined ? {} : { folder };
  const certificates =
    options.certificates ?? (await Certificates.open({ ...kept, hosts: settings.hostNames, now }));
  const skew = { ms: 0 };
  const identityNow = (): number => clock.now() + skew.ms;
  const keys = options.signingKeys ?? SigningKeys.open({ ...kept, now: identityNow });
  const store = new RouterStore(folder, clock);
  if (store.setAside !== undefined) {
    note(
      `The state file was damaged; it was put aside as ${path.basename(store.setAside)} and a new one begun.`,
    );
  }
  const addresses: Addresses = { router: '', topicPorts: {} };
  const words = wordsOf(profile);
  const directory = new Directory(store, () => changes.tell('identity'));
  const authority = (): string => addresses.router;
  const { routerApplicationId, namespace } = settings;
  const tokens = new Tokens({ keys, directory, words, routerApplicationId, authority, now: identityNow });
  const faults = new Faults(
    ids,
    () => changes.tell('fault'),
    (ms) => {
      skew.ms = ms;
      tokens.forgetAll();
    },
  );
  const anchors = (): string[] => anchorsOf({ ...settings.trust, local: certificates.caPem });
  const { allowPublicSubscribers: allowPublic } = settings;
  const outbound = options.outbound ?? createOutbound({ anchors: anchors(), allowPublic });
  const sleeps = new Sleeps(clock);
  const operations = new Operations(ids);
  const topics = new Topics(store, namespace, () => changes.tell('topic'));
  const handshakes = new HandshakeLog();
  const record: HandshakeLog['add'] = (handshake) => {
    handshakes.add(handshake);
    changes.tell('handshake', handshake.subscriptionId);
  };
  const hooks: RouterHooks = {
    changed: () => undefined,
    removed: () => undefined,
    repaired: () => undefined,
  };
  const subscriptions = new Subscriptions({
    store,
    clock,
    operations,
    namespace,
    revalidateOnPut: settings.revalidateOnPut,
    strictConflicts: settings.strictConflicts,
    validate: (subscription, isCurrent) =>
      validate(
        {
          outbound,
          clock,
          ids,
          origin: words.origin,
          base: authority,
          retryMs: settings.handshakeRetryMs,
          sleep: (ms) => sleeps.sleep(ms),
          sendToken: settings.handshakeToken === 'send',
          token: (tenant, application) => tokens.forWebhook(tenant, application),
          record,
        },
        subscription,
        isCurrent,
      ),
    record,
    changed: (subscription) => {
      changes.tell('subscription', subscription.id);
      hooks.changed(subscription);
    },
    removed: (subscription) => {
      changes.tell('subscription', subscription.id);
      hooks.removed(subscription);
    },
  });
  const management = (): string => (settings.managementAudience ?? addresses.router).replace(/\/+$/, '');
  const resources = (): readonly string[] => [management(), settings.publishAudience.replace(/\/+$/, '')];
  const access = new Authorization({
    tokens,
    directory,
    store,
    rbac: settings.rbac,
    namespace,
    routerApplicationId,
    audiences: () => [management()],
  });
  const endpointsOf = (topic: string): readonly string[] => {
    const own = addresses.topicPorts[topic];
    const shared = `${addresses.router}/topics/${topic}/api/events`;
    return own === undefined ? [shared] : [shared, `${own}/api/events`];
  };
  const { allowInsecureSubscribers } = settings;
  const ingress = new Ingress({
    settings,
    certificates,
    faults,
    refusals,
    log,
    now,
    changed: () => changes.tell('ingress'),
    repaired: () => hooks.repaired(),
  });
  certificates.onChange(() => {
    outbound.trust(anchors());
    changes.tell('certificate');
  });
  return {
    options,
    words,
    addresses,
    changes,
    notes,
    note,
    refusals,
    skew,
    store,
    certificates,
    faults,
    keys,
    directory,
    tokens,
    outbound,
    operations,
    topics,
    handshakes,
    subscriptions,
    access,
    management: new Management({
      access,
      directory,
      subscriptions,
      topics,
      operations,
      clock,
      namespace,
      profile,
      allowInsecureSubscribers,
      base: authority,
      endpointOf: (topic) => endpointsOf(topic)[0] ?? '',
      removeTopic: (topic) => removeTopic({ topics, subscriptions }, topic),
    }),
    ingress,
    hooks,
    sleeps,
    resources,
    endpointsOf,
  };
}
