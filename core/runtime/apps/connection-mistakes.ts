/**
 * Problems in how an app was connected: closed port, another profile, another protocol, no list, not healthy, no answers, another token, no
 * component. One sentence each.
 */
import { counted } from '../../contract/count-text.ts';
import { clause } from '../../contract/error-text.ts';
import { leftOutText } from '../../contract/component-scopes.ts';
import type { OnlyForOthers } from '../../contract/component-scopes.ts';
import { grpcCode } from '../../contract/grpc.ts';
import type { AppScheme, PortProtocol, Protocol } from '../../contract/grpc.ts';
import { PROFILES } from '../../contract/profile.ts';
import type { Profile } from '../../contract/profile.ts';
import { theApp, theAppFirst } from '../../contract/app-text.ts';
import {
  NOW_SUBSCRIBED,
  OTHER_PROFILE,
  SILENT_APP,
  UNUSABLE_SUBSCRIPTION,
} from '../../contract/discovery-text.ts';
import { firstOf } from '../../contract/list-text.ts';
import { duration } from '../../contract/duration-text.ts';
import { didYouMean } from '../../contract/nearest.ts';
import type { Problem } from '../../contract/subscription.ts';
import type { SettingOrigin } from '../../contract/settings.ts';
import { readDiscovery } from '../../domain/subscription.ts';
import { listValueIn } from '../../domain/answer.ts';
import type { NameMistake } from '../../ports/host-names.ts';
import type { SharedServices } from '../common-services.ts';
import type { App } from '../state/app.ts';

/** Codes of the problems that a banner shows too. */
export const CONNECTING_CODES = [
  'nobody-listens',
  OTHER_PROFILE,
  'other-scheme',
  'discovery-slow',
  'discovery-failed',
  UNUSABLE_SUBSCRIPTION,
  'no-component',
  'not-healthy',
  'missing-route',
  'mended-route',
  'batch-answer',
  SILENT_APP,
  'token-refused',
  'old-route',
  'old-subscription',
  'near-topic',
  'missing-list',
  NOW_SUBSCRIBED,
] as const;
export type ConnectingCode = (typeof CONNECTING_CODES)[number];

/** The setting with the addresses of apps that have a mock app. */
export const ADDRESS_SETTING = 'app.address';

const ASK_MS = 5_000;
const SPOKEN_MS = 2_000;
const BESIDE_MS = 500;

interface Spoken {
  /** Name of what the port speaks. */
  readonly what: string;
  /** Schemes that an address there may have. */
  readonly schemes: readonly AppScheme[];
  /** What to do, for `{host}` as in the address; without it the one scheme is to be given. */
  readonly todo?: string;
}

const HTTP_1_TOO = 'make it speak HTTP/1.1 over TLS too';
const SPOKEN: Readonly<Record<PortProtocol, Spoken>> = {
  http: { what: 'HTTP/1 without TLS', schemes: ['http'] },
  https: { what: 'HTTP/1 over TLS', schemes: ['https'] },
  h2c: { what: 'HTTP/2 without TLS, and not gRPC', schemes: ['h2c'] },
  grpc: { what: 'HTTP/2 only, as gRPC apps do', schemes: ['grpc'] },
  grpcs: { what: 'HTTP/2 over TLS only, as gRPC apps do', schemes: ['grpcs'] },
  'some-http2': {
    what: 'HTTP/2 only',
    schemes: ['grpc', 'h2c'],
    todo: 'give its address as grpc://{host} if it is a gRPC app, else as h2c://{host}',
  },
  'http2-tls': {
    what: 'HTTP/2 over TLS only, and not gRPC, which neither Sidelight nor the reference calls',
    schemes: [],
    todo: `${HTTP_1_TOO}, or HTTP/2 without TLS, and give its address as h2c://{host}`,
  },
  'some-http2-tls': {
    what: 'HTTP/2 over TLS only',
    schemes: ['grpcs'],
    todo: `give its address as grpcs://{host} if it is a gRPC app, else ${HTTP_1_TOO}`,
  },
};

/**
 * Problem: the app's port has been closed for a while.
 * @param setBy origin of the setting with the addresses of apps that have a mock app
 * @param named why the name in its address has no address; undefined: it has one
 */
export async function nobodyListens(
  app: Pick<
    App,
    | 'appId'
    | 'channel'
    | 'notRunning'
    | 'runsHere'
    | 'listensAt'
    | 'discovered'
    | 'isRestarting'
    | 'mock'
    | 'added'
    | 'addressFrom'
  >,
  setBy: SettingOrigin | undefined,
  named?: NameMistake,
): Promise<Problem> {
  const { appId, channel, notRunning, runsHere } = app;
  const meanwhile = whatWaits(app);
  if (named !== undefined) {
    const host = hostOfAddress(channel.url);
    const todo = OTHER_NAMES[host] ?? whereFrom(app, setBy);
    const text = `${capital(nameText(host, named))}, the machine in ${channel.url}, the address of ${theApp(appId)}: ${todo}. ${meanwhile}.`;
    return problem('nobody-listens', 'warning', text);
  }
  const where = `Nothing listens at ${channel.url}, the address of ${theApp(appId)}`;
  if (notRunning !== undefined) {
    const text = `${where}, whose process does not run: ${clause(notRunning)}. ${meanwhile}.`;
    return problem('nobody-listens', 'warning', text);
  }
  const beside = await channel.openBeside?.(BESIDE_MS);
  // Sidelight has started the app, or is just starting it again, so that nobody else has to.
  const ports = runsHere ? app.listensAt() : [];
  const started = runsHere
    ? `, whose process runs${ports.length === 0 ? '' : ` and listens on ${portsText(ports)}`}`
    : '';
  const first = !runsHere
    ? 'start the app'
    : ports.length === 0
      ? 'wait until it listens'
      : 'make it listen here';
  const todo =
    beside === undefined
      ? `${first}, or ${whereFrom(app, setBy)}`
      : `a program listens at ${beside}; if that is the app, give this address`;
  return problem('nobody-listens', 'warning', `${where}${started}: ${todo}. ${meanwhile}.`);
}

/** Host name in the address of an app. */
export function hostOfAddress(url: string): string {
  return url.replace(/^\w+:\/\/(\[[^\]]*\]|[^/:]*).*$/, '$1');
}

/** What to do about a name that exists only in some places. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'host.docker.internal':
    'only containers have that name for their machine. If Sidelight runs on that machine itself, use 127.0.0.1 instead; if it runs in a container, start the container with --add-host=host.docker.internal:host-gateway',
};

/** Why the name of a machine leads nowhere, as a clause. */
export function nameText(host: string, mistake: NameMistake): string {
  return mistake === 'unknown'
    ? `no machine has the name ${host}`
    : `the name ${host} could not be looked up`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What happens to messages meanwhile. An app that listened before is still called, unless its process restarts. */
function whatWaits({ discovered, isRestarting }: Pick<App, 'discovered' | 'isRestarting'>): string {
  if (!discovered)
    return 'Messages of all topics wait until it answers, because only it knows what it subscribes to';
  return isRestarting
    ? 'Deliveries to it wait until its process runs again'
    : 'Deliveries to it fail, and are tried again as often as their retry policy allows';
}

/** Ports that a sentence names. */
const MAX_PORTS = 3;

/** `port 28778`, `ports 9229 and 28778`. */
export function portsText(ports: readonly number[]): string {
  return `${ports.length === 1 ? 'port' : 'ports'} ${firstOf(ports.map(String), MAX_PORTS)}`;
}

/** What to do about a wrong address. An app with a mock app has another address by a setting only, which a flag makes unchangeable. */
function whereFrom(
  { mock, added, addressFrom }: Pick<App, 'mock' | 'added' | 'addressFrom'>,
  setBy: SettingOrigin | undefined,
): string {
  if (mock !== undefined && setBy === 'flag')
    return `check this address, which --set ${ADDRESS_SETTING} gave`;
  if (mock !== undefined && setBy === 'file')
    return `change its address on the Apps screen; this one is in the --config file, under ${ADDRESS_SETTING}`;
  if (mock !== undefined) return 'change its address on the Apps screen, where this one was entered';
  if (added) return 'remove the app on the Apps screen and add it with another address';
  return addressFrom === undefined ? 'check this address' : `check this address, which ${addressFrom} gave`;
}

/**
 * Problem: the app has not answered discovery yet.
 * @param limitMs timeout of the answer
 */
export function discoverySlow(
  { appId, discovery, isListAwaited }: Pick<App, 'appId' | 'discovery' | 'isListAwaited'>,
  afterMs: number,
  limitMs: number,
): Problem {
  // Messages wait for the first list of an address only; afterwards they are matched with the subscriptions that are known.
  const what = isListAwaited ? 'messages' : 'deliveries to it';
  return problem(
    'discovery-slow',
    'warning',
    `${theAppFirst(appId)} has not answered ${discovery.url} for ${duration(afterMs)}. Sidelight waits ${duration(limitMs)} for its subscriptions, and ${what} wait meanwhile.`,
  );
}

/** What to do about an answer that is no list. */
export const GIVE_A_LIST =
  'Make the app answer there with a JSON array, or with 404 if it subscribes to nothing';

const ASKS_AGAIN = 'Sidelight asks again when the app restarts, or when you choose "Discover again"';

/**
 * Problem: the app answered discovery without a list.
 * @param todo what to do; undefined: the error says it
 */
export function discoveryFailed(
  app: Pick<App, 'appId' | 'channel' | 'discovery' | 'programmatic' | 'listedBy'>,
  error: string,
  todo?: string,
): Problem {
  const { appId, discovery } = app;
  return problem(
    'discovery-failed',
    'error',
    `Discovery of ${theApp(appId)} failed: ${clause(error)} (${discovery.url}).${todo === undefined ? '' : ` ${todo}.`} ${ASKS_AGAIN}. ${untilThen(app)}.`,
  );
}

/** Problem: nobody listened where the app was asked. It is looked for all the time, and what waits meanwhile is said with that. */
export function discoveryRefused(
  { appId, discovery }: Pick<App, 'appId' | 'discovery'>,
  error: string,
): Problem {
  return problem(
    'discovery-failed',
    'error',
    `Discovery of ${theApp(appId)} failed: ${clause(error)} (${discovery.url}). Sidelight asks again as soon as something listens there.`,
  );
}

/** Which subscriptions count after a failed discovery. Those of another address are named, because the person knows another app there. */
function untilThen({
  channel,
  programmatic,
  listedBy,
}: Pick<App, 'channel' | 'programmatic' | 'listedBy'>): string {
  if (programmatic.length === 0) return 'Until then it gets only the topics that files subscribe it to';
  if (listedBy === undefined || listedBy.url === channel.url) return 'Its earlier subscriptions stay';
  const whose = listedBy.isMock ? 'of the mock app' : `that ${listedBy.url} gave`;
  return `Until then the subscriptions ${whose} stay`;
}

/** Line of the log: the list of the app had a mistake, and has none now. */
export function mendedList({ appId, discovery: { count } }: Pick<App, 'appId' | 'discovery'>): string {
  const has = count === 0 ? 'it is empty' : `${counted(count, 'subscription')}, all used`;
  return `The subscription list of ${theApp(appId)} is fixed: ${has}.`;
}

/**
 * Problem: the app fails its health check.
 * @param said result of the check
 */
export function notHealthy(appId: string, path: string, said: string): Problem {
  return problem(
    'not-healthy',
    'warning',
    `${theAppFirst(appId)} is not healthy: its health check ${path} ${clause(said)}. Its messages wait.`,
  );
}

/** Subscriptions of an app to a component that it has not. */
interface MissingComponent {
  readonly pubsubname: string;
  readonly topics: readonly string[];
  /** What leaves the app out of it; undefined: there is no such component. */
  readonly others: readonly OnlyForOthers[] | undefined;
  /** Whether the app's own list names it. */
  readonly ofList: boolean;
}

/**
 * Problem: subscriptions to a component that does not exist, or that only other apps may use, so no message can arrive.
 * @param loaded components that the app may use
 */
export function noComponent(
  appId: string,
  { pubsubname, topics, others, ofList }: MissingComponent,
  loaded: readonly string[],
): Problem {
  const more = ofList ? { ofList } : {};
  const there = loaded.length === 0 ? 'there is none' : `there is ${loaded.join(', ')}`;
  if (others !== undefined) {
    const text = leftOutText(appId, { pubsubname, topics }, others, there);
    return { ...problem('no-component', 'warning', text), ...more };
  }
  const text = `${theAppFirst(appId)} subscribes to ${topics.join(', ')} of ${pubsubname}, and no pub/sub component of that name is loaded for it (${there})${meantComponent(pubsubname, loaded)} The app gets nothing from it until --resources names a folder with ${pubsubname}, or the app names another component.`;
  return { ...problem('no-component', 'warning', text), ...more };
}

/** Why nothing of a component that does not exist reaches an app. */
export function noUsable(pubsubname: string, loaded: readonly string[]): string {
  return `There is no pub/sub component ${pubsubname} that this app may use${meantComponent(pubsubname, loaded)}`;
}

/** End of a sentence about a component that does not exist. */
function meantComponent(pubsubname: string, loaded: readonly string[]): string {
  return didYouMean(pubsubname, loaded) || '.';
}

/**
 * Tries the discovery routes of the other profiles, once each, because the app lacks that of its own. The result is only reported:
 * nothing is delivered on a guess.
 */
export async function otherProfile(app: App, shared: SharedServices): Promise<Problem | undefined> {
  const { profile: own } = shared;
  // A route shared by several profiles does not distinguish them: the first one represents them.
  const others = Object.values(PROFILES).filter(
    (one, i, all) =>
      one.discoveryPath !== own.discoveryPath &&
      all.findIndex(({ discoveryPath }) => discoveryPath === one.discoveryPath) === i,
  );
  for (const other of others) {
    if (!(await speaks(app, other, shared))) continue;
    const at = `GET ${other.discoveryPath}`;
    return problem(
      OTHER_PROFILE,
      'error',
      `${theAppFirst(app.appId)} speaks profile ${other.name}: it answers ${at} and not ${own.discoveryPath}. Start with --profile ${other.name}. Until then it gets no messages.`,
    );
  }
  return undefined;
}

async function speaks(app: App, profile: Profile, { codec, appApiToken }: SharedServices): Promise<boolean> {
  const token = app.token(appApiToken);
  const answer = await app.channel.get(
    profile.discoveryPath,
    {
      'content-type': 'application/json',
      [profile.appIdHeader]: app.appId,
      ...(token === undefined ? {} : { [profile.tokenHeader]: token }),
    },
    ASK_MS,
  );
  if (answer.kind === 'none' || answer.status !== 200 || answer.body === undefined) return false;
  const body = listValueIn(codec.toText(answer.body));
  // A web page that answers every path is not a list of subscriptions.
  if (body === undefined || !Array.isArray(body.value)) return false;
  return readDiscovery(body.value, { appId: app.appId, profile }).subscriptions.length === body.value.length;
}

/** Problem: the app answers no call, though its port takes connections. */
export function silentApp(
  appId: string,
  { calls, last }: { readonly calls: number; readonly last: string },
): Problem {
  return problem(
    SILENT_APP,
    'warning',
    `${theAppFirst(appId)} has answered none of its last ${calls.toLocaleString('en-US')} calls. The last one: ${clause(last).replace(/^N/, 'n')}.`,
  );
}

/**
 * Problem: the app refuses all its deliveries.
 * @param isSent whether they carry a token
 */
export function tokenRefused(
  appId: string,
  status: string,
  profile: Pick<Profile, 'env' | 'tokenHeader'>,
  isSent: boolean,
): Problem {
  const text = `${theAppFirst(appId)} answers ${status} to its deliveries. ${tokenTodo(profile, isSent)}.`;
  return problem('token-refused', 'error', text);
}

/** Statuses that an app may answer to a call whose token it does not take. */
const REFUSALS: Readonly<Record<Protocol, ReadonlySet<number>>> = {
  http: new Set([401, 403]),
  grpc: new Set([grpcCode('UNAUTHENTICATED'), grpcCode('PERMISSION_DENIED')]),
};

/** Whether an answer may mean that the app misses a token, or takes another one. */
export function isTokenRefusal({
  protocol = 'http',
  status,
}: {
  readonly protocol?: Protocol;
  readonly status: number;
}): boolean {
  return REFUSALS[protocol].has(status);
}

/**
 * What to do about an app that may refuse a call for want of a token.
 * @param isSent whether the call carried one
 */
export function tokenTodo(
  { env, tokenHeader }: Pick<Profile, 'env' | 'tokenHeader'>,
  isSent: boolean,
): string {
  return isSent
    ? `Sidelight sent it the token of ${env.appApiToken}, as ${tokenHeader}: if the app asks for that token, one of the two is wrong`
    : `Sidelight sent it no token: if the app asks for the token that its sidecar sends, start Sidelight with ${env.appApiToken}=TOKEN in its environment`;
}

/** After a broken call: checks whether the app's port speaks another protocol than its address says. */
export async function otherScheme({
  appId,
  channel,
  runFile,
}: Pick<App, 'appId' | 'channel' | 'runFile'>): Promise<Problem | undefined> {
  const spoken = await channel.protocolOfPort?.(SPOKEN_MS);
  if (spoken === undefined) return undefined;
  const { host, protocol } = new URL(channel.url);
  const { what, schemes, todo = `give its address as ${schemes.join()}://{host}` } = SPOKEN[spoken];
  if (schemes.some((scheme) => protocol === `${scheme}:`)) return undefined;
  const given = schemes.join(' or ');
  // A file has no addresses, and no flag counts beside it.
  const where =
    runFile === undefined
      ? `With --app-port of sidelight run, give --app-protocol ${given}`
      : `In ${runFile}, that is appProtocol: ${given}, at app ${appId}`;
  const also = schemes.length === 0 ? '' : ` ${where}.`;
  return problem(
    'other-scheme',
    'error',
    `${theAppFirst(appId)} at ${channel.url} speaks ${what}: ${todo.replaceAll('{host}', host)}.${also}`,
  );
}

function problem(code: ConnectingCode, severity: 'error' | 'warning', message: string): Problem {
  return { code, severity, message };
}
