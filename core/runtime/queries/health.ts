/** Both health probes with the parts that decide them (interface, "Health"; behaviour 7.1). */
import type { HealthChange, HealthProbe, HealthReport } from '../../contract/console.ts';
import type { App } from '../state/app.ts';
import type { Components } from '../components/components.ts';
import type { SharedServices } from '../common-services.ts';
import { iso } from '../time/time.ts';

type Part = HealthProbe['parts'][number];

/** Name of the part that is about the app. */
const CHANNEL = 'application channel';

const KEPT_CHANGES = 50;

interface Since {
  healthy: boolean;
  ms: number;
}

export class Health {
  readonly #shared: SharedServices;
  readonly #components: Components;
  readonly #since = new Map<string, Since>();
  /** Changes of health by app id, newest first. */
  readonly #changes = new Map<string, HealthChange[]>();
  readonly #appOf: (appId: string | undefined) => App;

  constructor(shared: SharedServices, components: Components, appOf: (appId: string | undefined) => App) {
    this.#shared = shared;
    this.#components = components;
    this.#appOf = appOf;
  }

  /** Both probes of the app; without an id of the first one. Throws Refusal NOT_FOUND. */
  of(appId?: string): HealthReport {
    return this.report(this.#appOf(appId));
  }

  report(app: App): HealthReport {
    const components = this.#componentsPart();
    const port: Part = {
      name: 'HTTP port',
      ok: app.sidecarUrl !== '',
      detail: app.sidecarUrl === '' ? 'it is not open yet' : `${app.sidecarUrl} is open`,
      counts: true,
    };
    const grpc = app.grpcAddresses.find((address) => address !== undefined);
    const further: readonly Part[] =
      grpc === undefined ? [] : [{ name: 'gRPC port', ok: true, detail: `${grpc} is open`, counts: false }];
    const channel: Part = {
      name: CHANNEL,
      ok: app.discovered || awaitsHealth(app),
      detail: channelDetail(app),
      counts: true,
    };
    const lost = this.#connectionsPart();
    const full = this.#backlogPart(app);
    const healthz = this.#probe(app, 'healthz', [
      components,
      port,
      ...further,
      channel,
      ...lost,
      ...full.map((part) => ({ ...part, counts: false })),
    ]);
    const outbound = this.#probe(app, 'outbound', [
      components,
      port,
      ...further,
      { ...channel, counts: false },
      ...lost,
      ...full,
    ]);
    const changes = this.#changes.get(app.appId) ?? [];
    return { appId: app.appId, healthz, outbound, simulated: app.simulatedHealth, changes };
  }

  /** Names of the components that are not initialised. */
  uninitialised(): readonly string[] {
    return this.#components.unhealthy().map(({ name }) => name);
  }

  #componentsPart(): Part {
    const unhealthy = this.#components.unhealthy();
    const { total } = this.#components;
    const detail =
      unhealthy.length === 0
        ? initialisedText(total)
        : unhealthy.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
    return { name: 'components', ok: unhealthy.length === 0, detail, counts: true };
  }

  /** Part about lost connections. A probe that is up stays up (behaviour 7.1): a lost server is shown, and decides nothing. */
  #connectionsPart(): readonly Part[] {
    const lost = this.#components.lost();
    if (lost.length === 0) return [];
    const detail = lost.map(({ name, reason }) => `${name}: the connection is lost (${reason})`).join('; ');
    return [{ name: 'servers of components', ok: false, detail, counts: false }];
  }

  /**
   * Part about a backlog that is full for all topics. It does not count for an app before its first discovery: that app may wait for the
   * probe before it processes the backlog.
   */
  #backlogPart(app: App): readonly Part[] {
    const detail = this.#shared.live.backlog.fullForAll;
    return detail === undefined ? [] : [{ name: 'backlog', ok: false, detail, counts: app.discovered }];
  }

  #probe(app: App, name: HealthChange['probe'], parts: readonly Part[]): HealthProbe {
    const healthy = app.simulatedHealth ?? parts.every((part) => part.ok || !part.counts);
    const key = `${app.appId}\n${name}`;
    let since = this.#since.get(key);
    if (since === undefined || since.healthy !== healthy) {
      since = { healthy, ms: this.#shared.clock.now() };
      this.#since.set(key, since);
      const reason = reasonOf(app, parts);
      const change = { at: iso(since.ms), probe: name, healthy, reason };
      this.#changes.set(app.appId, [change, ...(this.#changes.get(app.appId) ?? [])].slice(0, KEPT_CHANGES));
    }
    return { healthy, status: healthy ? 204 : 500, since: iso(since.ms), parts };
  }
}

/** Whether a sidecar is healthy, and if not, whether that is only because its app has not answered yet. */
export function healthOf(report: HealthReport): { readonly healthy: boolean; readonly waitsForApp?: true } {
  const { healthy } = report.healthz;
  return waitsForApp(report) ? { healthy, waitsForApp: true } : { healthy };
}

function waitsForApp({ healthz, simulated }: HealthReport): boolean {
  if (healthz.healthy || simulated !== null) return false;
  return healthz.parts.every(({ name, ok, counts }) => ok || !counts || name === CHANNEL);
}

function initialisedText(total: number): string {
  if (total === 0) return 'there is none';
  return total === 1 ? 'the only one is initialised' : `all ${total} are initialised`;
}

/** Reason of the probe's present answer. */
function reasonOf(app: App, parts: readonly Part[]): string {
  if (app.simulatedHealth !== null) return 'simulated';
  const counted = parts.filter(({ counts }) => counts);
  const bad = counted.filter(({ ok }) => !ok);
  return (bad.length === 0 ? counted : bad).map(({ name, detail }) => `${name}: ${detail}`).join('; ');
}

/** True for an app whose port is open and whose health checks have not passed yet. */
function awaitsHealth({ discovered, reached, appHealthy }: App): boolean {
  return !discovered && reached === 'answering' && appHealthy === false;
}

/** Sentence about the present state of the channel. The probe itself goes up once and stays up (behaviour 7.1). */
function channelDetail(app: App): string {
  const { url } = app.channel;
  if (!app.hasAddress) return 'the app has no address, so it is not waited for';
  if (awaitsHealth(app)) return `${url} is open, and is asked for its subscriptions once the app is healthy`;
  if (!app.discovered) return `no answer from ${url} yet`;
  return app.reached === 'not-reachable'
    ? `${url} answered before and does not answer now`
    : `${url} answered`;
}
