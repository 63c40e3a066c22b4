/** Finds the existing delivery of a message for a subscription, fast even if the message has thousands. */
import type { Lane } from '../state/app.ts';
import { laneName, streamOf } from '../state/live.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';

/** Number of deliveries up to which a linear search is used. */
const FEW = 16;

interface ByLane {
  /** Number of the message's deliveries that are in the map. */
  count: number;
  /** Deliveries by the name under which they are counted, which all streams of a topic share. */
  readonly map: Map<string, LiveDelivery[]>;
}

export class KnownDeliveries {
  readonly #many = new WeakMap<LiveMessage, ByLane>();

  /** The delivery of the message for a lane; undefined: there is none yet. */
  of(lane: Pick<Lane, 'key'>, message: LiveMessage): LiveDelivery | undefined {
    const { deliveries } = message;
    if (deliveries.length < FEW) return deliveries.find((d) => isOf(lane, d));
    const { appId, pubsubname, topic } = lane.key;
    return this.#byLane(message)
      .get(laneName({ appId, pubsubname, topic }))
      ?.find((d) => isOf(lane, d));
  }

  #byLane(message: LiveMessage): ByLane['map'] {
    const known = this.#many.get(message) ?? { count: 0, map: new Map<string, LiveDelivery[]>() };
    this.#many.set(message, known);
    // Deliveries are only added, and never change the name under which they are counted.
    for (; known.count < message.deliveries.length; known.count += 1) {
      const d = message.deliveries[known.count];
      if (d === undefined) continue;
      const others = known.map.get(d.counted.lane);
      if (others === undefined) known.map.set(d.counted.lane, [d]);
      else others.push(d);
    }
    return known.map;
  }
}

/** Whether a delivery belongs to the subscription of a lane. */
export function isOf({ key }: Pick<Lane, 'key'>, d: Pick<LiveDelivery, 'appId' | 'subscription'>): boolean {
  const { topic, pubsubname } = d.subscription;
  const isSameTopic = d.appId === key.appId && topic === key.topic && pubsubname === key.pubsubname;
  return isSameTopic && streamOf(d.subscription).stream === key.stream;
}
