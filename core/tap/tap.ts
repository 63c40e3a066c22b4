/** One app and its own sidecar, with this tap between them in both directions. */
import { errorText } from '../contract/error-text.ts';
import type { TapAddress, TapRow } from '../contract/tap.ts';
import { isObject } from '../domain/json.ts';
import { AppSide } from './app-side.ts';
import { Listener } from './listener.ts';
import { OtherCalls } from './other-calls.ts';
import { addressOf } from './parts.ts';
import type { TapOptions, TapParts } from './parts.ts';
import { Presence } from './presence.ts';
import { Replays } from './replays.ts';
import { Routes } from './routes.ts';
import { readMetadata } from './sidecar-metadata.ts';
import { SidecarSide } from './sidecar-side.ts';

/** The real sidecar asks its app once, when it sees an open port: until the app is there the tap's port must not be. */
const APP_EVERY_MS = 100;
const SIDECAR_EVERY_MS = 1_000;
/** The sidecar lists what a file declares some time after the app's own subscriptions. */
const AFTER_DISCOVERY_MS = 1_000;
/** A sidecar that does not tell its subscriptions is asked again. */
const AGAIN_MS = 5_000;

export interface Tap {
  readonly address: TapAddress;
  row(): Omit<TapRow, 'missed' | 'added'>;
  /** Cuts what passes and takes no more. */
  close(): Promise<void>;
}

/** Listens for the app, and for the sidecar once the app answers. Rejects with the system's error when a port is taken; then nothing is left open. */
export async function openTap(options: TapOptions, parts: TapParts): Promise<Tap> {
  const tap = new OpenTap(options, parts);
  await tap.open();
  return tap;
}

class OpenTap implements Tap {
  readonly #options: TapOptions;
  readonly #parts: TapParts;
  readonly #routes: Routes;
  readonly #others = new OtherCalls();
  readonly #replays = new Replays();
  readonly #appListener: Listener;
  readonly #sidecarListener: Listener;
  readonly #presences: readonly Presence[];
  readonly #problems = new Map<'app' | 'sidecar' | 'listen', string>();
  readonly #told = new Set<string>();
  #counts = { publishes: 0, deliveries: 0 };
  #appAnswers = false;
  #sidecarAnswers = false;
  #runtimeVersion: string | undefined;
  #isClosed = false;

  constructor(options: TapOptions, parts: TapParts) {
    this.#options = options;
    this.#parts = parts;
    const { appId, app, sidecar } = options;
    const { observer, profile, codec, clock, decode, room, kept, keep } = parts;
    this.#routes = new Routes({ appId, profile, keep }, kept);
    const common = {
      observer,
      clock,
      appId,
      others: this.#others,
      onRefused: (reason: string) => this.#tellOnce(reason),
    };
    const appSide = new AppSide({
      ...common,
      profile,
      codec,
      decode,
      appUrl: addressOf(app),
      routes: this.#routes,
      onDelivery: () => (this.#counts.deliveries += 1),
      onDiscovery: () => this.#discovered(),
    });
    const sidecarSide = new SidecarSide({
      ...common,
      profile,
      onPublish: () => (this.#counts.publishes += 1),
      onUnreachable: () => undefined,
      replays: this.#replays,
    });
    this.#appListener = new Listener(options.appPort, { side: appSide, to: app, room });
    this.#sidecarListener = new Listener(options.sidecarPort, { side: sidecarSide, to: sidecar, room });
    this.#presences = [
      new Presence({
        target: app,
        everyMs: APP_EVERY_MS,
        clock,
        onChange: (answers, reason) => this.#appChanged(answers, reason),
      }),
      new Presence({
        target: sidecar,
        everyMs: SIDECAR_EVERY_MS,
        clock,
        onChange: (answers, reason) => this.#sidecarChanged(answers, reason),
      }),
    ];
  }

  get address(): TapAddress {
    const { port: appPort } = this.#appListener;
    return { appId: this.#options.appId, appPort, sidecarPort: this.#sidecarListener.port };
  }

  async open(): Promise<void> {
    await this.#sidecarListener.open();
    try {
      // Any free port: nobody knows it yet, so nobody can take it for the app's.
      if (this.#options.appPort === 0) await this.#appListener.open();
    } catch (error) {
      await this.#sidecarListener.close();
      throw error;
    }
    await this.#appListener.shut();
    for (const presence of this.#presences) presence.start();
    const { appId, apiToken } = this.#options;
    const { observer, profile } = this.#parts;
    const headers = apiToken === '' ? {} : { [profile.tokenHeader]: apiToken };
    observer.connect(appId, (publish) =>
      this.#replays.send({ host: '127.0.0.1', port: this.address.sidecarPort }, publish, headers),
    );
  }

  row(): Omit<TapRow, 'missed' | 'added'> {
    const { appId, app, sidecar } = this.#options;
    const { appPort, sidecarPort } = this.address;
    return {
      appId,
      appUrl: addressOf(app),
      sidecarUrl: addressOf(sidecar),
      appPort,
      sidecarPort,
      appAnswers: this.#appAnswers,
      sidecarAnswers: this.#sidecarAnswers,
      problems: [...this.#problems.values()],
      ...(this.#runtimeVersion === undefined ? {} : { runtimeVersion: this.#runtimeVersion }),
      subscriptions: this.#routes.subscriptions.map(
        ({ pubsubname, topic, rules, defaultPath, deadLetterTopic }) => ({
          pubsubname,
          topic,
          routes: [...rules.map(({ path }) => path), ...(defaultPath === undefined ? [] : [defaultPath])],
          ...(deadLetterTopic === undefined ? {} : { deadLetterTopic }),
        }),
      ),
      ...this.#counts,
      others: this.#others.count,
      otherCalls: [...this.#others.list()],
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#parts.observer.connect(this.#options.appId, undefined);
    await Promise.all(this.#presences.map((presence) => presence.stop()));
    await this.#appListener.close();
    await this.#sidecarListener.close();
  }

  async #appChanged(answers: boolean, reason: string): Promise<void> {
    const { app, appId } = this.#options;
    this.#appAnswers = answers;
    const why = `Nothing answers at ${addressOf(app)}, the app ${appId}: ${reason}. The tap listens on port ${this.#appListener.port} once it does.`;
    this.#problem('app', answers ? undefined : why);
    if (answers) await this.#listenForSidecar();
    else await this.#appListener.shut();
  }

  async #listenForSidecar(): Promise<void> {
    try {
      await this.#appListener.open();
      this.#problem('listen', undefined);
    } catch (error) {
      this.#problem('listen', `The tap cannot listen on port ${this.#appListener.port}: ${errorText(error)}`);
      const { clock } = this.#parts;
      clock.at(clock.now() + SIDECAR_EVERY_MS, () => {
        if (!this.#isClosed && this.#appAnswers) void this.#listenForSidecar();
      });
    }
  }

  async #sidecarChanged(answers: boolean, reason: string): Promise<void> {
    const { sidecar } = this.#options;
    this.#sidecarAnswers = answers;
    this.#problem(
      'sidecar',
      answers ? undefined : `Nothing answers at ${addressOf(sidecar)}, the sidecar: ${reason}.`,
    );
    if (answers) await this.#readMetadata();
  }

  #discovered(): void {
    const { clock } = this.#parts;
    clock.at(clock.now() + AFTER_DISCOVERY_MS, () => {
      if (!this.#isClosed) void this.#readMetadata();
    });
    this.#parts.changed();
  }

  async #readMetadata(): Promise<void> {
    const { sidecar, apiToken } = this.#options;
    const { profile } = this.#parts;
    const answer = await readMetadata(sidecar, profile.tokenHeader, apiToken);
    if (this.#isClosed) return;
    if (!answer.ok) {
      const { clock } = this.#parts;
      clock.at(clock.now() + AGAIN_MS, () => {
        if (!this.#isClosed && this.#sidecarAnswers) void this.#readMetadata();
      });
      this.#problem(
        'sidecar',
        `The sidecar at ${addressOf(sidecar)} does not tell its subscriptions: ${answer.reason}. Deliveries are known once the app's discovery has passed.`,
      );
      return;
    }
    const version = isObject(answer.value) ? answer.value['runtimeVersion'] : undefined;
    this.#runtimeVersion = typeof version === 'string' ? version : undefined;
    this.#routes.reported(answer.value);
    this.#problem('sidecar', undefined);
  }

  /** What is wrong is on the screen for as long as it is, and in the log when it begins and ends. */
  #problem(of: 'app' | 'sidecar' | 'listen', text: string | undefined): void {
    const before = this.#problems.get(of);
    if (before === text) return;
    const { log, changed } = this.#parts;
    if (text === undefined) {
      this.#problems.delete(of);
      const { app, sidecar, appId } = this.#options;
      const what =
        of === 'sidecar' ? `The sidecar at ${addressOf(sidecar)}` : `The app ${appId} at ${addressOf(app)}`;
      log.write('info', 'tap', of === 'listen' ? 'The tap listens again.' : `${what} answers.`);
    } else {
      this.#problems.set(of, text);
      log.write('warn', 'tap', text);
    }
    changed();
  }

  #tellOnce(reason: string): void {
    if (this.#told.has(reason)) return;
    this.#told.add(reason);
    this.#parts.log.write('warn', 'tap', `A request was refused with 501. ${reason}`);
  }
}
