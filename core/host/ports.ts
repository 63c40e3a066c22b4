/**
 * Chooses the ports to listen on: those of the flags, or defaults that may be replaced by the next free ones.
 */
import { createServer, isIPv6 } from 'node:net';
import { theApp } from '../contract/app-text.ts';
import { isPortRefusal, noFreePort, whyNoPort } from '../contract/port-text.ts';
import type { PortRefusal } from '../contract/port-text.ts';
import { isObject } from '../domain/json.ts';
import { isLocalName } from '../domain/loopback.ts';
import { CLAIMED, isClaimed } from './port-claims.ts';
import { portOwner } from './port-owner.ts';

const HOST = '127.0.0.1';
const MAX_STEPS = 100;
const LAST_PORT = 65_535;

/** A port that was asked for and is not free: one line, exit status 1. */
export class PortTaken extends Error {
  readonly flag: string;
  /** Name of the listener; "port" if it is not known. */
  readonly what: string;
  /** The problem, without advice for the command line. */
  readonly reason: string;

  /**
   * Makes the error.
   * @param hint what the user may have meant instead
   * @param reason the problem; absent: the port is in use
   * @param what the listener
   */
  constructor(
    port: number,
    flag: string,
    hint?: string,
    reason = whyNotFree('EADDRINUSE', port),
    what = 'port',
  ) {
    const also = hint === undefined ? '' : `; ${hint}`;
    super(`${reason}; choose another one with ${flag} (0 = any free port)${also}`);
    this.flag = flag;
    this.what = what;
    this.reason = reason;
  }
}

/** The reason for which nothing can listen on the port, with the program that has it, if it is known. */
export function whyNotFree(refusal: PortRefusal, port: number): string {
  return whyNoPort(refusal, port, refusal === 'EADDRINUSE' ? portOwner(port) : undefined);
}

export interface PortRequest {
  /** Name of the flag, for the complaint. */
  readonly flag: string;
  /** Name of the listener, for the banner: "sidecar", "mock app", "console". */
  readonly what: string;
  /** App of the listener; absent: there is only one. */
  readonly appId?: string | undefined;
  /** Port of the flag; undefined: the default. */
  readonly given: number | undefined;
  readonly standard: number;
  /** Sentence about what the user may have meant by a port in use. */
  readonly hint?: (port: number) => string;
}

export interface ChosenPort {
  /** 0: any free one. */
  readonly port: number;
  /** Set if the default was taken and another port is used. */
  readonly notice?: string;
}

/** Ports of this run that others listen on or will, each with its owner: "the gRPC port of app orders". */
export type PortOwners = ReadonlyMap<number, string>;

/**
 * Chooses a port. Throws PortTaken. 0 stays 0, a free port.
 * @param mayMove a default may be replaced (window and browser mode); a given port never
 */
export async function choosePort(
  request: PortRequest,
  mayMove: boolean,
  taken: PortOwners,
): Promise<ChosenPort> {
  const wanted = request.given ?? request.standard;
  if (wanted === 0) return { port: 0 };
  if (wanted > LAST_PORT)
    throw new PortTaken(
      wanted,
      request.flag,
      undefined,
      `${wanted}, the port after the one before, is not a port`,
      request.what,
    );
  const isStuck = request.given !== undefined || !mayMove;
  const owner = taken.get(wanted);
  const refusal = owner === undefined ? await portRefusal(wanted) : undefined;
  const isOpen = owner === undefined && refusal === undefined;
  // A claim keeps defaults away and no more: the port can be listened on, and UDP may be used for anything.
  const isOthers = isOpen && !isStuck && (await isClaimed(wanted));
  if (isOpen && !isOthers) return { port: wanted };
  const { flag, what, hint } = request;
  const reason = refusal === undefined ? undefined : whyNotFree(refusal, wanted);
  if (isStuck) {
    const whose = owner === undefined ? reason : `port ${wanted} is ${owner}`;
    throw new PortTaken(wanted, flag, hint?.(wanted), whose, what);
  }
  const last = Math.min(LAST_PORT, wanted + MAX_STEPS);
  for (let port = wanted + 1; port <= last; port += 1) {
    if (taken.has(port) || !(await isFree(port)) || (await isClaimed(port))) continue;
    const notice =
      refusal === 'EACCES'
        ? `${whyNotFree(refusal, wanted)}; ${listensOn(request, port)}`
        : givenWay(request, wanted, port, isOthers ? CLAIMED : owner);
    return { port, notice };
  }
  throw new PortTaken(wanted, flag, hint?.(wanted), noFreePort(wanted, last), what);
}

/**
 * Chooses a port and opens a listener there. If another program takes the port in between, a default goes on to the next free one. Throws
 * PortTaken, and every other error of `open`.
 * @param open rejects with the system's error if it gets no listener; then it has left nothing open
 */
export async function openAtPort<T>(
  request: PortRequest,
  mayMove: boolean,
  taken: PortOwners,
  open: (chosen: ChosenPort) => Promise<T>,
): Promise<T> {
  // Each refused port is left out from then on, so the range of the defaults bounds the tries.
  const owners = new Map(taken);
  for (;;) {
    const chosen = await choosePort(request, mayMove, owners);
    try {
      return await open(chosen);
    } catch (error) {
      const { port } = chosen;
      const refusal = refusalOf(error);
      if (refusal?.port !== port) throw error;
      const { flag, what, hint, given } = request;
      if (given !== undefined || !mayMove)
        throw new PortTaken(port, flag, hint?.(port), whyNotFree(refusal.code, port), what);
      owners.set(port, whoHas(refusal.code, port));
    }
  }
}

/** The system's refusal of a listener, with its port; undefined: the error is another one. */
export function refusalOf(error: unknown): { readonly code: PortRefusal; readonly port: number } | undefined {
  if (!isObject(error)) return undefined;
  const { code, port } = error;
  return isPortRefusal(code) && typeof port === 'number' ? { code, port } : undefined;
}

/** Names the program that has a refused port, for a text about the port that is used instead. */
export function whoHas(refusal: PortRefusal, port: number): string {
  return refusal === 'EACCES'
    ? 'kept by the system for itself'
    : `in use by ${portOwner(port) ?? 'another process'}`;
}

function listensOn({ what, appId }: PortRequest, port: number): string {
  return `${appId === undefined ? `this ${what}` : `the ${what} of ${theApp(appId)}`} listens on ${port}`;
}

/** Text on why a default port was not used, and which one is. */
function givenWay(request: PortRequest, wanted: number, port: number, ours: string | undefined): string {
  const { hint } = request;
  const listens = listensOn(request, port);
  if (ours !== undefined) return `${wanted} is ${ours}; ${listens}`;
  const also = hint === undefined ? '' : `; ${hint(wanted)}`;
  return `${wanted} is ${whoHas('EADDRINUSE', wanted)}; ${listens}${also}`;
}

/**
 * Hosts by which a program at the loopback address or at every address is reached. `[::ffff:7f00:1]` is 127.0.0.1 written as an IPv6 address,
 * and some systems have the names for IPv6.
 */
const HERE: ReadonlySet<string> = new Set([
  ...['127.0.0.1', '0.0.0.0', '[::1]', '[::]', '[::ffff:7f00:1]', '[::ffff:0:0]'],
  ...['ip6-localhost', 'ip6-loopback'],
]);

/**
 * Whether a program at this host needs a port for itself that Sidelight could open too. An address such as
 * 127.0.0.2 has ports of its own.
 */
export function isThisMachine(host: string): boolean {
  const plain = plainHost(host);
  return HERE.has(plain) || isLocalName(plain);
}

/** A host in its usual form: short addresses (`127.1`) whole, names in lower case and without the dot of a complete name. */
function plainHost(host: string): string {
  const url = `http://${isIPv6(host) ? `[${host}]` : host}`;
  return URL.canParse(url) ? new URL(url).hostname.replace(/\.$/, '') : host;
}

/** Whether a listener can be opened on the port now. */
async function isFree(port: number): Promise<boolean> {
  return (await portRefusal(port)) === undefined;
}

/** The system's refusal of a listener on the port; undefined: one can be opened. */
export function portRefusal(port: number): Promise<PortRefusal | undefined> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error: NodeJS.ErrnoException) => {
      if (isPortRefusal(error.code)) resolve(error.code);
      else reject(error);
    });
    probe.listen({ port, host: HOST, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
