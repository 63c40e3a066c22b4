/** The flags of `sidelight tap`: which app and which sidecar, and where the tap listens between them. */
import type { FlagValues } from './flags.ts';
import { UsageError } from './flags.ts';

export interface TapWish {
  readonly appId: string;
  /** `http://HOST:PORT`. */
  readonly appUrl: string;
  readonly sidecarUrl: string;
  /** Absent: the standard one, which may give way. 0: any. */
  readonly appPort?: number;
  readonly sidecarPort?: number;
}

export const STANDARD_SIDECAR_URL = 'http://127.0.0.1:3500';

/** Flags that only `sidelight tap` takes. */
const OF_TAP = [
  'tap-app-port',
  'tap-sidecar-port',
  'sidecar-url',
] as const satisfies readonly (keyof FlagValues)[];

/** Flags of sidecars, mock apps and components of our own, of which a tap starts none. */
const NOT_OF_TAP = [
  'sidecar-port',
  'sidecar-host',
  'app-port',
  'grpc-port',
  'app-protocol',
  'app',
  'resources',
  'local-pubsub',
] as const satisfies readonly (keyof FlagValues)[];

/** Throws UsageError for a flag that belongs to the other way to run. */
export function checkTapFlags(values: FlagValues, isTap: boolean): void {
  const wrong = (isTap ? NOT_OF_TAP : OF_TAP).find((name) => values[name] !== undefined);
  if (wrong === undefined) return;
  throw new UsageError(
    isTap
      ? `--${wrong} has no meaning with sidelight tap: it starts no sidecar and no mock app of its own (sidelight tap --help)`
      : `--${wrong} belongs to sidelight tap (sidelight tap --help)`,
  );
}

/** An address that the tap can pass bytes to: plain HTTP, a host and a port. Undefined: it is none. */
export function tapAddress(text: string): { readonly host: string; readonly port: number } | undefined {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (text === 'none' || !URL.canParse(whole)) return undefined;
  const { protocol, hostname, port, pathname, search, hash } = new URL(whole);
  if (protocol !== 'http:' || hostname === '' || pathname !== '/' || search !== '' || hash !== '')
    return undefined;
  return { host: hostname.replace(/^\[|\]$/g, ''), port: port === '' ? 80 : Number(port) };
}

export const TAP_ADDRESS_WORDS = 'an address like http://127.0.0.1:8080';

/** Throws UsageError. @param read checks the value of a flag that is a port */
export function readTapWish(
  values: FlagValues,
  appId: string,
  read: (flag: string, text: string | undefined) => number | undefined,
): TapWish {
  const appUrl = values['app-url'];
  if (appUrl === undefined)
    throw new UsageError('sidelight tap needs --app-url URL: where the app behind the tap listens');
  const sidecarUrl = values['sidecar-url'] ?? STANDARD_SIDECAR_URL;
  for (const [flag, text] of [
    ['--app-url', appUrl],
    ['--sidecar-url', sidecarUrl],
  ] as const) {
    if (tapAddress(text) === undefined)
      throw new UsageError(`${flag} must be ${TAP_ADDRESS_WORDS}, got "${text}"`);
  }
  const appPort = read('--tap-app-port', values['tap-app-port']);
  const sidecarPort = read('--tap-sidecar-port', values['tap-sidecar-port']);
  if (appPort !== undefined && appPort !== 0 && appPort === sidecarPort)
    throw new UsageError(`--tap-app-port and --tap-sidecar-port must differ, both are ${appPort}`);
  return {
    appId,
    appUrl,
    sidecarUrl,
    ...(appPort === undefined ? {} : { appPort }),
    ...(sidecarPort === undefined ? {} : { sidecarPort }),
  };
}
