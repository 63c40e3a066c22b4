/** The flags of `sidelight tap`: the app, the sidecar, and the ports of the tap between them. */
import type { Protocol } from '../contract/grpc.ts';
import { eitherOf } from '../contract/list-text.ts';
import { STANDARD_SIDECAR_URL } from '../contract/standard-ports.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { hostAndPort } from '../domain/names.ts';
import { shownTyped, withoutUser } from '../domain/redact.ts';
import type { FlagValues } from './flags.ts';
import { NOT_OF_TAP, UsageError } from './flags.ts';

export interface TapRequest {
  readonly appId: string;
  /** Address of the app: `http://HOST:PORT` or `grpc://HOST:PORT`. */
  readonly appUrl: string;
  readonly sidecarUrl: string;
  /** gRPC address of the sidecar, `HOST:PORT`; absent: it is not tapped. */
  readonly sidecarGrpc?: string;
  /** Port for the sidecar; absent: the default one, which may be replaced. 0: any. */
  readonly appPort?: number;
  readonly sidecarPort?: number;
  readonly grpcPort?: number;
}

/** Flags that only `sidelight tap` has. */
const OF_TAP = [
  'tap-app-port',
  'tap-sidecar-port',
  'sidecar-url',
  'sidecar-grpc',
  'tap-grpc-port',
] as const satisfies readonly (keyof FlagValues)[];

/** Throws UsageError for a flag that this command does not have. */
export function checkTapFlags(values: FlagValues, isTap: boolean): void {
  const wrong = (isTap ? NOT_OF_TAP : OF_TAP).find((name) => values[name] !== undefined);
  if (wrong === undefined) return;
  throw new UsageError(
    isTap
      ? `--${wrong} has no meaning with sidelight tap: it starts no sidecar and no mock app of its own (sidelight tap --help)`
      : `--${wrong} belongs to sidelight tap (sidelight tap --help)`,
  );
}

export interface TapTarget {
  readonly host: string;
  readonly port: number;
  readonly protocol: Protocol;
}

/** A port alone, also with a slip behind it. The parser of addresses would take it for the name of a machine. */
const BARE_PORT = /^\d{1,5}[a-z]{0,3}$/i;

/**
 * Reads an address to which the tap can pass bytes: http or grpc without TLS, a host and a port; http if it
 * has no scheme. Undefined: the text is none.
 */
export function tapAddress(text: string): TapTarget | undefined {
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const scheme = whole.slice(0, whole.indexOf(':')).toLowerCase();
  // URLs of schemes other than HTTP are parsed by other rules.
  const asHttp = scheme === 'grpc' ? whole.replace(/^grpc/i, 'http') : whole;
  if (text === 'none' || (scheme !== 'http' && scheme !== 'grpc') || !URL.canParse(asHttp)) return undefined;
  if (BARE_PORT.test(text)) return undefined;
  // The parser removes blanks and control characters, and the user name of an address would not be sent.
  if (/[\u0000- \u007f]/.test(text)) return undefined;
  const { hostname, port, pathname, search, hash, username, password } = new URL(asHttp);
  if (hostname === '' || pathname !== '/' || search !== '' || hash !== '') return undefined;
  if (username !== '' || password !== '') return undefined;
  if (scheme === 'grpc' && port === '') return undefined;
  return {
    host: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 80 : Number(port),
    protocol: scheme === 'grpc' ? 'grpc' : 'http',
  };
}

const ADDRESS_WORDS = 'an address like http://127.0.0.1:8080';

/** Members of a tap that are addresses, with the allowed forms in words. */
const TAP_ADDRESSES = [
  {
    member: 'appUrl',
    flag: '--app-url',
    protocols: ['http', 'grpc'],
    words: `${ADDRESS_WORDS} or grpc://127.0.0.1:8080`,
  },
  { member: 'sidecarUrl', flag: '--sidecar-url', protocols: ['http'], words: ADDRESS_WORDS },
  {
    member: 'sidecarGrpc',
    flag: '--sidecar-grpc',
    protocols: ['grpc'],
    words: 'an address like 127.0.0.1:50001',
  },
] as const satisfies readonly {
  readonly member: keyof TapRequest;
  readonly flag: string;
  readonly protocols: readonly Protocol[];
  readonly words: string;
}[];

/** Reads the address of the sidecar's gRPC API, with or without its scheme; undefined: the text is none. */
export function grpcAddress(text: string): TapTarget | undefined {
  return tapAddress(text.includes('://') || BARE_PORT.test(text) ? text : `grpc://${text}`);
}

/** Addresses over TLS: a tap could not read what passes. */
const OVER_TLS = /^(?:https|grpcs):/i;

/** The first invalid address of a tap; undefined: all are valid. */
export function wrongAddress(request: Pick<TapRequest, 'appUrl' | 'sidecarUrl' | 'sidecarGrpc'>):
  | {
      readonly member: keyof TapRequest;
      readonly flag: string;
      /** As it was typed, without its secrets. */
      readonly text: string;
      readonly words: string;
      /** The address that was probably meant, as the end of a sentence; empty: nothing is known of it. */
      readonly meant: string;
    }
  | undefined {
  for (const { member, flag, protocols, words } of TAP_ADDRESSES) {
    const text = request[member];
    if (text === undefined) continue;
    const target = member === 'sidecarGrpc' ? grpcAddress(text) : tapAddress(text);
    const isRight = target !== undefined && protocols.some((one) => one === target.protocol);
    if (isRight) continue;
    const bare = withoutUser(text);
    const meant = meantBy(bare, member === 'sidecarGrpc' ? '' : 'http://') || withoutPath(bare, protocols);
    return {
      member,
      flag,
      text: shownTyped(text),
      words: OVER_TLS.test(text) ? `${words} without TLS` : words,
      meant,
    };
  }
  return undefined;
}

/**
 * What a port alone probably means.
 * @param scheme start of the address, with its slashes; empty: this address has none
 */
function meantBy(text: string, scheme: string): string {
  const { port } = hostAndPort(text);
  const isBare = BARE_PORT.test(text) && port !== '';
  return isBare ? `; for port ${port} of this machine: ${scheme}127.0.0.1:${port}` : '';
}

/** The address alone of a text that goes on behind it; empty: that is no address of these protocols, or there is nothing behind it. */
function withoutPath(text: string, protocols: readonly Protocol[]): string {
  const [, address = '', path = ''] = /^([a-z]+:\/\/[^/?#]+)([/?#][!-~]+)$/i.exec(text) ?? [];
  const protocol = path === '' ? undefined : tapAddress(address)?.protocol;
  return protocols.some((one) => one === protocol) ? `; without ${path}: ${address}` : '';
}

const PLACEHOLDERS = ['{tapAppPort}', '{tapSidecarPort}', '{tapGrpcPort}'];

/** Throws UsageError for a placeholder that is unknown or has no value. */
export function checkPlaceholders(command: readonly string[], { sidecarGrpc }: TapRequest): void {
  const unknown = command
    .flatMap((word) => word.match(/\{tap\w*\}/gi) ?? [])
    .find((word) => !PLACEHOLDERS.includes(word));
  if (unknown !== undefined)
    throw new UsageError(
      `${unknown} in the command is not a port of the tap; expected ${eitherOf(PLACEHOLDERS)}`,
    );
  if (sidecarGrpc === undefined && command.some((word) => word.includes('{tapGrpcPort}')))
    throw new UsageError(
      '{tapGrpcPort} in the command needs --sidecar-grpc HOST:PORT, the gRPC API behind it',
    );
}

/**
 * Reads the flags of a tap. Throws UsageError.
 * @param read checks the value of a flag that is a port
 */
export function readTapRequest(
  values: FlagValues,
  appId: string,
  read: (flag: string, text: string | undefined) => number | undefined,
): TapRequest {
  const appUrl = values['app-url'];
  if (appUrl === undefined)
    throw new UsageError('tap needs --app-url URL: where the app behind the tap listens');
  const sidecarUrl = values['sidecar-url'] ?? STANDARD_SIDECAR_URL;
  const sidecarGrpc = values['sidecar-grpc'];
  const wrong = wrongAddress({ appUrl, sidecarUrl, ...withoutUndefined({ sidecarGrpc }) });
  if (wrong !== undefined)
    throw new UsageError(`${wrong.flag} must be ${wrong.words}, got "${wrong.text}"${wrong.meant}`);
  const appPort = read('--tap-app-port', values['tap-app-port']);
  const sidecarPort = read('--tap-sidecar-port', values['tap-sidecar-port']);
  const grpcPort = read('--tap-grpc-port', values['tap-grpc-port']);
  if (grpcPort !== undefined && sidecarGrpc === undefined)
    throw new UsageError('--tap-grpc-port needs --sidecar-grpc HOST:PORT, the gRPC API behind it');
  const ports = [
    ['--tap-app-port', appPort],
    ['--tap-sidecar-port', sidecarPort],
    ['--tap-grpc-port', grpcPort],
  ] as const;
  for (const [i, [flag, port]] of ports.entries()) {
    const [other] = ports.slice(0, i).find(([, one]) => one === port) ?? [];
    if (port !== undefined && port !== 0 && other !== undefined)
      throw new UsageError(`${other} and ${flag} must differ, both are ${port}`);
  }
  return {
    appId,
    appUrl,
    sidecarUrl,
    ...withoutUndefined({ appPort, sidecarPort, sidecarGrpc, grpcPort }),
  };
}
