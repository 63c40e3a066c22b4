/** The delivery engine on a clock that a test moves, with an endpoint whose answers a test scripts. */
import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { createDeliveryService } from '../../core/local-router/delivery-service.ts';
import { Certificates } from '../../core/local-router/trust/certificates.ts';
import { LOCAL_ROUTER_DEFAULTS } from '../../core/local-router/options.ts';
import type { LocalRouterSettings, RouterDeliverySettings } from '../../core/local-router/options.ts';
import type { Outbound, OutboundAnswer, OutboundRequest } from '../../core/local-router/outbound/outbound.ts';
import { createDependencies } from '../../core/local-router/dependencies.ts';
import type { RouterDelivery } from '../../core/contract/event-router/local-router.ts';
import { readPublish } from '../../core/local-router/rules/published.ts';
import { readSubscriptionBody } from '../../core/local-router/rules/record-body.ts';
import { parseScope } from '../../core/router-protocol/scope.ts';
import { CountingIds } from '../support/counting-ids.ts';
import { ManualClock } from '../support/manual-clock.ts';

/** Reply of the endpoint to a request: a status, an answer, or a promise of one. */
export type Reply = number | OutboundAnswer | Promise<OutboundAnswer>;

export interface Seen {
  /** Seconds since the stand began. */
  readonly atS: number;
  readonly request: OutboundRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

export const ORIGIN = 'eventrouter.localhost';
export const SCOPE = '/subscriptions/s/resourceGroups/g/providers/Cloud.EventRouter/topics/orders';

export interface EngineRequest {
  readonly delivery?: Partial<RouterDeliverySettings>;
  readonly settings?: Partial<LocalRouterSettings>;
  readonly folder?: string;
  readonly clock?: ManualClock;
  /** Shared by lives over one folder. */
  readonly ids?: CountingIds;
  readonly chance?: () => number;
}

/** Certificates for every stand that keeps none and has no clock of its own: making them takes longer than most tests. */
const CERTIFICATES = await Certificates.open({ hosts: [], now: Date.now });

export type EngineStand = Awaited<ReturnType<typeof engineStand>>;

/** Time at its documented scale, no jitter, no dead-letter delay unless a test wishes otherwise. */
export async function engineStand(wish: EngineRequest = {}) {
  const clock = wish.clock ?? new ManualClock();
  const startMs = clock.now();
  const seen: Seen[] = [];
  const handshakes: OutboundRequest[] = [];
  const script = {
    /** Answers of deliveries, by how many were seen before. */
    reply: (_seen: Seen, _index: number): Reply => 200,
    handshake: (_request: OutboundRequest, _index: number): Reply =>
      answer(200, { 'webhook-allowed-origin': ORIGIN }),
  };
  const outbound: Outbound = {
    send(request) {
      const isHandshake =
        request.method === 'OPTIONS' || request.headers['aeg-event-type'] === 'SubscriptionValidation';
      let reply: Reply;
      if (isHandshake) {
        handshakes.push(request);
        reply = script.handshake(request, handshakes.length - 1);
      } else {
        const text = Buffer.from(request.body ?? []).toString('utf8');
        const one: Seen = {
          atS: (clock.now() - startMs) / 1000,
          request,
          headers: request.headers,
          body: JSON.parse(text) as unknown,
        };
        seen.push(one);
        reply = script.reply(one, seen.length - 1);
      }
      const value = typeof reply === 'number' ? answer(reply) : reply;
      return { answer: Promise.resolve(value), cancel: () => undefined };
    },
    trust: () => undefined,
    renew: () => undefined,
    close: async () => undefined,
  };
  const settings: LocalRouterSettings = {
    ...LOCAL_ROUTER_DEFAULTS,
    ...wish.settings,
    delivery: { ...LOCAL_ROUTER_DEFAULTS.delivery, timeScale: 1, jitter: 0, ...wish.delivery },
  };
  const parts = await createDependencies({
    settings,
    profile: 'sidecar',
    ...(wish.folder === undefined ? {} : { folder: wish.folder }),
    clock,
    random: { next: wish.chance ?? (() => 0) },
    ids: wish.ids ?? new CountingIds(),
    log: { write: () => undefined },
    outbound,
    ...(wish.folder === undefined && wish.clock === undefined ? { certificates: CERTIFICATES } : {}),
  });
  parts.addresses.router = 'https://localhost:7443';
  const delivery = createDeliveryService(parts);
  const stop = async (): Promise<void> => {
    parts.subscriptions.stop();
    const stopping = delivery.stop();
    clock.advance(5000);
    await stopping;
    parts.store.close();
  };
  onTestFinished(stop);
  if (parts.topics.get('orders') === undefined) {
    parts.topics.put({ name: 'orders', resourceId: SCOPE, inputSchema: 'CloudEventSchemaV1_0' });
  }
  delivery.start();

  const settle = async (): Promise<void> => {
    for (let n = 0; n < 12; n++) await turn();
  };
  return {
    clock,
    parts,
    delivery,
    seen,
    handshakes,
    script,
    settle,
    stop,
    /** Moves time from one due moment to the next, and lets everything happen in between. */
    async pass(seconds: number): Promise<void> {
      const endMs = clock.now() + seconds * 1000;
      await settle();
      for (;;) {
        const next = clock.nextDue;
        if (next === undefined || next > endMs) break;
        clock.advance(Math.max(next - clock.now(), 0));
        await settle();
      }
      clock.advance(endMs - clock.now());
      await settle();
    },
    /** A validated subscription; `properties` are those of a PUT beside destination and schema. */
    async subscribe(
      name = 'ordersin',
      properties: Readonly<Record<string, unknown>> = {},
      webhook: Readonly<Record<string, unknown>> = {},
      scopeText = SCOPE,
    ): Promise<string> {
      const scope = parseScope(scopeText, settings.namespace);
      const read = readSubscriptionBody(
        {
          destination: {
            endpointType: 'WebHook',
            properties: { endpointUrl: `https://localhost:9443/${name}`, ...webhook },
          },
          eventDeliverySchema: 'CloudEventSchemaV1_0',
          ...properties,
        },
        { nowMs: clock.now(), allowInsecureSubscribers: false },
      );
      if (!scope.ok) throw new Error(scope.complaint.reason);
      if (!read.ok) throw new Error(read.complaint);
      const { kept } = await parts.subscriptions.put(scope.value, name, read.value);
      await settle();
      // A signing key is made in another thread, so its end is not a matter of turns.
      const secured = webhook['azureActiveDirectoryTenantId'] !== undefined;
      while (secured && parts.subscriptions.get(kept.id)?.state === 'Creating') await turn();
      return kept.id;
    },
    async publish(...events: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
      const topic = parts.topics.get('orders');
      if (topic === undefined) throw new Error('there is no topic orders');
      const cloud = topic.inputSchema === 'CloudEventSchemaV1_0';
      const read = readPublish(topic, {
        contentType: cloud ? 'application/cloudevents-batch+json' : 'application/json',
        text: JSON.stringify(events),
        maxEventBytes: 1_048_576,
        sizeOf: (text) => Buffer.byteLength(text),
      });
      if (!read.ok) throw new Error(read.complaint.reason);
      await delivery.publish(topic, read.value.events);
      await settle();
    },
    /** The newest delivery, or the one of an event. */
    delivery1(eventId?: string): RouterDelivery {
      const { items } = delivery.service.list({ limit: 500 });
      const row = eventId === undefined ? items[0] : items.find((one) => one.eventId === eventId);
      const found = row === undefined ? undefined : delivery.service.get(row.deliveryId);
      if (found === undefined) throw new Error('there is no such delivery');
      return found;
    },
    states: (): string[] => delivery.service.list({ limit: 500 }).items.map(({ state }) => state),
    times: (): number[] => seen.map(({ atS }) => atS),
  };
}

export function answer(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  body = '',
): OutboundAnswer {
  return { kind: 'response', status, headers, body, bodyTruncated: false };
}

export function noAnswer(
  outcome: 'TimedOut' | 'SocketError' | 'ResolutionError',
  code = outcome,
): OutboundAnswer {
  return { kind: 'none', outcome, code, message: `${code} happened` };
}

/** A CloudEvent with this id. */
export function event(id = 'e1', more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    specversion: '1.0',
    id,
    source: '/shop',
    type: 'order.placed',
    subject: 'orders/1',
    data: { n: 1 },
    ...more,
  };
}
