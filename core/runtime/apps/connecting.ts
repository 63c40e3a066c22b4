/** Mistakes in how an app was connected: nobody listens, another profile, another protocol. Each is found out and said in one sentence. */
import type { AppScheme } from '../../contract/grpc.ts';
import { PROFILES } from '../../contract/profile.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Problem } from '../../contract/subscription.ts';
import { readDiscovery } from '../../domain/subscription.ts';
import { firstValue } from '../../domain/json.ts';
import type { Shared } from '../common.ts';
import type { App } from '../state/app.ts';

/** Codes of the problems that a banner shows too. */
export const CONNECTING_CODES = ['nobody-listens', 'other-profile', 'other-scheme'] as const;
export type ConnectingCode = (typeof CONNECTING_CODES)[number];

const ASK_MS = 5_000;
const SPOKEN_MS = 2_000;

/** What an app speaks whose address should begin with this. */
const SPOKEN: Readonly<Record<AppScheme, string>> = {
  http: 'HTTP/1 without TLS',
  https: 'HTTP/1 over TLS',
  grpc: 'HTTP/2 only, as gRPC apps do',
  grpcs: 'HTTP/2 over TLS only, as gRPC apps do',
};

/** The app's port is closed, and has been for a while. */
export function nobodyListens({ appId, channel }: Pick<App, 'appId' | 'channel'>): Problem {
  return problem(
    'nobody-listens',
    'warning',
    `Nobody listens at ${channel.url}, the address of app ${appId}: start the app, or check --app-url. Messages wait for it.`,
  );
}

/**
 * The discovery route of the app is not there: asks those of the other profiles, once each. What they answer is only said, never
 * used: nothing is delivered by guess.
 */
export async function otherProfile(app: App, shared: Shared): Promise<Problem | undefined> {
  const { profile: own } = shared;
  // Profiles that share a route cannot be told apart by it: the first one stands for them.
  const others = Object.values(PROFILES).filter(
    (one, i, all) =>
      one.discoveryPath !== own.discoveryPath &&
      all.findIndex(({ discoveryPath }) => discoveryPath === one.discoveryPath) === i,
  );
  for (const other of others) {
    if (!(await speaks(app, other, shared))) continue;
    const at = `GET ${other.discoveryPath}`;
    return problem(
      'other-profile',
      'error',
      `App ${app.appId} speaks profile ${other.name}: it answers ${at} and not ${own.discoveryPath}. Start with --profile ${other.name}. Until then it gets no messages.`,
    );
  }
  return undefined;
}

async function speaks(app: App, profile: Profile, { codec, appApiToken }: Shared): Promise<boolean> {
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
  const body = firstValue(codec.toText(answer.body));
  // A page that answers every path is no list of subscriptions.
  if (body === undefined || !Array.isArray(body.value)) return false;
  return readDiscovery(body.value, { appId: app.appId, profile }).subscriptions.length === body.value.length;
}

/** The call to the app broke: whether its port speaks something that the address does not begin with. */
export async function otherScheme({
  appId,
  channel,
}: Pick<App, 'appId' | 'channel'>): Promise<Problem | undefined> {
  const spoken = await channel.spokenScheme?.(SPOKEN_MS);
  const { host, protocol } = new URL(channel.url);
  if (spoken === undefined || protocol === `${spoken}:`) return undefined;
  return problem(
    'other-scheme',
    'error',
    `App ${appId} at ${channel.url} speaks ${SPOKEN[spoken]}: give its address as ${spoken}://${host}.`,
  );
}

/** Neither the route of this profile nor that of another is there: an app without subscriptions, or another program. */
export function withoutSubscriptions(appId: string, url: string): string {
  return `App ${appId} declares no subscriptions: it answers 404 to GET ${url}, and no other profile's route gives a list. Only subscriptions of files count for it.`;
}

function problem(code: ConnectingCode, severity: 'error' | 'warning', message: string): Problem {
  return { code, severity, message };
}
