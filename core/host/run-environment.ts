/** The environment of a command that `sidelight run` starts. docs/automation.md has the table. */
import { PROFILES } from '../contract/profile.ts';
import type { ShellAddresses } from '../contract/shell.ts';
import type { ProductOptions } from './options.ts';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Variables that only the sidecar sets. A value that the shell has from another run would send the app to a
 * wrong address.
 */
const OF_APP = ['APP_ID', 'APP_PORT', 'APP_PROTOCOL', 'APP_CHANNEL_ADDRESS'];
const OF_SIDECAR = ['HTTP_PORT', 'HTTP_ENDPOINT', 'GRPC_PORT', 'GRPC_ENDPOINT', 'METRICS_PORT', 'API_TOKEN'];

/** Python holds back what it writes to a pipe until it has 8 KiB, and loses it where a signal ends the program; other languages do not. */
const UNBUFFERED = { PYTHONUNBUFFERED: '1' } as const;

/**
 * The variables of the shell without stale values, and those that the app and its SDK read. Stock SDKs read
 * only the names of the reference, so those are set in every profile; a profile with names of its own has
 * both.
 */
export function runEnvironment(
  { apps }: Pick<ShellAddresses, 'apps'>,
  { profile, env }: Pick<ProductOptions, 'profile' | 'env'>,
): Record<string, string> {
  const prefixes = [...new Set([PROFILES.dapr.env.prefix, PROFILES[profile].env.prefix])];
  const [first] = apps;
  const stale = new Set([
    ...OF_APP,
    ...Object.values(PROFILES).flatMap(({ env: names }) => OF_SIDECAR.map((name) => names.prefix + name)),
  ]);
  const inherited = Object.entries(env).filter(([name, value]) => value !== undefined && !stale.has(name));
  if (first === undefined) return defined(Object.fromEntries(inherited));
  const token = env[PROFILES[profile].env.apiToken];
  const named = {
    HTTP_PORT: new URL(first.sidecar).port,
    HTTP_ENDPOINT: first.sidecar,
    GRPC_PORT: first.grpc?.slice(first.grpc.lastIndexOf(':') + 1),
    API_TOKEN: token === '' ? undefined : token,
  };
  return defined({
    ...UNBUFFERED,
    ...Object.fromEntries(inherited),
    APP_ID: first.appId,
    ...addressOf(first.app),
    ...Object.fromEntries(
      prefixes.flatMap((prefix) => Object.entries(named).map(([name, value]) => [prefix + name, value])),
    ),
  });
}

const STANDARD_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * Variables for the app's address.
 * @param app undefined: the app only publishes, so it has no port
 */
function addressOf(app: string | undefined): Env {
  if (app === undefined) return { APP_PROTOCOL: 'http', APP_CHANNEL_ADDRESS: '127.0.0.1' };
  const { port, protocol, hostname } = new URL(app);
  const scheme = protocol.replace(':', '');
  return {
    APP_PORT: port === '' ? STANDARD_PORTS[scheme] : port,
    APP_PROTOCOL: scheme,
    APP_CHANNEL_ADDRESS: hostname.replace(/^\[|\]$/g, ''),
  };
}

function defined(env: Env): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
