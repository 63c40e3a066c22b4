/** Parts of a call, independent of its protocol, and its channel. */
import type { Profile } from '../../contract/profile.ts';
import type { Wire } from '../../domain/codec.ts';
import type { RawWrapperFacts } from '../../domain/raw-wrapper.ts';
import { cleanedPath } from '../../domain/route-path.ts';
import type { AppMessage } from '../../domain/topic-event.ts';
import { traceOfMetadata } from '../../domain/trace.ts';
import type { AppChannel } from '../../ports/app-channel.ts';
import type { SharedServices } from '../common-services.ts';
import { settingsOf } from '../state/app.ts';
import type { App, Lane } from '../state/app.ts';
import type { LiveDelivery } from '../state/live.ts';

export interface Request {
  /** Path of the route, or over gRPC the method's full name. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Wire;
  /** Message of a gRPC call, with `body` as its JSON text. */
  readonly message?: AppMessage;
}

/** Target of a call. */
export interface CallTarget {
  readonly app: App;
  readonly lane: Lane;
  readonly attemptId: string;
}

/** Whether a delivery is sent as a raw wrapper; in an older history its message decides. */
export function takesRaw(d: LiveDelivery, lane: Lane): boolean {
  const settings = settingsOf(d, lane);
  return settings === undefined ? d.message.row.raw : settings.rawPayload === true;
}

/**
 * Metadata that the component passes on with a delivery, as headers of the call; in an older history from the subscription or the message.
 */
export function handedOn(
  d: LiveDelivery,
  { active }: Pick<Lane, 'active'>,
  { differences }: Profile,
): Readonly<Record<string, string>> {
  if (d.headers !== undefined) return d.headers;
  return differences.memoryHeaders === 'message' ? d.message.metadata : (active?.subscription.metadata ?? {});
}

/**
 * Facts for the wrapper of a raw event.
 * @param topic over HTTP the message's; over gRPC the subscription's, by which an app finds its handler: it may be a pattern
 */
export function rawFacts(
  { ids, profile, codec }: SharedServices,
  { subscription: { pubsubname } }: LiveDelivery,
  topic: string,
  handed: Readonly<Record<string, string>>,
): RawWrapperFacts {
  return { id: ids.uuid(), pubsubname, topic, trace: traceOfMetadata(handed), profile, codec };
}

/** Gives a delivery of an older history the settings of its subscription at its next attempt. */
export function noteSettings(delivery: LiveDelivery, lane: Lane): void {
  const { subscription } = delivery;
  if (subscription.settings !== undefined || subscription.source === 'binding') return;
  const settings = settingsOf(delivery, lane);
  if (settings !== undefined) delivery.changeSettings(settings);
}

/** The path an app is called at over HTTP. */
export function pathOf({ route }: LiveDelivery, { differences }: Profile): string {
  return differences.cleanedRoutes ? cleanedPath(route.path) : route.path;
}

/** Channel of a lane's deliveries: its stream, or its app. */
export function channelOf({ app, lane }: Pick<CallTarget, 'app' | 'lane'>): AppChannel {
  return lane.channel ?? app.channel;
}
