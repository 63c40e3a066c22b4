/** One app and its own sidecar, with this tap between them in both directions. */
import { thisApp } from '../contract/app-text.ts';
import { errorText } from '../contract/error-text.ts';
import type { PortProtocol } from '../contract/grpc.ts';
import { isPortRefusal, whyNoPort } from '../contract/port-text.ts';
import type { Profile } from '../contract/profile.ts';
import type { Subscription } from '../contract/subscription.ts';
import type { TapAddress, TapRow } from '../contract/tap.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { pathsOf } from '../contract/route-paths.ts';
import { isObject } from '../domain/json.ts';
import { loadProtocol } from '../grpc-protocol/protocol.ts';
import type { Protocol } from '../grpc-protocol/protocol.ts';
import type { Cancel } from '../ports/clock.ts';
import { AppSide } from './app-side.ts';
import { DeferredReports } from './deferred-reports.ts';
import { GrpcAppSide } from './grpc/app-side.ts';
import { GrpcListener } from './grpc/listener.ts';
import { GrpcSidecarSide } from './grpc/sidecar-side.ts';
import { Listener } from './listener.ts';
import type { SocketPort } from './listener.ts';
import { OtherCalls } from './other-calls.ts';
import { addressOf, hostAndPort } from './dependencies.ts';
import type { TapOptions, TapDependencies } from './dependencies.ts';
import { PortProbe } from './port-probe.ts';
import { Problems } from './problems.ts';
import type { Target } from './relay.ts';
import { Replays } from './replays.ts';
import { LoopGuard } from './loop-guard.ts';
import { Routes } from './routes.ts';
import { isOfSidecar, readMetadata } from './sidecar-metadata.ts';
import { SidecarSide } from './sidecar-side.ts';

/** How often to look for the app. The real sidecar asks it once, at the first open port, so the tap's port opens only after the app's. */
const APP_EVERY_MS = 100;
const SIDECAR_EVERY_MS = 1_000;
/** The sidecar lists what a file declares some time after the app's own subscriptions. */
const AFTER_DISCOVERY_MS = 1_000;
/** Time after which a connection that is still open does not come back. */
const OPEN_MS = 1_000;
/** Time in which an app and a sidecar may start before it is a warning that nothing answers. */
const START_MS = 5_000;
/** A sidecar that does not tell its subscriptions is asked again. */
const AGAIN_MS = 5_000;

export interface Tap {
  readonly address: TapAddress;
  row(): Omit<TapRow, 'missed' | 'added'>;
  /** Resolves once it is known which sides answer. */
  looked(): Promise<void>;
  /** Problems of the row. To read them makes no report. */
  readonly problems: readonly string[];
  /** Subscriptions of the app, as far as they are known. */
  readonly subscriptions: readonly Subscription[];
  /** Cuts what passes and takes no more. */
  close(): Promise<void>;
}

/**
 * Listens for the app, and for the sidecar once the app answers. Rejects with the system's error when a port is taken; then nothing is left
 * open.
 */
export async function openTap(options: TapOptions, dependencies: TapDependencies): Promise<Tap> {
  const isGrpc = options.app.protocol === 'grpc' || options.sidecarGrpc !== undefined;
  const tap = new OpenTap(options, dependencies, isGrpc ? await loadProtocol() : undefined);
  await tap.open();
  return tap;
}

const TLS = 'it speaks TLS, and the tap passes HTTP without TLS';
const HTTP_2 = 'it speaks HTTP/2 only, as the gRPC API does, which --sidecar-grpc names';
/** Names of protocols that a port may speak instead of HTTP/1. */
const OTHERWISE_SPOKEN: Readonly<Partial<Record<PortProtocol, string>>> = {
  https: TLS,
  grpcs: TLS,
  'http2-tls': TLS,
  'some-http2-tls': TLS,
  grpc: HTTP_2,
  'some-http2': HTTP_2,
  h2c: 'it speaks HTTP/2 only, and not gRPC',
};

class OpenTap implements Tap {
  readonly #options: TapOptions;
  readonly #dependencies: TapDependencies;
  readonly #routes: Routes;
  readonly #others = new OtherCalls();
  readonly #replays = new Replays();
  readonly #loopGuard: LoopGuard;
  /** Connections to the sidecar's gRPC API come back. */
  #isGrpcLoop = false;
  /** HTTP status with which the gRPC address answers; undefined: it answers in gRPC, as far as known. */
  #otherStatus: string | undefined;
  readonly #reports: DeferredReports;
  readonly #appListener: SocketPort;
  readonly #sidecarListener: SocketPort;
  readonly #grpcListener: GrpcListener | undefined;
  readonly #presences: readonly PortProbe[];
  readonly #grpcPresence: PortProbe | undefined;
  readonly #problems: Problems;
  #counts = { publishes: 0, deliveries: 0 };
  #appAnswers = false;
  #sidecarAnswers = false;
  #isToAskAgain = false;
  /** Discovery has passed this tap. */
  #wasAsked = false;
  /** Ends the wait after the last discovery, in which its sidecar may still be opening the subscriptions that it lists afterwards. */
  #opening: Cancel | undefined;
  #runtimeVersion: string | undefined;
  #profile: Profile;
  readonly #closing = new AbortController();
  /** Functions that end running waits. */
  readonly #waits = new Set<Cancel>();

  /** @param protocol only where one of the sides speaks gRPC */
  constructor(options: TapOptions, dependencies: TapDependencies, protocol: Protocol | undefined) {
    this.#options = options;
    this.#dependencies = dependencies;
    const { appId, app, sidecar } = options;
    const { keep, kept, profileOf } = dependencies;
    this.#profile = profileOf(undefined);
    this.#problems = new Problems(options, dependencies);
    this.#loopGuard = new LoopGuard(dependencies.mark);
    this.#reports = new DeferredReports(dependencies.clock, (cause) =>
      dependencies.observer.reportFailed(cause),
    );
    this.#routes = new Routes({ appId, profile: () => this.#profile, keep }, kept);
    this.#appListener = this.#appPort(protocol);
    this.#sidecarListener = new Listener(options.sidecarPort, {
      side: new SidecarSide({
        ...this.#common(),
        onPublish: () => (this.#counts.publishes += 1),
        onUnreachable: () => undefined,
        replays: this.#replays,
        loopGuard: this.#loopGuard,
      }),
      to: sidecar,
      room: dependencies.room,
      reports: this.#reports,
      refusal: () => (this.#loopGuard.isFound ? this.#loopGuard.answer : undefined),
    });
    this.#grpcListener = this.#grpcPort(protocol);
    const { clock } = dependencies;
    this.#grpcPresence = this.#grpcProbe();
    this.#presences = [
      new PortProbe({
        target: app,
        everyMs: APP_EVERY_MS,
        clock,
        onChange: (answers, reason) => this.#appChanged(answers, reason),
      }),
      new PortProbe({
        target: sidecar,
        everyMs: SIDECAR_EVERY_MS,
        clock,
        onChange: (answers, reason) => this.#sidecarChanged(answers, reason),
      }),
      ...(this.#grpcPresence === undefined ? [] : [this.#grpcPresence]),
    ];
  }

  #grpcProbe(): PortProbe | undefined {
    const { sidecarGrpc: target } = this.#options;
    if (target === undefined) return undefined;
    return new PortProbe({
      target,
      everyMs: SIDECAR_EVERY_MS,
      clock: this.#dependencies.clock,
      onChange: async (answers, reason) => this.#grpcReached(target, answers ? undefined : reason),
    });
  }

  #common() {
    const { observer } = this.#dependencies;
    return {
      observer,
      appId: this.#options.appId,
      profile: () => this.#profile,
      others: this.#others,
      reports: this.#reports,
      onRefused: (reason: string) => this.#problems.refused(reason),
    };
  }

  /** Port at which the sidecar finds its app. */
  #appPort(protocol: Protocol | undefined): SocketPort {
    const { app, appPort } = this.#options;
    const { codec, decode, room } = this.#dependencies;
    const common = {
      ...this.#common(),
      codec,
      appUrl: addressOf(app, app.protocol),
      routes: this.#routes,
      onDelivery: () => this.#delivered(),
      onDiscovery: () => this.#discovered(),
    };
    if (app.protocol === 'grpc' && protocol !== undefined)
      return new GrpcListener(appPort, { side: new GrpcAppSide({ ...common, protocol }), to: app, room });
    const side = new AppSide({ ...common, decode });
    return new Listener(appPort, { side, to: app, room, reports: this.#reports });
  }

  /** Port at which the app finds its sidecar's gRPC API. */
  #grpcPort(protocol: Protocol | undefined): GrpcListener | undefined {
    const { sidecarGrpc, grpcPort = 0 } = this.#options;
    if (sidecarGrpc === undefined || protocol === undefined) return undefined;
    const { codec, room } = this.#dependencies;
    const side = new GrpcSidecarSide({
      ...this.#common(),
      codec,
      protocol,
      onPublish: () => (this.#counts.publishes += 1),
      onDelivery: () => (this.#counts.deliveries += 1),
      onReached: (reason) => {
        this.#grpcPresence?.noted(reason === undefined);
        this.#grpcReached(sidecarGrpc, reason);
      },
      onAnswered: (otherStatus) => this.#grpcAnswered(sidecarGrpc, otherStatus),
      onComesBack: () => this.#grpcComesBack(sidecarGrpc),
    });
    return new GrpcListener(grpcPort, { side, to: sidecarGrpc, room });
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  get address(): TapAddress {
    const { port: appPort } = this.#appListener;
    const grpcPort = this.#grpcListener?.port;
    return {
      appId: this.#options.appId,
      appPort,
      sidecarPort: this.#sidecarListener.port,
      ...withoutUndefined({ grpcPort }),
    };
  }

  get subscriptions(): readonly Subscription[] {
    return this.#routes.subscriptions;
  }

  get problems(): readonly string[] {
    return this.#problems.texts;
  }

  async open(): Promise<void> {
    await this.#sidecarListener.open();
    try {
      await this.#grpcListener?.open();
      // A free port is opened at once: no program knows it yet, so none can mistake it for the app's.
      if (this.#options.appPort === 0) await this.#appListener.open();
    } catch (error) {
      await Promise.all([this.#sidecarListener.close(), this.#grpcListener?.close()]);
      throw error;
    }
    await this.#appListener.shut();
    for (const presence of this.#presences) presence.start();
    this.#after(START_MS, () => this.#problems.endStart());
    const { appId } = this.#options;
    const { observer, rules } = this.#dependencies;
    observer.connect(appId, {
      rules,
      report: () => this.#reports.flush(),
      reportInTurns: (until) => this.#reports.flushInTurns(until?.mono),
      send: (publish) =>
        this.#replays.send({ host: '127.0.0.1', port: this.address.sidecarPort }, publish, this.#token()),
    });
  }

  row(): Omit<TapRow, 'missed' | 'added'> {
    this.#reports.flush();
    const { appId, app, sidecar, sidecarGrpc } = this.#options;
    const { appPort, sidecarPort, grpcPort } = this.address;
    const isUnserved = this.#problems.has('unserved');
    return {
      appId,
      appUrl: addressOf(app, app.protocol),
      sidecarUrl: addressOf(sidecar),
      appPort,
      sidecarPort,
      ...(sidecarGrpc === undefined ? {} : { sidecarGrpc: hostAndPort(sidecarGrpc) }),
      ...withoutUndefined({ grpcPort }),
      profile: this.#profile.name,
      appAnswers: this.#appAnswers,
      sidecarAnswers: this.#sidecarAnswers,
      problems: this.problems,
      ...(this.#runtimeVersion === undefined ? {} : { runtimeVersion: this.#runtimeVersion }),
      subscriptions: this.#routes.subscriptions.map((one) => ({
        pubsubname: one.pubsubname,
        topic: one.topic,
        routes: pathsOf(one),
        ...withoutUndefined({ deadLetterTopic: one.deadLetterTopic }),
        ...(isUnserved && this.#routes.unserved.includes(one) ? { unserved: true } : {}),
      })),
      ...this.#counts,
      others: this.#others.count,
      otherCalls: [...this.#others.list()],
    };
  }

  async looked(): Promise<void> {
    await Promise.all(this.#presences.map((presence) => presence.looked()));
  }

  async close(): Promise<void> {
    this.#closing.abort();
    for (const cancel of this.#waits) cancel();
    this.#dependencies.observer.connect(this.#options.appId, undefined);
    await Promise.all(this.#presences.map((presence) => presence.stop()));
    await this.#appListener.close();
    await Promise.all([this.#sidecarListener.close(), this.#grpcListener?.close()]);
    this.#reports.flush();
  }

  async #appChanged(answers: boolean, reason: string): Promise<void> {
    const { app, appId } = this.#options;
    this.#appAnswers = answers;
    const streams =
      this.#grpcListener === undefined ? '' : ' An app that only takes events over streams needs no port.';
    const why = `Nothing answers at ${addressOf(app, app.protocol)}, ${thisApp(appId)}: ${reason}. The tap listens on port ${this.#appListener.port} once it does.${streams}`;
    this.#problems.reached('app', answers, answers ? undefined : why);
    if (answers) await this.#listenForSidecar();
    else await this.#appListener.shut();
  }

  async #listenForSidecar(): Promise<void> {
    try {
      await this.#appListener.open();
      this.#problems.set('listen', undefined);
    } catch (error) {
      const { port } = this.#appListener;
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const why = isPortRefusal(code) ? whyNoPort(code, port) : errorText(error);
      this.#problems.set('listen', `The tap cannot listen for the sidecar: ${why}.`);
      this.#after(SIDECAR_EVERY_MS, () => {
        if (this.#appAnswers) void this.#listenForSidecar();
      });
    }
  }

  async #sidecarChanged(answers: boolean, reason: string): Promise<void> {
    const { sidecar, appId } = this.#options;
    this.#sidecarAnswers = answers;
    const away = `Nothing answers at ${addressOf(sidecar)}, the sidecar of ${thisApp(appId)}: ${reason}.`;
    // A tap that refuses calls because they came back does so until its own call is answered.
    const open = this.#loopGuard.isFound ? this.#whyLoop() : undefined;
    // Whether it is a sidecar shows once it is asked.
    const listens = `Something listens now at ${addressOf(sidecar)}, the address given for the sidecar of ${thisApp(appId)}: calls go there.`;
    this.#problems.reached('sidecar', answers, answers ? open : away, listens);
    // The probe of the sidecar continues meanwhile, and ends with the tap.
    if (answers) void this.#readMetadata();
  }

  /** Notes whether a connection to the sidecar's gRPC API succeeded. */
  #grpcReached(target: Target, reason: string | undefined): void {
    if (reason === undefined && this.#isGrpcLoop) {
      // A connection that comes back is open at first, too.
      this.#after(OPEN_MS, () => {
        if (this.#grpcListener?.isConnected !== true) return;
        this.#isGrpcLoop = false;
        this.#problems.set('grpc', undefined);
      });
      return;
    }
    // Another program can be connected to, too.
    if (reason === undefined && this.#otherStatus !== undefined) return;
    // Nothing is known of the program that listens there next.
    if (reason !== undefined) {
      this.#isGrpcLoop = false;
      this.#otherStatus = undefined;
    }
    const [where, app] = [hostAndPort(target), thisApp(this.#options.appId)];
    const away = `Nothing answers at ${where}, the gRPC API of the sidecar of ${app}: ${reason ?? ''}.`;
    // Whether it is that API shows at the first call.
    const listens = `Something listens now at ${where}, the address given for the gRPC API of the sidecar of ${app}: calls go there.`;
    const answers = reason === undefined;
    this.#problems.reached('grpc', answers, answers ? undefined : away, listens);
  }

  /** Notes whether a call was answered by a gRPC API. */
  #grpcAnswered(target: Target, otherStatus: string | undefined): void {
    if (otherStatus === this.#otherStatus) return;
    this.#otherStatus = otherStatus;
    const text = `What listens at ${hostAndPort(target)} is not the gRPC API of the sidecar: it answered a call with HTTP status ${otherStatus ?? ''} alone. Give --sidecar-grpc the address of that API.`;
    this.#problems.set('grpc', otherStatus === undefined ? undefined : text);
  }

  #grpcComesBack(target: Target): void {
    this.#isGrpcLoop = true;
    const text = `What listens at ${hostAndPort(target)} is a tap with no sidecar behind it: gRPC calls through it come back. Give --sidecar-grpc the address of the sidecar itself.`;
    this.#problems.set('grpc', text);
  }

  #discovered(): void {
    this.#wasAsked = true;
    this.#problems.set('direct', undefined);
    this.#after(AFTER_DISCOVERY_MS, () => void this.#readMetadata());
    this.#opening?.();
    this.#opening = this.#after(AFTER_DISCOVERY_MS + AGAIN_MS, () => {
      this.#opening = undefined;
      if (this.#routes.unserved.length > 0 && this.#sidecarAnswers) void this.#readMetadata();
    });
    this.#dependencies.changed();
  }

  async #readMetadata(): Promise<void> {
    const { sidecar } = this.#options;
    const headers = { ...this.#token(), ...this.#loopGuard.headers };
    const answer = await readMetadata(sidecar, headers, this.#closing.signal);
    if (this.#isClosed) return;
    this.#loopGuard.asked(!answer.ok && answer.isLoop);
    // A sidecar that is away is a problem of its own, and is asked when it is back.
    if (!answer.ok && !this.#sidecarAnswers) return;
    if (!answer.ok) {
      this.#askAgain();
      const why = answer.isLoop ? this.#whyLoop() : await this.#whyUntold(answer);
      if (!this.#isClosed && this.#sidecarAnswers) this.#problems.set('sidecar', why);
      return;
    }
    if (!isOfSidecar(answer.value)) {
      const why = `What listens at ${addressOf(sidecar)} does not answer as a sidecar does: GET /v1.0/metadata names no app. Give --sidecar-url the address of the sidecar's HTTP API.`;
      this.#problems.set('sidecar', why);
      this.#askAgain();
      return;
    }
    const version = answer.value['runtimeVersion'];
    this.#runtimeVersion = typeof version === 'string' ? version : undefined;
    this.#profile = this.#dependencies.profileOf(answer.value);
    this.#routes.reported(answer.value);
    this.#problems.set('sidecar', undefined);
    this.#compareAppPort(answer.value);
    this.#compareServed();
  }

  /** Asks the sidecar again later, once for all calls that failed: each discovery makes one. */
  #askAgain(): void {
    if (this.#isToAskAgain) return;
    this.#isToAskAgain = true;
    this.#after(AGAIN_MS, () => {
      this.#isToAskAgain = false;
      if (this.#sidecarAnswers) void this.#readMetadata();
    });
  }

  /** Token that the sidecar asks for, as a header. */
  #token(): Readonly<Record<string, string>> {
    const { apiToken } = this.#options;
    return apiToken === '' ? {} : { [this.#profile.tokenHeader]: apiToken };
  }

  #whyLoop(): string {
    const sidecar = addressOf(this.#options.sidecar);
    return `What listens at ${sidecar} is a tap with no sidecar behind it: calls through it come back. Give --sidecar-url the address of the sidecar itself; until then the tap answers every call with 508.`;
  }

  /** Why the sidecar's metadata cannot be read; a port that speaks something else is named as such. */
  async #whyUntold({
    reason,
    isHttp,
  }: {
    readonly reason: string;
    readonly isHttp: boolean;
  }): Promise<string> {
    const { sidecar } = this.#options;
    const scheme = isHttp ? undefined : await this.#dependencies.protocolOfPort(sidecar);
    const other = scheme === undefined ? undefined : OTHERWISE_SPOKEN[scheme];
    return other === undefined
      ? `The sidecar at ${addressOf(sidecar)} does not list its subscriptions: ${reason}. The tap knows the app's routes once discovery has passed it.`
      : `What listens at ${addressOf(sidecar)} is not the HTTP API of a sidecar: ${other}.`;
  }

  /**
   * Runs something later, unless the tap is closed by then.
   * @returns ends the wait
   */
  #after(ms: number, run: () => void): Cancel {
    if (this.#isClosed) return () => undefined;
    const { clock } = this.#dependencies;
    const cancel = clock.at(clock.now() + ms, () => {
      this.#waits.delete(cancel);
      run();
    });
    this.#waits.add(cancel);
    return () => {
      this.#waits.delete(cancel);
      cancel();
    };
  }

  #delivered(): void {
    this.#counts.deliveries += 1;
    this.#problems.set('direct', undefined);
  }

  /** A sidecar that was given the port of the app itself calls the app past the tap. What has passed the tap says that it does not. */
  #compareAppPort(metadata: Readonly<Record<string, unknown>>): void {
    const { sidecar, app, appId } = this.#options;
    const { port: appPort } = this.#appListener;
    const isDirect = portOfApp(metadata) === app.port && app.port !== appPort;
    const hasPassed = this.#wasAsked || this.#counts.deliveries > 0;
    const why = `The sidecar at ${addressOf(sidecar)} calls ${thisApp(appId)} directly, at port ${app.port}: no delivery passes the tap. Start the sidecar with --app-port ${appPort}.`;
    this.#problems.set('direct', isDirect && !hasPassed ? why : undefined);
  }

  /** A sidecar that refuses one subscription may serve none at all, and says so in its own log alone. */
  #compareServed(): void {
    const { unserved } = this.#routes;
    if (unserved.length > 0 && this.#opening !== undefined) return;
    const { sidecar, appId } = this.#options;
    const named = unserved.map(({ pubsubname, topic }) => `${topic} of ${pubsubname}`).join(', ');
    const why = `The sidecar at ${addressOf(sidecar)} does not list what ${thisApp(appId)} subscribes to: ${named}. It delivers nothing there; its own log says why.`;
    this.#problems.set('unserved', unserved.length === 0 ? undefined : why);
  }
}

/** Port at which a sidecar finds its app; undefined: its metadata do not say. */
function portOfApp(metadata: Readonly<Record<string, unknown>>): unknown {
  const app = metadata['appConnectionProperties'];
  return isObject(app) ? app['port'] : undefined;
}
