/** Constructs all parts of the router once, without opening a listener. */
import path from 'node:path';
import type { EvrCode } from '../contract/event-router/wire.ts';
import type { LocalRouterStatus } from '../contract/event-router/local-router-status.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
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
import type { ValidationDependencies } from './subscriptions/validation.ts';
import { removeTopic } from './topics/remove-topic.ts';
import { Topics } from './topics/topics.ts';
import { Certificates } from './trust/certificates.ts';
import { RefusalLog } from './edge/refusal-log.ts';

type Note = LocalRouterStatus['notes'][number];

/** Addresses that are known only when the listeners are open. */
export interface Addresses {
  router: string;
  topicPorts: Record<string, string>;
}

/** Hooks by which the delivery engine follows changes; delivery-service.ts sets them. */
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
  /** Resources for which clients request tokens, without a slash at the end. */
  readonly resources: () => readonly string[];
  readonly endpointsOf: (topic: string) => readonly string[];
}

const MAX_NOTES = 100;

/** Makes the parts. Throws RouterError EVR-SEC-01 if others can read a stored key. */
export async function createDependencies(options: LocalRouterOptions): Promise<RouterDependencies> {
  const { clock, ids } = options;
  const base = await openBase(options);
  const { addresses, changes, store, certificates } = base;
  const identity = createIdentity(base);
  const anchors = (): string[] => anchorsOf({ ...options.settings.trust, local: certificates.caPem });
  const { allowPublicSubscribers: allowPublic, namespace } = options.settings;
  const deps = {
    ...base,
    ...identity,
    faults: createFaults(base, identity.tokens),
    outbound: options.outbound ?? createOutbound({ anchors: anchors(), allowPublic }),
    sleeps: new Sleeps(clock),
    operations: new Operations(ids),
    topics: new Topics(store, namespace, () => changes.notify('topic')),
    handshakes: new HandshakeLog(),
    hooks: noHooks(),
    endpointsOf: (topic: string) => endpointsOf(addresses, topic),
  };
  const subscriptions = createSubscriptions(deps);
  const access = createAuthorization(deps);
  const ingress = createIngress(deps);
  certificates.onChange(() => {
    deps.outbound.trust(anchors());
    changes.notify('certificate');
  });
  return {
    ...deps,
    subscriptions,
    access,
    ingress,
    management: createManagement({ ...deps, subscriptions, access }),
    resources: () => [...managementAudiences(base), withoutSlash(options.settings.publishAudience)],
  };
}

type Some<K extends keyof RouterDependencies> = Pick<RouterDependencies, K>;
type Base = Some<
  | 'options'
  | 'words'
  | 'addresses'
  | 'changes'
  | 'notes'
  | 'note'
  | 'refusals'
  | 'skew'
  | 'certificates'
  | 'keys'
  | 'store'
>;

/** Opens what is read from the folder, and the notes. */
async function openBase(options: LocalRouterOptions): Promise<Base> {
  const { settings, clock, folder } = options;
  if (folder !== undefined) makePrivateFolder(folder);
  const now = (): number => clock.now();
  const changes = new Changes();
  const noting = createNotes(options, changes);
  const kept = folder === undefined ? {} : { folder };
  const certificates =
    options.certificates ?? (await Certificates.open({ ...kept, hosts: settings.hostNames, now }));
  const skew = { ms: 0 };
  const keys = options.signingKeys ?? SigningKeys.open({ ...kept, now: () => clock.now() + skew.ms });
  const store = new RouterStore(folder, clock);
  if (store.setAside !== undefined) {
    noting.note(
      `The state file was damaged. The router kept it as ${path.basename(store.setAside)} and began a new one.`,
    );
  }
  return {
    options,
    words: wordsOf(options.profile),
    addresses: { router: '', topicPorts: {} },
    changes,
    ...noting,
    refusals: new RefusalLog(now, () => changes.notify('note')),
    skew,
    certificates,
    keys,
    store,
  };
}

/** Keeps the newest `MAX_NOTES` notes; each is logged too. */
function createNotes({ clock, log }: LocalRouterOptions, changes: Changes): Some<'notes' | 'note'> {
  const notes: Note[] = [];
  const note = (text: string, code?: EvrCode): void => {
    notes.push({ at: new Date(clock.now()).toISOString(), text, ...withoutUndefined({ code }) });
    if (notes.length > MAX_NOTES) notes.shift();
    log.write(
      code === undefined ? 'info' : 'warn',
      'local-router',
      code === undefined ? text : `${code} ${text}`,
    );
    changes.notify('note');
  };
  return { notes, note };
}

function createIdentity(base: Base): Some<'directory' | 'tokens'> {
  const { options, words, addresses, changes, skew, keys, store } = base;
  const directory = new Directory(store, () => changes.notify('identity'));
  const tokens = new Tokens({
    keys,
    directory,
    words,
    routerApplicationId: options.settings.routerApplicationId,
    authority: () => addresses.router,
    now: () => options.clock.now() + skew.ms,
  });
  return { directory, tokens };
}

function createFaults({ options, changes, skew }: Base, tokens: Tokens): Faults {
  return new Faults(
    options.ids,
    () => changes.notify('fault'),
    (ms) => {
      skew.ms = ms;
      tokens.forgetAll();
    },
  );
}

function noHooks(): RouterHooks {
  return { changed: () => undefined, removed: () => undefined, repaired: () => undefined };
}

function createSubscriptions(
  deps: Base & Some<'tokens' | 'outbound' | 'sleeps' | 'operations' | 'handshakes' | 'hooks'>,
): Subscriptions {
  const { options, words, addresses, changes, store, tokens, outbound, sleeps, hooks } = deps;
  const { settings, clock, ids } = options;
  const record: HandshakeLog['add'] = (handshake) => {
    deps.handshakes.add(handshake);
    changes.notify('handshake', handshake.subscriptionId);
  };
  const validation: ValidationDependencies = {
    outbound,
    clock,
    ids,
    origin: words.origin,
    base: () => addresses.router,
    retryMs: settings.handshakeRetryMs,
    sleep: (ms) => sleeps.sleep(ms),
    sendToken: settings.handshakeToken === 'send',
    token: (tenant, application) => tokens.forWebhook(tenant, application),
    record,
  };
  return new Subscriptions({
    store,
    clock,
    operations: deps.operations,
    namespace: settings.namespace,
    revalidateOnPut: settings.revalidateOnPut,
    strictConflicts: settings.strictConflicts,
    validate: (subscription, isCurrent) => validate(validation, subscription, isCurrent),
    record,
    changed: (subscription) => {
      changes.notify('subscription', subscription.id);
      hooks.changed(subscription);
    },
    removed: (subscription) => {
      changes.notify('subscription', subscription.id);
      hooks.removed(subscription);
    },
  });
}

function createAuthorization(deps: Base & Some<'tokens' | 'directory'>): Authorization {
  const { rbac, namespace, routerApplicationId } = deps.options.settings;
  const { tokens, directory, store } = deps;
  return new Authorization({
    tokens,
    directory,
    store,
    rbac,
    namespace,
    routerApplicationId,
    // A token of version 1 has the resource in the form in which it was requested.
    audiences: () => managementAudiences(deps).flatMap((audience) => [audience, `${audience}/`]),
  });
}

function createIngress(deps: Base & Some<'faults' | 'hooks'>): Ingress {
  const { options, certificates, faults, refusals, changes, hooks } = deps;
  return new Ingress({
    settings: options.settings,
    certificates,
    faults,
    refusals,
    log: options.log,
    now: () => options.clock.now(),
    changed: () => changes.notify('ingress'),
    repaired: () => hooks.repaired(),
  });
}

function createManagement(
  deps: Base & Some<'access' | 'directory' | 'subscriptions' | 'topics' | 'operations' | 'endpointsOf'>,
): Management {
  const { access, directory, subscriptions, topics, operations } = deps;
  const { settings, clock, profile } = deps.options;
  return new Management({
    access,
    directory,
    subscriptions,
    topics,
    operations,
    clock,
    namespace: settings.namespace,
    profile,
    allowInsecureSubscribers: settings.allowInsecureSubscribers,
    base: () => deps.addresses.router,
    endpointOf: (topic) => deps.endpointsOf(topic)[0] ?? '',
    removeTopic: (topic) => removeTopic({ topics, subscriptions }, topic),
  });
}

/**
 * Audiences of tokens for management: the setting or this router's own address, and those that stock clients
 * use.
 */
function managementAudiences({ options, addresses, words }: Base): readonly string[] {
  return [
    withoutSlash(options.settings.managementAudience ?? addresses.router),
    ...words.managementAudiences,
  ];
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

/** Addresses that accept events of a topic, the shared one first. */
function endpointsOf({ router, topicPorts }: Addresses, topic: string): readonly string[] {
  const own = topicPorts[topic];
  const shared = `${router}/topics/${topic}/api/events`;
  return own === undefined ? [shared] : [shared, `${own}/api/events`];
}
