/** The suite's app as one that speaks gRPC: what it is called with is logged as deliveries, and scripts answer as over HTTP. */
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import type { ConformanceApp } from './app.ts';
import type { AppAnswer, Step } from './app-answer.ts';
import { createDeliveryLog } from './deliveries.ts';
import type { Delivery } from './deliveries.ts';
import type { Json } from './checks.ts';
import { objectOf } from './checks.ts';
import { services } from './grpc.ts';
import type { Spoiler } from './spoiler.ts';

const STATUSES: Readonly<Record<string, number>> = { SUCCESS: 0, RETRY: 1, DROP: 2 };
/** An answer that is no success and names no code. */
const UNKNOWN = 2;

type Call = ServerUnaryCall<object, object>;

/**
 * A `status` below 100 in a script is a gRPC code, 200 a reply whose `body` says `status` or `statuses`; a status of a reply may be a
 * number. A path is what the subscription said.
 */
export function createGrpcApp(discoveryPath: string): ConformanceApp {
  const log = createDeliveryLog();
  const scripts = new Map<string, { steps: readonly Step[]; next: number }>();
  let server: Server | undefined;

  const step = async (delivery: Delivery): Promise<AppAnswer | undefined> => {
    const script = scripts.get(delivery.path);
    const found = script?.steps[Math.min(script.next, script.steps.length - 1)];
    if (script !== undefined) script.next += 1;
    return typeof found === 'function' ? found(delivery) : found;
  };
  const take = async (method: string, call: Call, reply: sendUnaryData<object>): Promise<void> => {
    const message = objectOf(call.request);
    const isDiscovery = method === 'ListTopicSubscriptions';
    const arrived = deliveryOf(isDiscovery ? discoveryPath : String(message['path']), message, call, method);
    const seen = app.spoiler === undefined ? [arrived] : app.spoiler.delivered(arrived);
    let answer: AppAnswer = { status: 200 };
    for (const delivery of seen) {
      log.add(delivery);
      answer = (await step(delivery)) ?? answer;
    }
    answerWith(app.spoiler === undefined ? answer : app.spoiler.answered(answer, arrived), {
      method,
      message,
      reply,
    });
  };
  const app: ConformanceApp = {
    log,
    spoiler: undefined,
    protocol: 'grpc',
    script: (path, ...steps) => void scripts.set(path, { steps, next: 0 }),
    discoveries: () => log.at(discoveryPath),
    mostAtOnce: () => 0,
    open: async (port) => {
      const opened = new Server();
      const of = services();
      for (const name of ['AppCallback', 'AppCallbackAlpha']) {
        const service = of(name);
        const handlers = Object.keys(service).map((method) => [
          method,
          (call: Call, reply: sendUnaryData<object>) => {
            take(method, call, reply).catch((error: unknown) =>
              reply({ code: UNKNOWN, details: String(error) }),
            );
          },
        ]);
        opened.addService(service, Object.fromEntries(handlers));
      }
      server = opened;
      return new Promise((resolve, reject) => {
        opened.bindAsync(`127.0.0.1:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
          error === null ? resolve(bound) : reject(error),
        );
      });
    },
    close: async () => {
      server?.forceShutdown();
      server = undefined;
      return Promise.resolve();
    },
  };
  return app;
}

function answerWith(
  answer: AppAnswer,
  { method, message, reply }: { method: string; message: Json; reply: sendUnaryData<object> },
): void {
  if (answer === 'hang') return;
  if (answer === 'reset') return reply({ code: 14, details: 'reset' });
  const body = answer.body === undefined ? undefined : Buffer.from(answer.body).toString('utf8');
  if (answer.status !== 200) {
    const code = answer.status < 100 ? answer.status : UNKNOWN;
    return reply({ code, details: body ?? `scripted ${code}` });
  }
  const said = body === undefined || body === '' ? undefined : (JSON.parse(body) as unknown);
  if (method === 'ListTopicSubscriptions') {
    const list = Array.isArray(said) ? said.map((one) => subscriptionOf(objectOf(one))) : [];
    return reply(null, { subscriptions: list });
  }
  if (method === 'OnTopicEvent') {
    const { status } = said === undefined ? {} : objectOf(said);
    return reply(null, { status: numberOf(status) });
  }
  return reply(null, { statuses: statusesOf(said, message) });
}

function statusesOf(said: unknown, message: Json): readonly Json[] {
  const given = said === undefined ? undefined : objectOf(said)['statuses'];
  if (Array.isArray(given))
    return given.map((one) => {
      const { entryId, status } = objectOf(one);
      return { entry_id: entryId, status: numberOf(status) };
    });
  const { entries } = message;
  return (Array.isArray(entries) ? entries : []).map((one) => ({
    entry_id: objectOf(one)['entry_id'],
    status: 0,
  }));
}

function numberOf(status: unknown): number {
  return typeof status === 'number' ? status : (STATUSES[String(status ?? 'SUCCESS')] ?? 0);
}

/** A subscription as discovery over HTTP lists it, as the message. */
function subscriptionOf(one: Json): Json {
  const bulk = one['bulkSubscribe'] === undefined ? undefined : objectOf(one['bulkSubscribe']);
  return {
    pubsub_name: one['pubsubname'],
    topic: one['topic'],
    metadata: one['metadata'] ?? {},
    ...(one['routes'] === undefined ? {} : { routes: one['routes'] }),
    dead_letter_topic: one['deadLetterTopic'] ?? '',
    ...(bulk === undefined
      ? {}
      : {
          bulk_subscribe: {
            enabled: bulk['enabled'] === true,
            max_messages_count: bulk['maxMessagesCount'] ?? 0,
            max_await_duration_ms: bulk['maxAwaitDurationMs'] ?? 0,
          },
        }),
  };
}

function dataOf({ data }: Json): string {
  return Buffer.isBuffer(data) ? data.toString('utf8') : '';
}

/** Bytes of the message are base64 in the delivery's text. */
function deliveryOf(path: string, message: Json, call: Call, method: string): Delivery {
  const text = JSON.stringify(message, (_key, value: unknown) => {
    const isBytes = typeof value === 'object' && value !== null && 'type' in value && value.type === 'Buffer';
    return isBytes && 'data' in value && Array.isArray(value.data)
      ? Buffer.from(value.data as number[]).toString('base64')
      : value;
  });
  const headers = Object.fromEntries(
    Object.entries(call.metadata.getMap()).map(([key, value]) => [key, String(value)]),
  );
  return {
    method: 'POST',
    path,
    headers: { ...headers, ':method': method, ':data': dataOf(message) },
    body: Buffer.from(text),
    text,
    atMs: performance.now(),
    json: () => objectOf(JSON.parse(text)),
  };
}
