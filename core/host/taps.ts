/** The taps of this run: that of the command line, and those that were added at run time. */
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { decode } from '../adapters/http-app-channel/content-encoding.ts';
import { randomIds, systemRandom } from '../adapters/random-ids.ts';
import { bufferCodec } from '../adapters/buffer-codec.ts';
import { protocolOfPort } from '../adapters/port-protocol.ts';
import { theApp, theAppFirst } from '../contract/app-text.ts';
import { counted } from '../contract/count-text.ts';
import { errorText } from '../contract/error-text.ts';
import { noFreePort } from '../contract/port-text.ts';
import type { PortRefusal } from '../contract/port-text.ts';
import { profileOfMetadata, PROFILES } from '../contract/profile.ts';
import type { Profile } from '../contract/profile.ts';
import type { SystemDescription } from '../contract/reports.ts';
import { sizeLimit } from '../contract/size-text.ts';
import { STANDARD_SIDECAR_URL } from '../contract/standard-ports.ts';
import type { Subscription } from '../contract/subscription.ts';
import type { NewTap, TapAddress, TapRow } from '../contract/tap.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { MAX_ANSWER_BYTES } from '../domain/answer.ts';
import { isObject } from '../domain/json.ts';
import { APP_ID, APP_ID_WORDS } from '../domain/names.ts';
import { shownTyped } from '../domain/redact.ts';
import { Refusal } from '../domain/refusal.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { restoreRules } from '../mock-app/kept-rules.ts';
import type { RuleRoom } from '../mock-app/rule-room.ts';
import { AppRules } from '../mock-app/tap-rules.ts';
import type { MockApp } from '../ports/mock-app.ts';
import type { Runtime } from '../runtime/runtime.ts';
import { BodyRoom } from '../tap/body-room.ts';
import type { Tap } from '../tap/tap.ts';
import type { OpenApps } from './apps.ts';
import type { Keeper } from './kept-state.ts';
import { CLAIMED, PortClaims } from './port-claims.ts';
import { PortTaken, isThisMachine, refusalOf, whoHas, whyNotFree } from './ports.ts';
import type { PortOwners } from './ports.ts';
import { capital, refusedParam } from './refused-param.ts';
import { grpcAddress, tapAddress, wrongAddress } from './tap-flags.ts';
import type { TapRequest } from './tap-flags.ts';
import { Turns } from './turns.ts';

/** Ports of a tap: the flag of each, and its default. */
const PORTS = {
  appPort: { flag: '--tap-app-port', standard: 6101 },
  sidecarPort: { flag: '--tap-sidecar-port', standard: 3501 },
  grpcPort: { flag: '--tap-grpc-port', standard: 50_101 },
} as const;
const PORT_NAMES = ['appPort', 'sidecarPort', 'grpcPort'] as const satisfies readonly (keyof typeof PORTS)[];
const MAX_STEPS = 100;
const KEPT = 'taps';
/** Longest time for each try to find out what a port speaks. */
const SPOKEN_MS = 500;

export interface TapServiceDependencies {
  readonly runtime: Runtime;
  readonly profile: Profile;
  /** True if the user set the profile: every tap reads by it, whatever its sidecar reports. */
  readonly isProfileGiven: boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly keeper: Keeper;
  readonly apps: Pick<OpenApps, 'list'>;
  readonly ruleRoom: RuleRoom;
  /** Token of the real sidecars; "" = none. */
  readonly apiToken: string;
  /** True if default ports may be replaced by the next free ones. */
  readonly mayMove: boolean;
}

interface OneTap {
  readonly tap: Tap;
  readonly added: boolean;
  readonly request: TapRequest;
  readonly rules: AppRules;
}

/** Ports of a tap; 0: any free one. */
interface ChosenPorts {
  readonly appPort: number;
  readonly sidecarPort: number;
  /** Undefined: the sidecar's gRPC API is not tapped. */
  readonly grpcPort: number | undefined;
}

/** A tap of an earlier start that could not be opened at this one. */
interface ShutTap {
  readonly request: TapRequest;
  readonly reason: string;
}

interface PortRequest {
  readonly appId: string;
  /** Name of the port, on the command line and where a tap is added. */
  readonly name: keyof typeof PORTS;
  readonly given: number | undefined;
  readonly mayMove: boolean;
  /** Ports that are chosen for the same tap already. */
  readonly but: readonly number[];
  /** Ports of the app and the sidecar behind the same tap. */
  readonly behind: readonly BehindPort[];
  /** Ports that others took after they were found free, each with its owner. */
  readonly lost: PortOwners;
}

export class TapService {
  readonly #deps: TapServiceDependencies;
  readonly #taps: OneTap[] = [];
  #shut: readonly ShutTap[] = [];
  readonly #room = new BodyRoom();
  /** Ports of the taps for their sidecars, which may be closed. */
  readonly #claims = new PortClaims();
  readonly #turns = new Turns();
  readonly notes: string[] = [];

  constructor(deps: TapServiceDependencies) {
    this.#deps = deps;
  }

  /** Opens the tap of the command line, then those of an earlier start. Throws PortTaken for the first. */
  start(given: TapRequest | undefined): Promise<void> {
    return this.#turns.run(() => this.#start(given));
  }

  async #start(given: TapRequest | undefined): Promise<void> {
    if (given !== undefined) await this.#open(given, false);
    const { keeper, runtime } = this.#deps;
    for (const request of await keptTaps(keeper)) {
      if (this.#find(request.appId) !== undefined) continue;
      try {
        await this.#open(request, true);
      } catch (error) {
        const one = { request, reason: error instanceof PortTaken ? error.reason : errorText(error) };
        this.#shut = [...this.#shut, one];
        runtime.log.write('error', 'tap', shutText(one));
      }
    }
  }

  get addresses(): readonly TapAddress[] {
    return this.#taps.map(({ tap }) => tap.address);
  }

  list(): readonly TapRow[] {
    return this.#taps.map((one) => this.#row(one));
  }

  /** Resolves once each tap knows which of its sides answer. */
  async looked(): Promise<void> {
    await Promise.all(this.#taps.map(({ tap }) => tap.looked()));
  }

  subscriptions(): readonly Subscription[] {
    return this.#taps.flatMap(({ tap }) => tap.subscriptions);
  }

  /** The rules in front of a tapped app; without an id those of the first one. */
  rulesOf(appId: string | undefined): MockApp | undefined {
    return this.#taps.find(({ request }) => appId === undefined || request.appId === appId)?.rules;
  }

  /** Problems of the taps, as banners. */
  banners(): SystemDescription['banners'] {
    const several = this.#taps.length > 1;
    const { missed, missedWhy } = this.#deps.runtime.tapObserver;
    return [
      ...this.#shut.map((one) => ({
        id: `tap-${one.request.appId}-shut`,
        text: shutText(one),
        level: 'error' as const,
      })),
      // A whole row would make all reports that wait, and the console asks for banners often.
      ...this.#taps.flatMap(({ request: { appId }, tap }) =>
        tap.problems.map((text) => ({
          // The id contains the text, so that dismissing one problem does not hide the next.
          id: `tap-${appId}-${text}`,
          text: several ? withApp(appId, text) : text,
          level: 'warn' as const,
        })),
      ),
      ...(missed === 0
        ? []
        : [
            {
              id: 'tap-missed',
              text: `${counted(missed, 'record')} of what passed the tap ${missed === 1 ? 'is' : 'are'} missing; a call can have several. The reason for the last one: ${missedWhy}.`,
              level: 'warn' as const,
            },
          ]),
    ];
  }

  /** Adds a tap. Throws Refusal INVALID_PARAMS, or TRANSITION_NOT_ALLOWED after `close`; then nothing has changed. */
  add(request: NewTap): Promise<TapRow> {
    return this.#turns.run(async () => {
      const { appId, sidecarUrl = STANDARD_SIDECAR_URL, ...rest } = request;
      if (!APP_ID.test(appId))
        throw refusedParam('appId', `${JSON.stringify(shownTyped(appId))} is not an app id`, APP_ID_WORDS);
      if (this.#find(appId) !== undefined || this.#deps.apps.list.some((app) => app.appId === appId))
        throw refusedParam(
          'appId',
          `The app id "${appId}" is taken`,
          'an id that no other app and no other tap has',
        );
      const wrong = wrongAddress({ ...request, sidecarUrl });
      if (wrong !== undefined)
        throw refusedParam(
          wrong.member,
          `${JSON.stringify(wrong.text)} is not an address${wrong.meant}`,
          wrong.words,
        );
      if (request.grpcPort !== undefined && request.sidecarGrpc === undefined)
        throw refusedParam(
          'sidecarGrpc',
          'A gRPC port needs a gRPC API behind it',
          'an address like 127.0.0.1:50001',
        );
      try {
        const one = await this.#open({ appId, sidecarUrl, ...rest }, true);
        this.#shut = this.#shut.filter(({ request: before }) => before.appId !== appId);
        await this.#keep();
        return this.#row(one);
      } catch (error) {
        if (!(error instanceof PortTaken)) throw error;
        throw refusedParam(portNamed(error.flag), capital(error.reason), 'a port that is free');
      }
    });
  }

  /** Removes a tap. Throws Refusal NOT_FOUND, or INVALID_PARAMS for that of the command line. */
  remove(appId: string): Promise<{ readonly unfinished: number }> {
    return this.#turns.run(async () => {
      const one = this.#find(appId);
      if (one === undefined && this.#shut.some(({ request }) => request.appId === appId)) {
        this.#shut = this.#shut.filter(({ request }) => request.appId !== appId);
        await this.#keep();
        return { unfinished: this.#deps.runtime.tapObserver.unfinished(appId) };
      }
      if (one === undefined)
        throw new Refusal('NOT_FOUND', { reason: `There is no tap of ${appId}.` }, { field: 'appId' });
      if (!one.added)
        throw refusedParam(
          'appId',
          `The tap of ${appId} is that of the command line`,
          'a tap that was added here',
        );
      this.#taps.splice(this.#taps.indexOf(one), 1);
      await this.#keep();
      await Promise.all([one.tap.close(), one.rules.close()]);
      this.#claims.release(one.tap.address.appPort);
      return { unfinished: this.#deps.runtime.tapObserver.unfinished(appId) };
    });
  }

  /** Closes all taps, also one that is being opened; none can be added from now on. */
  close(): Promise<void> {
    return this.#turns.end(async () => {
      await Promise.all(this.#taps.flatMap(({ tap, rules }) => [tap.close(), rules.close()]));
      this.#claims.releaseAll();
    });
  }

  #find(appId: string): OneTap | undefined {
    return this.#taps.find(({ request }) => request.appId === appId);
  }

  #row(one: OneTap): TapRow {
    return { ...one.tap.row(), missed: this.#deps.runtime.tapObserver.missed, added: one.added };
  }

  #keep(): Promise<void> {
    const kept = this.#taps.flatMap(({ added, request, tap }) => {
      const { appPort, sidecarPort, grpcPort } = tap.address;
      const grpc = grpcPort === undefined ? {} : { grpcPort };
      return added ? [{ ...request, appPort, sidecarPort, ...grpc }] : [];
    });
    return this.#deps.keeper.keep(KEPT, [...kept, ...this.#shut.map(({ request }) => request)]);
  }

  async #open(request: TapRequest, added: boolean): Promise<OneTap> {
    const { runtime } = this.#deps;
    const { moved, opened, ...ports } = await this.#openOnFree(request, added);
    // A port that the system chose is known only now. Where a program uses its number over UDP, other taps leave it too.
    if (ports.appPort === 0) await this.#claims.take(opened.tap.address.appPort);
    for (const notice of moved) runtime.log.write('warn', 'tap', `${notice}.`);
    this.notes.push(...moved);
    const one = { ...opened, added, request };
    this.#taps.push(one);
    return one;
  }

  /**
   * Chooses ports and opens a tap there. Where another program takes a default one in between, the next free one follows. Throws PortTaken.
   * @returns `moved`: notes on default ports that were replaced
   */
  async #openOnFree(request: TapRequest, added: boolean) {
    // A person who adds a tap sees its ports, so default ones may be replaced in every mode.
    const mayMove = this.#deps.mayMove || added;
    // Each port that was lost is left out from then on, so the range of the defaults bounds the tries.
    const lost = new Map<number, string>();
    for (;;) {
      const { moved, ...ports } = await this.#ports(request, mayMove, lost);
      try {
        return { moved, ...ports, opened: await this.#openAt(request, ports) };
      } catch (error) {
        this.#claims.release(ports.appPort);
        const refused = takenMeanwhile(error, ports);
        if (refused === undefined) throw error;
        const { name, port, code } = refused;
        if (request[name] !== undefined || !mayMove)
          throw new PortTaken(port, PORTS[name].flag, undefined, whyNotFree(code, port));
        lost.set(port, whoHas(code, port));
      }
    }
  }

  /** Opens a tap at these ports, with the rules and routes that were kept. Leaves nothing open where it throws. */
  async #openAt(
    request: TapRequest,
    { appPort, sidecarPort, grpcPort }: ChosenPorts,
  ): Promise<Pick<OneTap, 'tap' | 'rules'>> {
    const { runtime, clock, keeper, apiToken } = this.#deps;
    const { appId } = request;
    const [app, sidecar] = [tapAddress(request.appUrl), tapAddress(request.sidecarUrl)];
    if (app === undefined || sidecar === undefined) throw new Error(`the tap of ${appId} has no address`);
    const routesKey = `tap-routes:${appId}`;
    const sidecarGrpc = request.sidecarGrpc === undefined ? undefined : grpcAddress(request.sidecarGrpc);
    // Stored routes are read first: if that fails, there are no rules to close.
    const kept = await keeper.journal.kept(routesKey);
    const rules = await this.#rulesOf(request);
    try {
      // Most starts have no tap.
      const { openTap } = await import('../tap/tap.ts');
      const tap = await openTap(
        {
          appId,
          app,
          sidecar,
          appPort,
          sidecarPort,
          ...withoutUndefined({ sidecarGrpc, grpcPort }),
          apiToken,
        },
        {
          observer: runtime.tapObserver,
          profileOf: (metadata) => this.#profileOf(metadata),
          codec: bufferCodec,
          clock,
          log: { write: (...line) => runtime.log.write(...line) },
          rules,
          room: this.#room,
          mark: randomUUID(),
          decode: decoded,
          protocolOfPort: ({ host, port }) => protocolOfPort(host, port, SPOKEN_MS),
          kept,
          keep: (routes) => void keeper.keep(routesKey, routes),
          changed: () => runtime.touchApp(appId),
        },
      );
      return { tap, rules };
    } catch (error) {
      await rules.close();
      throw error;
    }
  }

  /**
   * Chooses the ports. Throws PortTaken.
   * @returns `moved`: notes on default ports that were replaced
   */
  async #ports(request: TapRequest, mayMove: boolean, lost: PortOwners) {
    const { appId, sidecarGrpc } = request;
    const moved: string[] = [];
    const behind = portsBehind(request);
    const choose = (name: PortRequest['name'], ...but: readonly number[]) =>
      this.#choose({ appId, name, given: request[name], mayMove, but, behind, lost }, moved);
    const appPort = await choose('appPort');
    try {
      const sidecarPort = await choose('sidecarPort', appPort);
      const grpcPort = sidecarGrpc === undefined ? undefined : await choose('grpcPort', appPort, sidecarPort);
      return { appPort, sidecarPort, grpcPort, moved };
    } catch (error) {
      this.#claims.release(appPort);
      throw error;
    }
  }

  /** Restores the rules of a tap, and saves them after each change. */
  async #rulesOf({ appId, appUrl }: TapRequest): Promise<AppRules> {
    const { runtime, clock, keeper, ruleRoom } = this.#deps;
    const log: Log = { write: (...line) => runtime.log.write(...line) };
    const key = `tap-rules:${appId}`;
    const kept = await keeper.journal.kept(key);
    const rules = new AppRules({
      appId,
      url: appUrl,
      clock,
      ids: randomIds(),
      random: systemRandom(),
      codec: bufferCodec,
      log,
      room: ruleRoom,
    });
    restoreRules(rules, kept, log);
    rules.onChange(() => runtime.touchApp(appId));
    rules.onSet(() => void keeper.keep(key, rules.state().rules));
    return rules;
  }

  #profileOf(metadata: unknown): Profile {
    const { profile, isProfileGiven } = this.#deps;
    return isProfileGiven ? profile : PROFILES[profileOfMetadata(metadata) ?? 'dapr'];
  }

  /**
   * Chooses a free port. It is tested by connecting, because nothing may listen there before the app does.
   * @param moved receives a note if a default port was replaced
   */
  async #choose(
    { appId, name, given, mayMove, but, behind, lost }: PortRequest,
    moved: string[],
  ): Promise<number> {
    const { flag, standard } = PORTS[name];
    const wanted = given ?? standard;
    if (wanted === 0) return 0;
    // A tap on the port of what is behind it would call itself once that program is away.
    const itself = behind.find(({ port }) => port === wanted);
    if (given !== undefined && itself !== undefined)
      throw new PortTaken(wanted, flag, undefined, `port ${wanted} is ${itself.whose}`);
    // Ports of taps that could not be opened stay reserved: such a tap comes back on the ports that app and
    // sidecar use.
    const shut = this.#shut.flatMap(({ request }) => (request.appId === appId ? [] : request));
    const ours = new Map([
      ...but.map((port) => [port, 'another port of this tap'] as const),
      ...[...this.addresses, ...shut].flatMap((tap) =>
        portsOf(tap).map((port) => [port, `a port of the tap of ${theApp(tap.appId)}`] as const),
      ),
      ...behind.map(({ port, whose }) => [port, whose] as const),
      ...lost,
    ]);
    const isClaimed = async (port: number): Promise<boolean> =>
      name === 'appPort' ? !(await this.#claims.take(port)) : this.#claims.isOthers(port);
    const isOpen = !ours.has(wanted) && (await isFree(wanted));
    const isOthers = isOpen && (await isClaimed(wanted));
    if (isOpen && !isOthers) return wanted;
    if (given !== undefined || !mayMove) {
      const whose = ours.get(wanted) ?? (isOthers ? CLAIMED : undefined);
      throw new PortTaken(
        wanted,
        flag,
        undefined,
        whose === undefined ? undefined : `port ${wanted} is ${whose}`,
      );
    }
    for (let port = wanted + 1; port <= wanted + MAX_STEPS; port += 1) {
      if (ours.has(port) || !(await isFree(port)) || (await isClaimed(port))) continue;
      const why = ours.get(wanted) ?? (isOthers ? CLAIMED : whoHas('EADDRINUSE', wanted));
      moved.push(`${wanted} is ${why}; the tap of ${theApp(appId)} listens on ${port}`);
      return port;
    }
    throw new PortTaken(wanted, flag, undefined, noFreePort(wanted, wanted + MAX_STEPS));
  }
}

interface BehindPort {
  readonly port: number;
  /** Whose port it is, in words. */
  readonly whose: string;
}

/** The ports of this machine at which the app and the sidecar behind a tap listen. */
function portsBehind({ appUrl, sidecarUrl, sidecarGrpc }: TapRequest): readonly BehindPort[] {
  const all = [
    [tapAddress(appUrl), `that of the app behind the tap, ${appUrl}`],
    [tapAddress(sidecarUrl), `that of the sidecar behind the tap, ${sidecarUrl}`],
    [grpcAddress(sidecarGrpc ?? ''), `that of the sidecar's gRPC API behind the tap, ${sidecarGrpc ?? ''}`],
  ] as const;
  return all.flatMap(([target, whose]) =>
    target !== undefined && isThisMachine(target.host) ? [{ port: target.port, whose }] : [],
  );
}

function portsOf({ appPort, sidecarPort, grpcPort }: Pick<TapRequest, PortRequest['name']>) {
  return [appPort, sidecarPort, grpcPort];
}

function portNamed(flag: string): string {
  return Object.entries(PORTS).find(([, port]) => port.flag === flag)?.[0] ?? 'appPort';
}

/** The chosen port that the system refused; undefined: the error has another reason. */
function takenMeanwhile(
  error: unknown,
  chosen: ChosenPorts,
): { readonly name: PortRequest['name']; readonly port: number; readonly code: PortRefusal } | undefined {
  const refusal = refusalOf(error);
  const name = PORT_NAMES.find((one) => chosen[one] === refusal?.port);
  return refusal === undefined || name === undefined ? undefined : { name, ...refusal };
}

function shutText({ request, reason }: ShutTap): string {
  return `The tap of ${request.appId} that was added earlier could not be opened again: ${reason}.`;
}

async function decoded(bytes: Uint8Array, encoding = '', isCut = false) {
  const result = await decode(bytes, encoding, MAX_ANSWER_BYTES, isCut);
  switch (result.kind) {
    case 'bytes':
      return { bytes: result.bytes };
    case 'cutOff':
      return { bytes: result.start, why: result.why };
    case 'tooLarge':
      return {
        why: `The body is larger than ${sizeLimit(MAX_ANSWER_BYTES)} once it is decoded.`,
        reason: 'too-large',
      } as const;
    case 'unreadable':
      return { why: result.why, reason: 'encoding' } as const;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (free: boolean): void => {
      socket.destroy();
      resolve(free);
    };
    socket.once('connect', () => end(false));
    socket.once('error', () => end(true));
  });
}

async function keptTaps({ journal }: Keeper): Promise<readonly TapRequest[]> {
  const kept = await journal.kept(KEPT);
  return Array.isArray(kept) ? kept.filter(isRequest) : [];
}

function isRequest(value: unknown): value is TapRequest {
  return (
    isObject(value) &&
    typeof value['appId'] === 'string' &&
    ['appUrl', 'sidecarUrl'].every((name) => {
      const text = value[name];
      return typeof text === 'string' && tapAddress(text) !== undefined;
    })
  );
}

/** A problem of one of several taps, with the name of its app. */
function withApp(appId: string, text: string): string {
  return text.includes(theApp(appId)) ? text : `${theAppFirst(appId)}: ${text}`;
}
