/** Decides where a subscription sends a message: to a path of the app, nowhere, or why that is unknown. */
import type { Protocol } from '../../contract/grpc.ts';
import { textOf } from '../../domain/codec.ts';
import type { Wire } from '../../domain/codec.ts';
import { binaryEvent } from '../../domain/binary-event.ts';
import { readRuledEvent } from '../../domain/inbound.ts';
import { rawEvent } from '../../domain/raw-wrapper.ts';
import { batchedEvent, extensionsProblem, mayHaveTooManyExtensions } from '../../domain/topic-event.ts';
import { chooseRoute } from '../../domain/routing.ts';
import type { Steps } from '../../domain/steps.ts';
import { traceOfMetadata } from '../../domain/trace.ts';
import type { RouteChoice } from '../../domain/routing.ts';
import type { ActiveSubscription, LiveDelivery } from '../state/live.ts';
import { handedOn } from './request.ts';
import type { SharedServices } from '../common-services.ts';

export type Destination =
  | { readonly kind: 'path'; readonly route: LiveDelivery['route'] }
  | { readonly kind: 'none' }
  | {
      readonly kind: 'undeliverable';
      readonly rule: 'policy.route-error' | 'policy.unreadable';
      readonly note: string;
    };

export type NoDestination = Exclude<Destination, { kind: 'path' }>;

/** Characters of an event that take as long to read as one step of its rules, at least. */
const READ_IN_A_STEP = 4;

/**
 * Destination of a message. Spec: routes.rules and routes.default; behaviour 4.4 and 2.2.
 * @param steps budget of the rules
 */
export function destinationOf(
  shared: SharedServices,
  active: ActiveSubscription,
  d: LiveDelivery,
  wire: Wire,
  protocol: Protocol,
  steps: Steps,
): Destination {
  const { codec, profile, ids } = shared;
  const { message } = d;
  const handed = handedOn(d, { active }, profile);
  const { subscription } = active;
  if (subscription.rawPayload === undefined) {
    return {
      kind: 'undeliverable',
      rule: 'policy.unreadable',
      note: 'its rawPayload value could not be read',
    };
  }
  // No rule pays for it, but the turn of the event loop has this work too, for each subscription anew.
  const noteRead = (): void => steps.noteBeside(Math.ceil(wire.length / READ_IN_A_STEP));
  let event: Readonly<Record<string, unknown>> | string;
  if (subscription.rawPayload) {
    if (!active.routes.needsEvent) return destinationBy(chooseRoute(active.routes, {}, steps));
    noteRead();
    const facts = {
      id: ids.uuid(),
      topic: message.row.topic,
      pubsubname: subscription.pubsubname,
      trace: traceOfMetadata(handed),
      profile,
      codec,
    };
    event =
      subscription.bulk === undefined
        ? rawEvent(wire, facts)
        : typeof wire === 'string'
          ? wire
          : codec.toText(wire);
  } else {
    const binary = subscription.bulk === undefined ? binaryEvent(wire, handed, codec) : undefined;
    if (binary !== undefined) return destinationBy(chooseRoute(active.routes, binary, steps));
    const unsaid = protocol === 'grpc' ? unreadableReason(wire, shared, noteRead) : undefined;
    if (unsaid !== undefined) return { kind: 'undeliverable', rule: 'policy.unreadable', note: unsaid };
    // Sidelight's own envelopes are always JSON objects, and without rules they need not be read.
    if (!active.routes.needsEvent && !message.row.raw) {
      return destinationBy(chooseRoute(active.routes, {}, steps));
    }
    noteRead();
    const read = readRuledEvent(wire, codec);
    if (!read.ok) return { kind: 'undeliverable', rule: 'policy.unreadable', note: read.reason };
    event = read.event;
  }
  return destinationBy(chooseRoute(active.routes, event, steps));
}

/** Why a gRPC app cannot get an event; only a publisher's own envelope can have such data or attributes. */
function unreadableReason(wire: Wire, { codec }: SharedServices, noteRead: () => void): string | undefined {
  const hasBytes = textOf(wire, codec).includes('"data_base64"');
  if (!hasBytes && !mayHaveTooManyExtensions(wire)) return undefined;
  noteRead();
  if (!hasBytes) return extensionsProblem(wire, codec);
  const event = batchedEvent(wire, codec);
  return event.ok ? undefined : event.complaint;
}

let lastRoute: LiveDelivery['route'] = { path: '' };

/** The route of a delivery. Consecutive deliveries on one route share one object, which saves memory for each message. */
function routeOf(path: string, rule: LiveDelivery['route']['rule']): LiveDelivery['route'] {
  if (lastRoute.path !== path || lastRoute.rule !== rule)
    lastRoute = { path, ...(rule === undefined ? {} : { rule }) };
  return lastRoute;
}

function destinationBy(choice: RouteChoice): Destination {
  switch (choice.kind) {
    case 'path':
      return { kind: 'path', route: routeOf(choice.path, choice.rule) };
    case 'none':
      return { kind: 'none' };
    case 'error':
      return {
        kind: 'undeliverable',
        rule: 'policy.route-error',
        note: `Rule ${choice.index + 1} "${choice.match}" could not be evaluated: ${choice.error}`,
      };
  }
}
