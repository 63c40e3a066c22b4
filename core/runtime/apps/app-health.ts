/** App health checks: probes the app and stops new calls while it is unhealthy (behaviour 5.5; setting `app.health`). */
import { clause } from '../../contract/error-text.ts';
import type { AppProbe } from '../../contract/subscription.ts';
import { theApp, theAppFirst } from '../../contract/app-text.ts';
import { APP_METHODS, grpcCode } from '../../contract/grpc.ts';
import type { Codec } from '../../domain/codec.ts';
import type { AppInstance, ReceivedAnswer } from '../../ports/app-channel.ts';
import type { App } from '../state/app.ts';
import type { SharedServices } from '../common-services.ts';
import { isOfItsProtocol } from './call-answers.ts';
import { notHealthy } from './connection-mistakes.ts';
import { iso } from '../time/time.ts';
import { Waits } from '../time/waits.ts';

/** Wait while health checks are off; a changed setting ends it. */
const IDLE_MS = 60_000;

/** Last probe result of each instance, by address; undefined: not worth reporting. */
type Found = Map<string, AppProbe | undefined>;

export class AppHealth {
  readonly #shared: SharedServices;
  readonly #waits: Waits;

  constructor(shared: SharedServices) {
    this.#shared = shared;
    this.#waits = new Waits(shared.clock);
  }

  /** Probes each instance at the interval of the setting until the app is removed. Never rejects. */
  async follow(app: App): Promise<void> {
    const { channel } = app;
    if (!app.hasAddress) return;
    const instances = channel.instances ?? [
      { url: channel.url, open: true, get: channel.get.bind(channel), setResting: () => undefined },
    ];
    app.noteInstances(instances.length);
    const found: Found = new Map();
    await Promise.all(instances.map((instance, i) => this.#follow(app, instance, i, found)));
  }

  async #follow(app: App, instance: AppInstance, index: number, all: Found): Promise<void> {
    let failures = 0;
    while (!this.#isOver(app)) {
      const settings = app.health(this.#shared.settings.current);
      if (!settings.enabled) {
        this.#note(app, index, undefined);
        this.#weigh(app, instance, undefined);
        all.delete(instance.url);
        this.#fallIll(app, all);
        failures = 0;
        await this.#waits.wait(IDLE_MS);
        continue;
      }
      const { threshold, timeoutMs, intervalMs } = settings;
      const overGrpc = app.channel.protocol === 'grpc';
      const path = overGrpc ? APP_METHODS.healthCheck : settings.path;
      // An instance counts as unhealthy until its first successful probe.
      const before = app.probes[index];
      let healthy = before?.healthy === true;
      this.#note(app, index, { ...before, path, healthy, failures, threshold });
      this.#weigh(app, instance, healthy);
      const answer = await instance.get(path, overGrpc ? this.#token(app) : {}, timeoutMs);
      if (app.speaksOther && isOfItsProtocol(answer)) this.#shared.signals.emit('spoken', app);
      const isWell = isHealthyAnswer(answer);
      failures = isWell ? 0 : failures + 1;
      healthy = isWell || (healthy && failures < threshold);
      const found = {
        path,
        healthy,
        failures,
        threshold,
        at: iso(this.#shared.clock.now()),
        ...describeAnswer(answer, this.#shared.codec),
      };
      this.#note(app, index, found);
      this.#weigh(app, instance, healthy);
      // Before the first discovery a closed port is reported by discovery, not here.
      const isNews = app.discovered || answer.kind === 'response' || answer.code !== 'refused';
      all.set(instance.url, isNews ? found : undefined);
      this.#fallIll(app, all);
      await this.#waits.wait(intervalMs);
    }
  }

  #token(app: App): Record<string, string> {
    const { appApiToken, profile } = this.#shared;
    const token = app.token(appApiToken);
    return token === undefined ? {} : { [profile.tokenHeader]: token };
  }

  #isOver(app: App): boolean {
    return this.#waits.ended || app.isRemoved;
  }

  /** Ends the waits, because the setting has changed or an app was removed. */
  wake(): void {
    this.#waits.wake();
  }

  stop(): void {
    this.#waits.end();
  }

  /** Reports, once per illness, why the app gets no deliveries; with several instances, once each was probed. */
  #fallIll(app: App, all: Found): void {
    if (this.#isOver(app)) return;
    const before = app.illness;
    const isKnown = app.appHealthy === false && all.size >= app.probes.length;
    app.noteIllness(isKnown ? illnessOf(app.appId, all) : undefined);
    if (before?.message === app.illness?.message) return;
    if (before === undefined && app.illness !== undefined)
      this.#shared.log.write('warn', 'health', app.illness.message);
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  /** Notes the result of a probe for the console, and reports it if it differs from the last one. */
  #note(app: App, index: number, probe: AppProbe | undefined): void {
    const before = app.probes[index];
    app.noteProbe(index, probe);
    if (this.#isOver(app) || isSame(before, probe)) return;
    if (app.probes.length > 1 && before?.healthy === true && probe?.healthy === false) {
      const url = app.channel.instances?.[index]?.url ?? app.channel.url;
      this.#shared.log.write(
        'warn',
        'health',
        `Instance ${url} of ${theApp(app.appId)} is not healthy. Deliveries go to the other instances.`,
      );
    }
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
  }

  /** Updates one instance; a single healthy instance makes the whole app healthy. */
  #weigh(app: App, instance: AppInstance, instanceHealthy: boolean | undefined): void {
    if (this.#isOver(app)) return;
    instance.setResting(instanceHealthy === false);
    const healthy =
      instanceHealthy === undefined ? undefined : app.probes.some((probe) => probe?.healthy === true);
    if (app.appHealthy === healthy) return;
    app.noteHealth(healthy);
    if (healthy === true) this.#shared.log.write('info', 'health', `${theAppFirst(app.appId)} is healthy.`);
    this.#shared.events.add({ type: 'topology.changed', appId: app.appId });
    if (healthy !== false) app.pumpAll();
  }
}

/** Problem that names every unhealthy instance, in a stable order. */
function illnessOf(appId: string, all: Found): App['illness'] {
  const named = [...all].flatMap(([url, probe]) => (probe === undefined ? [] : [{ url, probe }]));
  const [first] = named;
  if (first === undefined) return undefined;
  const { path } = first.probe;
  if (all.size === 1) return notHealthy(appId, path, spoken(first.probe));
  const said = named
    .toSorted((a, b) => (a.url < b.url ? -1 : 1))
    .map(({ url, probe }) => `at ${url} ${clause(spoken(probe))}`);
  return notHealthy(appId, path, said.join(', '));
}

function spoken({ error, status }: AppProbe): string {
  return error === undefined ? `answers ${status}` : `fails: ${error}`;
}

function isHealthyAnswer(answer: ReceivedAnswer): boolean {
  if (answer.kind === 'none') return false;
  return answer.protocol === 'grpc' ? answer.status === 0 : answer.status >= 200 && answer.status < 300;
}

/** Result of a probe for a person. It says when a gRPC app has no health service, since that app would never become healthy. */
function describeAnswer(answer: ReceivedAnswer, codec: Codec): { status?: number; error?: string } {
  if (answer.kind === 'none') return { error: answer.message };
  const { status, statusText, protocol, body } = answer;
  if (protocol !== 'grpc' || status === 0) return { status };
  const text = body === undefined ? '' : codec.toText(body);
  const hasNone = status === grpcCode('UNIMPLEMENTED') || /not implemented/i.test(text);
  if (!hasNone) return { error: `${statusText ?? status}: ${text}` };
  return {
    error: `${statusText ?? status}: the app has no health service. Nothing is delivered until the app has one, or the setting app.health is off`,
  };
}

/** True when two results differ at most in their time, or in the number of failures beyond the threshold. */
function isSame(a: AppProbe | undefined, b: AppProbe | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const failuresOf = ({ failures, threshold }: AppProbe): number => Math.min(failures, threshold);
  return (
    a.path === b.path &&
    a.healthy === b.healthy &&
    a.status === b.status &&
    a.error === b.error &&
    a.threshold === b.threshold &&
    failuresOf(a) === failuresOf(b)
  );
}
