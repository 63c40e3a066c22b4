/** Builds what a case works with, from a running sidecar and the suite's app. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ConformanceApp } from './app.ts';
import type { Delivery } from './deliveries.ts';
import type { RedisServer } from '../../support/redis-server.ts';
import type {
  Case,
  ConsoleRpc,
  Context,
  Own,
  ResourceFolder,
  Running,
  Sidecar,
  WireSubscription,
} from './case.ts';
import { grpcSide } from './grpc.ts';
import type { GrpcSide } from './grpc-answer.ts';
import type { HttpClient } from './http-client.ts';
import type { Names } from './names.ts';
import { UNTOUCHED } from './spoiler.ts';
import type { Spoil } from './spoiler.ts';
import { textOf } from './text-of.ts';

export interface Surroundings {
  readonly names: Names;
  readonly appId: string;
  readonly component: string;
  readonly baseUrl: string;
  readonly client: HttpClient;
  /** Sent with every call of the suite. */
  readonly headers: Readonly<Record<string, string>>;
  readonly app: ConformanceApp;
  readonly appPort: number;
  readonly second: Context['second'];
  readonly running: Running;
  readonly console: ConsoleRpc | undefined;
  /** Where the sidecar serves gRPC. */
  readonly grpcAddress: string | undefined;
  readonly files: ResourceFolder | undefined;
  readonly redis: RedisServer | undefined;
  /** Longest wait for anything, in ms. */
  readonly patienceMs: number;
  /** Longest wait for a fence. */
  readonly fenceMs: number;
  /** The present spoil. */
  readonly spoil?: Spoil | undefined;
}

/** Topic whose messages the suite waits by. */
const FENCE = UNTOUCHED;
const POLL_MS = 20;
/** Times a fence message is delivered: two waits of the retry policy lie between the first and the last. */
const FENCE_TRIES = 3;

/** Names of one run of one case. `run` tells the runs of a case apart. */
export function ownNames(names: Names, component: string, run: string, id: string): Own {
  const topic = (name = 't'): string => `${run}_${id}_${name}`;
  const subscription = (name = 't', more: WireSubscription = {}): WireSubscription => ({
    pubsubname: component,
    topic: topic(name),
    routes: { default: `/${topic(name)}` },
    ...more,
  });
  return {
    names,
    component,
    topic,
    path: (name) => `/${topic(name)}`,
    subscription,
    bulk: (name, limits = {}, more = {}) =>
      subscription(name, { bulkSubscribe: { enabled: true, ...limits }, ...more }),
  };
}

/** The subscription of the fence. */
export function fenceSubscription(component: string): WireSubscription {
  return { pubsubname: component, topic: FENCE, routes: { default: `/${FENCE}` } };
}

/** The sidecar as cases call it. */
export function sidecarAt(
  around: Pick<Surroundings, 'baseUrl' | 'client' | 'headers' | 'component'>,
): Sidecar {
  const send: Sidecar['send'] = async (target, { bare = false, ...sending } = {}) =>
    around.client.send(around.baseUrl + target, {
      ...sending,
      headers: { ...(bare ? {} : around.headers), ...sending.headers },
    });
  const post =
    (prefix: string, contentTypeDefault: string | undefined) =>
    async (
      topic: string,
      body: string | Uint8Array,
      options: Parameters<Sidecar['publish']>[2] = {},
    ): ReturnType<Sidecar['publish']> => {
      const { component = around.component, method = 'POST', query } = options;
      const contentType = options.contentType ?? contentTypeDefault;
      return send(`${prefix}/${component}/${topic}${query === undefined ? '' : `?${query}`}`, {
        method,
        body,
        headers: {
          ...(contentType === undefined ? {} : { 'content-type': contentType }),
          ...options.headers,
        },
        ...(options.bare === undefined ? {} : { bare: options.bare }),
      });
    };
  const bulk = post('/v1.0-alpha1/publish/bulk', 'application/json');
  return {
    url: around.baseUrl,
    send,
    publish: post('/v1.0/publish', undefined),
    bulk: async (topic, entries, options) =>
      bulk(topic, typeof entries === 'string' ? entries : JSON.stringify(entries), options),
  };
}

/** Whether a delivery carries a text; over gRPC its data are bytes. */
function says({ text, headers }: Delivery, mark: string): boolean {
  return text.includes(mark) || String(headers[':data'] ?? '').includes(mark);
}

/** Publishes a fence message and waits until it was tried often enough. */
export async function fence(around: Surroundings, sidecar: Sidecar): Promise<void> {
  const mark = `fence ${performance.now()} ${Math.random()}`;
  const published = await sidecar.publish(FENCE, mark);
  if (published.status !== 204) throw new Error(`the fence got ${published.status} ${published.text}`);
  await around.app.log.until(
    `/${FENCE}`,
    (seen) => seen.filter((one) => says(one, mark)).length >= FENCE_TRIES,
    `${FENCE_TRIES} tries of a fence message`,
    // Not the case's patience: a fence is never spoilt, and a busy machine must not look like a fault.
    Math.max(around.patienceMs, around.fenceMs),
  );
}

/** Begins the message by which `served` asks a component. */
const ASKED = 'is it served';

/**
 * Publishes a message to a component and waits until the app has it. A component that takes no message, because it is not there or the app
 * may not publish to it, serves nothing that could be waited for.
 */
export async function served(around: Surroundings, sidecar: Sidecar, component: string): Promise<void> {
  const mark = `${ASKED} ${component} ${Math.random()}`;
  const published = await sidecar.publish(FENCE, mark, { component });
  if (published.status >= 400 && published.status < 500) return;
  if (published.status !== 204) throw new Error(`${component} got ${published.status} ${published.text}`);
  await around.app.log.until(
    `/${FENCE}`,
    (seen) => seen.some((one) => says(one, mark)),
    `a message of ${component}`,
    Math.max(around.patienceMs, around.fenceMs),
  );
}

/** Scripts the app so that fence messages fail until their last try. A message that only asks is taken at once: not every policy tries again. */
export function scriptFence(app: ConformanceApp): void {
  const tries = new Map<string, number>();
  app.script(`/${FENCE}`, (delivery) => {
    if (says(delivery, ASKED)) return { status: 200 };
    const tried = (tries.get(delivery.text) ?? 0) + 1;
    tries.set(delivery.text, tried);
    return { status: tried < FENCE_TRIES ? 500 : 200 };
  });
}

/** Asks until `holds` does. */
export async function poll<T>(
  ask: () => Promise<T>,
  holds: (value: T) => boolean,
  wanted: string,
  patienceMs: number,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (;;) {
    let seen = '';
    try {
      const value = await ask();
      if (holds(value)) return value;
      seen = JSON.stringify(value) ?? String(value);
    } catch (error) {
      seen = textOf(error);
    }
    if (performance.now() > until) {
      throw new Error(`${wanted} did not come within ${patienceMs} ms; seen last: ${seen.slice(0, 300)}`);
    }
    await sleep(POLL_MS);
  }
}

/** Rejects when `waiting` takes longer than `patienceMs`. */
export async function within<T>(waiting: Promise<T>, wanted: string, patienceMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${wanted} did not come within ${patienceMs} ms`)), patienceMs);
  });
  try {
    return await Promise.race([waiting, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The console as the spoil lets it speak. */
function consoleOf({ console: rpc, spoil }: Surroundings): ConsoleRpc | undefined {
  if (rpc === undefined) return undefined;
  return {
    call: async (method, params) => {
      const result = await rpc.call(method, params);
      return spoil?.told === undefined ? result : spoil.told(result);
    },
  };
}

/** Connections of a start, by what was spoilt on them. */
const sides = new WeakMap<HttpClient, Map<Spoil | undefined, GrpcSide>>();

/** One connection for the cases of a start; a spoil has its own. */
function grpcOf(around: Surroundings): GrpcSide {
  const { client, grpcAddress, spoil } = around;
  if (grpcAddress === undefined) throw new Error('it is not known where the sidecar serves gRPC');
  const all = sides.get(client) ?? new Map<Spoil | undefined, GrpcSide>();
  sides.set(client, all);
  const side = all.get(spoil) ?? grpcAt(around, grpcAddress);
  all.set(spoil, side);
  return side;
}

function grpcAt({ spoil }: Surroundings, address: string): GrpcSide {
  return grpcSide(address, (answer) => spoil?.replied?.(answer) ?? answer);
}

/** Ends the connections of a start. */
export function closeGrpc(client: HttpClient): void {
  for (const side of sides.get(client)?.values() ?? []) side.close();
  sides.delete(client);
}

/** Context for `run` of one case. */
export function contextOf(around: Surroundings, own: Own, of: Pick<Case, 'id'>): Context {
  const { app, patienceMs } = around;
  const sidecar = sidecarAt(around);
  const arrive: Context['arrive'] = async (count = 1, name) =>
    app.log.until(
      own.path(name),
      (seen) => seen.length >= count,
      `case ${of.id}: ${count} deliveries`,
      patienceMs,
    );
  return {
    names: around.names,
    appId: around.appId,
    component: around.component,
    sidecar,
    app,
    appPort: around.appPort,
    second: around.second,
    running: around.running,
    console: consoleOf(around),
    get grpc() {
      return grpcOf(around);
    },
    grpcAt: (address) => grpcAt(around, address),
    grpcAddress: around.grpcAddress,
    files: around.files,
    redis: around.redis,
    patienceMs,
    topic: own.topic,
    path: own.path,
    arrive,
    seen: (name) => [...app.log.at(own.path(name))],
    event: async (name) => {
      const [first] = await arrive(1, name);
      if (first === undefined) throw new Error('nothing arrived');
      return first.json();
    },
    beside: async (url, sending) => {
      const answer = await around.client.send(url, sending);
      return around.spoil?.beside === undefined ? answer : around.spoil.beside(answer);
    },
    fence: async () => fence(around, sidecar),
    poll: async (ask, holds, wanted) => poll(ask, holds, wanted, patienceMs),
    later: async (ms) => {
      const end = Date.now() + ms;
      await poll(
        async () => Promise.resolve(Date.now()),
        (now) => now > end,
        `${ms} ms`,
        2 * ms + patienceMs,
      );
    },
    within: async (waiting, wanted) => within(waiting, wanted, patienceMs),
  };
}
