/** Both health probes with the parts that decide them (interface, "Health"; reference 7.1). */
import type { HealthProbe, HealthReport } from '../contract/console.ts';
import type { App } from './app.ts';
import type { Components } from './components.ts';
import type { Shared } from './shared.ts';
import { iso } from './time.ts';

type Part = HealthProbe['parts'][number];

interface Since {
  healthy: boolean;
  ms: number;
}

export class Health {
  readonly #shared: Shared;
  readonly #components: Components;
  readonly #since = new Map<string, Since>();

  constructor(shared: Shared, components: Components) {
    this.#shared = shared;
    this.#components = components;
  }

  report(app: App): HealthReport {
    const components = this.#componentsPart();
    const port: Part = {
      name: 'HTTP port',
      ok: app.sidecarUrl !== '',
      detail: app.sidecarUrl === '' ? 'it is not open yet' : `${app.sidecarUrl} is open`,
      counts: true,
    };
    const channel: Part = {
      name: 'application channel',
      ok: app.discovered,
      detail: channelDetail(app),
      counts: true,
    };
    return {
      appId: app.appId,
      healthz: this.#probe(app, 'healthz', [components, port, channel]),
      outbound: this.#probe(app, 'outbound', [components, port, { ...channel, counts: false }]),
      simulated: app.simulatedHealth,
    };
  }

  #componentsPart(): Part {
    const unhealthy = this.#components.unhealthy();
    const { total } = this.#components;
    const detail =
      unhealthy.length === 0
        ? `${total} of ${total} components are initialised`
        : unhealthy.map(({ name, reason }) => `${name}: ${reason}`).join('; ');
    return { name: 'components', ok: unhealthy.length === 0, detail, counts: true };
  }

  #probe(app: App, name: string, parts: readonly Part[]): HealthProbe {
    const healthy = app.simulatedHealth ?? parts.every((part) => part.ok || !part.counts);
    const key = `${app.appId}\n${name}`;
    let since = this.#since.get(key);
    if (since === undefined || since.healthy !== healthy) {
      since = { healthy, ms: this.#shared.clock.now() };
      this.#since.set(key, since);
    }
    return { healthy, status: healthy ? 204 : 500, since: iso(since.ms), parts };
  }
}

/** The probe goes up once and stays (reference 7.1); the sentence says what is so now. */
function channelDetail(app: App): string {
  const { url } = app.channel;
  if (!app.discovered) return `no answer from ${url} yet`;
  return app.reached === 'not-reachable' ? `${url} answered before, and does not now` : `${url} answered`;
}
