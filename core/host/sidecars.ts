/** The HTTP edge of every app's sidecar. */
import type { Profile } from '../contract/profile.ts';
import type { SystemDescription } from '../contract/reports.ts';
import { createSidecarServer } from '../http/server.ts';
import type { SidecarServer } from '../http/server.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { OpenApp, OpenApps } from './apps.ts';
import type { ProductOptions } from './options.ts';
import { choosePort } from './ports.ts';
import type { PortWish } from './ports.ts';
import { RefusedPublishes } from './refused-publishes.ts';
import type { Settings } from './settings.ts';

const SIDECAR_PORT = 3500;

export interface SidecarDependencies {
  readonly options: ProductOptions;
  readonly profile: Profile;
  readonly mayMove: boolean;
  readonly settings: Settings;
  readonly runtime: Runtime;
  readonly log: Log;
  readonly clock: Clock;
  readonly apiToken: string;
  /** A shutdown request ends everything (headless), not only that app's sidecar. */
  readonly wholeProduct: boolean;
  readonly endAll: () => void;
}

export interface OpenSidecars {
  /** In the order of the apps. */
  readonly urls: readonly string[];
  readonly notes: readonly string[];
  /** Opens the sidecar of an added app. Throws PortTaken when it asks for a port that is not free. @returns its port */
  add(app: OpenApp, port?: number): Promise<number>;
  /** Closes the sidecar of an added app: calls that are under way may end for `graceMs`. */
  drop(appId: string, graceMs: number): Promise<void>;
  close(graceMs: number): Promise<void>;
}

/** Throws PortTaken. */
export async function openSidecars(
  deps: SidecarDependencies,
  apps: OpenApps,
  opened: (() => Promise<void>)[],
): Promise<OpenSidecars> {
  const { options, runtime } = deps;
  const servers: { readonly appId: string; readonly server: SidecarServer }[] = [];
  const notes: string[] = [];
  const refused = new RefusedPublishes(deps.clock, (text) => runtime.log.write('warn', 'sidecar', text));
  const close = async (graceMs: number): Promise<void> => {
    await Promise.all(servers.map(({ server }) => server.close(graceMs)));
    refused.close();
  };
  opened.push(() => close(0));

  async function open(
    app: OpenApp,
    wish: Pick<PortWish, 'flag' | 'given'>,
    mayMove: boolean,
  ): Promise<number> {
    const first = options.sidecarPort ?? SIDECAR_PORT;
    const follows = first === 0 ? 0 : first + servers.length;
    const standard = app.added === true ? (app.sidecarPort ?? follows) : follows;
    const taken = new Set(servers.map(({ server }) => server.port));
    const chosen = await choosePort({ ...wish, what: 'sidecar', standard }, mayMove, taken);
    if (chosen.notice !== undefined) notes.push(chosen.notice);
    const server = sidecarServer(deps, app, chosen.port, refused);
    await server.start();
    servers.push({ appId: app.appId, server });
    runtime.listening(app.appId, server.url);
    return server.port;
  }

  for (const [i, app] of apps.list.entries()) {
    const given = app.added === true ? undefined : i === 0 ? options.sidecarPort : app.sidecarPort;
    const flag = i === 0 ? '--sidecar-port' : '--app';
    await open(app, { flag, given }, deps.mayMove || app.added === true);
  }
  return {
    urls: servers.map(({ server }) => server.url),
    notes,
    add: (app, port) => open(app, { flag: 'sidecarPort', given: port }, true),
    drop: async (appId, graceMs) => {
      const at = servers.findIndex((one) => one.appId === appId);
      const [gone] = at < 0 ? [] : servers.splice(at, 1);
      await gone?.server.close(graceMs);
    },
    close,
  };
}

/** The HTTP edge of one app on this port; nothing listens yet. */
function sidecarServer(
  deps: SidecarDependencies,
  app: OpenApp,
  port: number,
  refused: RefusedPublishes,
): SidecarServer {
  const { options, runtime, settings, profile } = deps;
  const server: SidecarServer = createSidecarServer({
    sidecar: runtime.sidecar(app.appId, app.turnable === undefined ? app.channel.url : undefined),
    profile,
    port,
    ...(options.sidecarHost === undefined ? {} : { host: options.sidecarHost }),
    maxBodyBytes: () => settings.current['http.maxBodyBytes'],
    allowedOrigins: () => settings.current['http.allowedOrigins'],
    ...(deps.apiToken === '' ? {} : { apiToken: deps.apiToken }),
    shutdown: () => {
      if (deps.wholeProduct) {
        deps.endAll();
        return;
      }
      runtime.log.write(
        'warn',
        'sidecar',
        `The sidecar of ${app.appId} was told to shut down over HTTP. Restart Sidelight to open it again.`,
      );
      // Another instance of the same app may still have its own.
      runtime.closed(app.appId, server.url);
      void server.close();
    },
    onRefused: (info) => refused.tell(info),
    onForeignOrigin: ({ origin, method, path }) => {
      runtime.log.write(
        'warn',
        'sidecar',
        `Refused ${method} ${path} from a web page of ${origin} (setting http.allowedOrigins).`,
      );
    },
    log: deps.log,
  });
  return server;
}

/** What a person has to know when the sidecars listen beyond this machine; undefined: they do not. */
export function beyondThisMachine(
  host: string | undefined,
  profile: Profile,
  apiToken: string,
): SystemDescription['banners'][number] | undefined {
  if (host === undefined || host === '::1' || host.startsWith('127.')) return undefined;
  const open =
    apiToken === ''
      ? `Whoever reaches them may publish: set ${profile.env.apiToken} to ask for a token.`
      : 'A token is asked for.';
  return {
    id: 'sidecar-host',
    level: 'warn',
    text: `The sidecars listen on ${host}, beyond this machine. ${open}`,
  };
}
