/** A binding with everything around it that is outside: a scripted router, an ingress, an app. Real sockets, a clock by hand. */
import { request as httpRequest } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { createEventRouterBinding } from '../../core/event-router/binding/binding.ts';
import type { EventRouterBinding } from '../../core/event-router/binding/binding.ts';
import { PROFILES } from '../../core/contract/profile.ts';
import type { InputState, StepReport } from '../../core/contract/event-router/components.ts';
import type { BindingEvent, BindingTaken } from '../../core/ports/binding.ts';
import type {
  KnownSubscription,
  RouterAccess,
  WebhookRules,
} from '../../core/event-router/client/router-access.ts';
import { freePort } from '../support/free-port.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { leaves } from './certificates.ts';
import type { LeafKind } from './certificates.ts';
import { CLIENT, ROUTER_APP, SECRET, SUBSCRIPTION, ScriptedRouter, TENANT } from './scripted-router.ts';

const NAMESPACE = 'Cloud.EventRouter';
export const SCOPE = `/subscriptions/${SUBSCRIPTION}/resourceGroups/dev/providers/${NAMESPACE}/topics/orders`;
export const ACCESS_KEY = 'bG9jYWwtZGV2LWtleS0wMDAwMDAwMDAwMDAwMDAwMDA=';

const RULES: WebhookRules = {
  callerCheck: 'enforce',
  handshakeAuth: 'optional',
  acceptV1Tokens: true,
  requireRole: false,
  audiences: [],
  allowedOrigins: [],
  forwardRouterHeaders: false,
  selfProbe: true,
};

/** TLS front of the webhook, which can simulate faults. */
export class Ingress {
  port = 0;
  upstream = 0;
  /** Answered instead of forwarding. */
  answers: number | undefined;
  server: Server | undefined;

  async start(kind: LeafKind = 'good'): Promise<void> {
    const { cert, key } = await (await leaves()).leaf(kind);
    this.server = createHttps({ cert, key }, (request, response) => {
      if (this.answers !== undefined) {
        response.writeHead(this.answers).end();
        return;
      }
      const { method, url, headers } = request;
      const onward = httpRequest(
        { host: '127.0.0.1', port: this.upstream, method, path: url, headers },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, answer.headers);
          answer.pipe(response);
        },
      );
      onward.on('error', () => response.headersSent || response.writeHead(503, { 'retry-after': '1' }).end());
      request.pipe(onward);
    });
    await new Promise<void>((resolve) => this.server?.listen(this.port, '127.0.0.1', resolve));
    this.port = (this.server.address() as AddressInfo).port;
  }

  async use(kind: LeafKind): Promise<void> {
    const { cert, key } = await (await leaves()).leaf(kind);
    this.server?.setSecureContext({ cert, key });
  }

  async stop(): Promise<void> {
    const { server } = this;
    this.server = undefined;
    server?.closeAllConnections();
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }
}

export interface Rig {
  readonly clock: ManualClock;
  readonly router: ScriptedRouter;
  readonly ingress: Ingress;
  readonly port: number;
  readonly lines: { level: string; text: string }[];
  readonly events: BindingEvent[];
  rules: WebhookRules;
  /** Results of the app for the next events; the last one repeats. */
  taken: BindingTaken[];
  extraAnchors: string[];
  readonly kept: Map<string, KnownSubscription>;
  metadata: Record<string, string>;
  /** A new life of the component, with `metadata` as it is now. */
  component(name?: string): Promise<EventRouterBinding>;
  /** The binding of `component`, whose app wants the events. */
  listening(name?: string): Promise<EventRouterBinding>;
  /** Moves the clock whenever nothing happens, until the input is in that state. */
  reaches(binding: EventRouterBinding, ...states: readonly InputState[]): Promise<void>;
  step(binding: EventRouterBinding, step: StepReport['step']): StepReport;
  send(call: WebhookCall): Promise<WebhookAnswer>;
}

export interface WebhookCall {
  readonly method?: string;
  readonly path?: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Buffer;
}

export interface WebhookAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

export async function rig(): Promise<Rig> {
  const clock = new ManualClock();
  const router = new ScriptedRouter(() => clock.now(), await freePort());
  await router.start();
  const ingress = new Ingress();
  await ingress.start();
  const port = await freePort();
  ingress.upstream = port;
  const { ca } = await leaves();
  const it: Rig = {
    clock,
    router,
    ingress,
    port,
    lines: [],
    events: [],
    rules: RULES,
    taken: [{ accepted: true, status: 200, messageId: 'msg_1' }],
    extraAnchors: [],
    kept: new Map(),
    metadata: {
      direction: 'input, output',
      accessKey: ACCESS_KEY,
      topicEndpoint: `${router.url}/topics/orders/api/events`,
      cloudTenantId: TENANT,
      cloudSubscriptionId: SUBSCRIPTION,
      cloudClientId: CLIENT,
      cloudClientSecret: SECRET,
      subscriberEndpoint: `https://localhost:${ingress.port}/api/events`,
      handshakePort: String(port),
      scope: SCOPE,
      eventSubscriptionName: 'ordersin',
    },
    component: async (name = 'orders') => {
      const binding = createEventRouterBinding({
        component: name,
        metadata: it.metadata,
        profile: PROFILES.sidecar,
        namespace: NAMESPACE,
        access,
        clock,
        log: { write: (level, _part, text) => void it.lines.push({ level, text }) },
        version: '1.2.3',
        strict: () => false,
      });
      onTestFinished(() => binding.close());
      await binding.start();
      return binding;
    },
    listening: async (name) => {
      const binding = await it.component(name);
      binding.notice({ kind: 'subscribed', appId: 'app', path: '/orders' });
      await binding.listen(async (event) => {
        it.events.push(event);
        const [next, ...more] = it.taken;
        if (more.length > 0) it.taken = more;
        return next ?? { accepted: false };
      });
      return binding;
    },
    reaches: (binding, ...states) =>
      passes(
        clock,
        () => states.includes(binding.input?.steps.state ?? 'off'),
        () => JSON.stringify(binding.report().input?.steps),
      ),
    step: (binding, step) => {
      const found = binding.report().input?.steps.find((one) => one.step === step);
      if (found === undefined) throw new Error(`no step ${step}`);
      return found;
    },
    send: (call) => send(port, call),
  };
  const access: RouterAccess = {
    prepare: async () => ({
      authority: router.url,
      management: router.url,
      managementAudience: router.url,
      apiVersion: '2022-06-15',
      namespace: NAMESPACE,
      routerApplicationId: ROUTER_APP,
    }),
    anchors: () => [ca, ...it.extraAnchors],
    rules: () => it.rules,
    remembered: async (component) => it.kept.get(component),
    remember: async (component, subscription) => void it.kept.set(component, subscription),
  };
  onTestFinished(async () => {
    await ingress.stop();
    await router.stop();
  });
  return it;
}

/** True within fifteen seconds of real time; whenever a while nothing came, the next timer of the clock is let run. */
export async function passes(
  clock: ManualClock,
  isSo: () => boolean,
  said: () => string = () => '',
): Promise<void> {
  const end = performance.now() + 15_000;
  for (let quiet = 0; !isSo(); quiet += 1) {
    if (performance.now() > end) throw new Error(`it did not come to pass: ${said()}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 5);
    });
    if (isSo()) return;
    const next = clock.nextDue;
    // Some turns for the sockets before time advances.
    if (quiet % 6 === 5 && next !== undefined) clock.advance(Math.max(0, next - clock.now()));
  }
}

function send(port: number, call: WebhookCall): Promise<WebhookAnswer> {
  const { method = 'POST', path = '/api/events', token, headers = {}, body } = call;
  return new Promise((resolve, reject) => {
    const request = httpRequest({ host: '127.0.0.1', port, method, path, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on('error', reject);
    if (token !== undefined) request.setHeader('authorization', `Bearer ${token}`);
    for (const [name, value] of Object.entries({
      'content-type': 'application/cloudevents+json',
      ...headers,
    }))
      request.setHeader(name, value);
    request.end(body);
  });
}
