/** The apps of this run: a channel to each real one, a mock app with a port of its own for the others. */
import { createHttpAppChannel } from '../adapters/http-app-channel/channel.ts';
import { createTurnableChannel, type TurnableChannel } from '../adapters/http-app-channel/turnable.ts';
import { shareChannel } from '../adapters/http-app-channel/shared.ts';
import type { Profile } from '../contract/profile.ts';
import type { Codec } from '../domain/codec.ts';
import { createMockApp } from '../mock-app/server.ts';
import type { AppChannel } from '../ports/app-channel.ts';
import type { Clock } from '../ports/clock.ts';
import type { IdSource } from '../ports/ids.ts';
import type { Log } from '../ports/log.ts';
import type { MockApp } from '../ports/mock-app.ts';
import type { Random } from '../ports/random.ts';
import type { AppSpec } from '../runtime/live/app.ts';
import type { ProductOptions } from './options.ts';
import { choosePort } from './ports.ts';

const MOCK_PORT = 6001;
/** As many as the reference opens: calls that hang may not hold up the others. */
const CONNECTIONS = 1024;

export interface OpenApp extends AppSpec {
  /** From `--app`; undefined: follows from the first app's. */
  readonly sidecarPort?: number;
  /** Of an app with a mock app: its channel, which may be turned to another address. */
  readonly turnable?: TurnableChannel;
}

export interface OpenApps {
  /** One for each app of the command line, in its order: instances of one id stand here each. */
  readonly list: readonly OpenApp[];
  /** One for each app id; instances share its deliveries. */
  readonly specs: readonly AppSpec[];
  readonly notes: readonly string[];
  close(): Promise<void>;
}

export interface AppParts {
  readonly options: ProductOptions;
  readonly profile: Profile;
  readonly mayMove: boolean;
  readonly clock: Clock;
  readonly random: Random;
  readonly codec: Codec;
  readonly ids: IdSource;
  readonly log: Log;
  readonly healthPath: () => string;
  /** The setting `app.address` of an app; undefined: not set. */
  readonly addressOf: (appId: string) => string | undefined;
}

/** Opens the mock apps' ports. Throws PortTaken. What was opened is added to `opened` for a start that fails later. */
export async function openApps(parts: AppParts, opened: (() => Promise<void>)[]): Promise<OpenApps> {
  const { options } = parts;
  const mocks: MockApp[] = [];
  const notes: string[] = [];
  const list: OpenApp[] = [];
  const taken = new Set<number>();
  for (const app of options.apps) {
    let { url } = app;
    let mock: MockApp | undefined;
    if (url === undefined) {
      const first = options.appPort ?? MOCK_PORT;
      const standard = first === 0 ? 0 : first + mocks.length;
      const given = mocks.length === 0 ? options.appPort : undefined;
      const chosen = await choosePort(
        { flag: '--app-port', what: 'mock app', given, standard },
        parts.mayMove,
        taken,
      );
      mock = await createMockApp({
        appId: app.appId,
        port: chosen.port,
        profile: parts.profile,
        subscriptions: [],
        healthPath: parts.healthPath,
        clock: parts.clock,
        random: parts.random,
        codec: parts.codec,
        ids: parts.ids,
        log: parts.log,
      });
      const made = mock;
      opened.push(() => made.close());
      mocks.push(mock);
      if (chosen.notice !== undefined) notes.push(chosen.notice);
      ({ url } = mock);
    }
    taken.add(Number(new URL(url).port));
    const open = (to: string): AppChannel => createHttpAppChannel({ url: to, connections: CONNECTIONS });
    const turnable = mock === undefined ? undefined : createTurnableChannel(url, open);
    turnable?.turnTo(parts.addressOf(app.appId));
    list.push({
      appId: app.appId,
      channel: turnable ?? open(url),
      ...(mock === undefined ? {} : { mock }),
      ...(turnable === undefined ? {} : { turnable }),
      ...(app.sidecarPort === undefined ? {} : { sidecarPort: app.sidecarPort }),
    });
  }
  if (options.appPort !== undefined && mocks.length === 0) {
    const note = `--app-port ${options.appPort} has no effect: it is the port of the mock app, and every app here has an address of its own.`;
    parts.log.write('warn', 'host', note);
    notes.push(note);
  }
  return {
    list,
    specs: bySharedId(list),
    notes,
    close: async () => {
      await Promise.all(mocks.map((mock) => mock.close()));
    },
  };
}

function bySharedId(list: readonly OpenApp[]): readonly AppSpec[] {
  return list.flatMap((app, i): AppSpec[] => {
    if (list.findIndex((other) => other.appId === app.appId) < i) return [];
    const others = list.slice(i + 1).filter((other) => other.appId === app.appId);
    const channel = shareChannel([app.channel, ...others.map((other) => other.channel)]);
    return [{ appId: app.appId, channel, ...(app.mock === undefined ? {} : { mock: app.mock }) }];
  });
}

/** The mock app of an app, of the first one without an id; undefined: it has none. */
export function mockOf(apps: readonly OpenApp[], appId: string | undefined): OpenApp['mock'] {
  return (appId === undefined ? apps[0] : apps.find((app) => app.appId === appId))?.mock;
}
