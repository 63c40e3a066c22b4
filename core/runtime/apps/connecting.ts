/** Mistakes in how an app was connected: nobody listens, another profile, another protocol. Each is found out and said in one sentence. */
import { PROFILES } from '../../contract/profile.ts';
import type { Profile } from '../../contract/profile.ts';
import type { Problem } from '../../contract/subscription.ts';
import { readDiscovery } from '../../domain/subscription.ts';
import { firstValue } from '../../domain/json.ts';
import type { AppChannel } from '../../ports/app-channel.ts';
import type { Shared } from '../common.ts';
import type { App } from '../state/app.ts';

/** Codes of the problems that a banner shows too. */
export const CONNECTING_CODES = ['nobody-listens', 'other-profile', 'grpc-app'] as const;
export type ConnectingCode = (typeof CONNECTING_CODES)[number];

const ASK_MS = 5_000;
const PREFACE_MS = 2_000;

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

/** The app broke the HTTP call: whether it speaks HTTP/2 only, as gRPC servers do. */
export async function grpcApp({
  appId,
  channel,
}: Pick<App, 'appId' | 'channel'>): Promise<Problem | undefined> {
  if ((await http2Only(channel)) !== true) return undefined;
  const { host } = new URL(channel.url);
  return problem(
    'grpc-app',
    'error',
    `App ${appId} at ${channel.url} speaks HTTP/2 only, as gRPC apps do: give its address as grpc://${host}.`,
  );
}

async function http2Only(channel: AppChannel): Promise<boolean> {
  return (await channel.speaksHttp2?.(PREFACE_MS)) === true;
}

function problem(code: ConnectingCode, severity: 'error' | 'warning', message: string): Problem {
  return { code, severity, message };
}
