/** The suite's app as one that speaks gRPC: what it is called with is logged as deliveries, and scripts answer as over HTTP. */
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { sendUnaryData, ServerUnaryCall } from '@grpc/grpc-js';
import type { ConformanceApp } from './app.ts';
import { AtOnce } from './at-once.ts';
import type { AppAnswer, Step } from './app-answer.ts';
import { createDeliveryLog } from './deliveries.ts';
import type { Delivery } from './deliveries.ts';
import type { Json } from './checks.ts';
import { objectOf } from './checks.ts';
import { services } from './grpc.ts';

const STATUSES: Readonly<Record<string, number>> = { SUCCESS: 0, RETRY: 1, DROP: 2 };
/** An answer that is no success and names no code. */
const UNKNOWN = 2;
/** Answer of an app without a health service. */
const UNIMPLEMENTED = 12;
const SERVICES = ['AppCallback', 'AppCallbackAlpha', 'AppCallbackHealthCheck'];

type Call = ServerUnaryCall<object, object>;

/**
 * A `status` below 100 in a script is a gRPC code, 200 a reply whose `body` says `status` or `statuses`; a status of a reply may be a
 * number, and a body of bytes is the reply as it goes out. A path is what the subscription said; calls without one are logged under the
 * name of their method. A call that was not answered and then cancelled is logged once more, at `cancelledAt(path)`.
 */
export function createGrpcApp(discoveryPath: string): ConformanceApp {
  const log = createDeliveryLog();
  const scripts = new Map<string, { steps: readonly Step[]; next: number }>();
  const atOnce = new AtOnce();
  let server: Server | undefined;

  const step = async (delivery: Delivery): Promise<AppAnswer | undefined> => {
    const script = scripts.get(delivery.path);
    const found = script?.steps[Math.min(script.next, script.steps.length - 1)];
    if (script !== undefined) script.next += 1;
    return typeof found === 'function' ? found(delivery) : found;
  };
  const take = async (method: string, call: Call, reply: sendUnaryData<object>): Promise<void> => {
    const message = objectOf(call.request);
    const arrived = deliveryOf(pathOf(method, message, discoveryPath), message, call, method);
    const over = atOnce.begin(arrived.path);
    const ended = (): void => {
      over();
      log.add({ ...arrived, path: cancelledAt(arrived.path) });
    };
    call.on('cancelled', ended);
    const seen = app.spoiler === undefined ? [arrived] : app.spoiler.delivered(arrived);
    let answer: AppAnswer = { status: method === 'HealthCheck' ? UNIMPLEMENTED : 200 };
    for (const delivery of seen) {
      log.add(delivery);
      answer = (await step(delivery)) ?? answer;
    }
    if (answer !== 'hang') {
      call.off('cancelled', ended);
      over();
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
    mostAtOnce: (path = '') => atOnce.most(path),
    open: async (port) => {
      const opened = new Server();
      const of = services();
      for (const service of SERVICES.map(of)) {
        for (const [method, { path, requestDeserialize, responseSerialize }] of Object.entries(service)) {
          const handler = (call: Call, reply: sendUnaryData<object>): void => {
            take(method, call, reply).catch((error: unknown) =>
              reply({ code: UNKNOWN, details: String(error) }),
            );
          };
          const serialize = (value: object): Buffer =>
            Buffer.isBuffer(value) ? value : responseSerialize(value);
          opened.register(path, handler, serialize, requestDeserialize, 'unary');
        }
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

/** Where the log has a call that the sidecar cancelled. */
export function cancelledAt(path: string): string {
  return `${path} cancelled`;
}

function pathOf(method: string, message: Json, discoveryPath: string): string {
  if (method === 'ListTopicSubscriptions') return discoveryPath;
  return typeof message['path'] === 'string' ? message['path'] : method;
}

function answerWith(
  answer: AppAnswer,
  { method, message, reply }: { method: string; message: Json; reply: sendUnaryData<object> },
): void {
  if (answer === 'hang') return;
  if (answer === 'reset') return reply({ code: 14, details: 'reset' });
  if (answer.status === 200 && answer.body instanceof Uint8Array)
    return reply(null, Buffer.from(answer.body));
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
  if (method.startsWith('OnBulkTopicEvent')) return reply(null, { statuses: statusesOf(said, message) });
  return reply(null, said === undefined ? {} : objectOf(said));
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
  if (typeof status === 'number') return status;
  return (typeof status === 'string' ? STATUSES[status] : undefined) ?? 0;
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
    // As over HTTP: what is only asked of the app is no delivery.
    method: method.startsWith('On') ? 'POST' : 'GET',
    path,
    headers: { ...headers, ':method': method, ':data': dataOf(message) },
    body: Buffer.from(text),
    text,
    atMs: performance.now(),
    json: () => objectOf(JSON.parse(text)),
  };
}
