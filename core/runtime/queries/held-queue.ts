/** Everything held now, longest first: messages before their fan-out, deliveries before an attempt, answers. */
import type { HeldItem } from '../../contract/hold.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { rowOf } from '../state/live.ts';
import type { LiveDelivery, LiveMessage } from '../state/live.ts';
import type { SharedServices } from '../common-services.ts';
import { iso } from '../time/time.ts';

export interface HeldQueue {
  readonly items: readonly HeldItem[];
  readonly total: number;
}

/**
 * @param limit maximum number of items; `total` counts all
 * @param holdId only what this hold caught
 */
export function heldQueue(
  { live }: Pick<SharedServices, 'live'>,
  limit: number,
  holdId: string | undefined,
): HeldQueue {
  const isAsked = ({ heldBy }: { readonly heldBy?: string | undefined }): boolean =>
    holdId === undefined || heldBy === holdId;
  const staged = live.staged().filter(({ row }) => row.stage === 'held' && isAsked(row));
  const deliveries = [...live.deliveries()].filter(
    (d) => (d.state === 'held' || d.heldAnswer !== undefined) && isAsked(d),
  );
  const found = [
    ...staged.map((message) => ({ since: message.row.at, make: () => ofMessage(message) })),
    ...deliveries.map((d) => ({ since: sinceOf(d), make: () => ofDelivery(d) })),
  ].toSorted((a, b) => (a.since < b.since ? -1 : a.since > b.since ? 1 : 0));
  return { items: found.slice(0, limit).map(({ make }) => make()), total: found.length };
}

/** Number of held items, and of those that wait for their app. */
export function heldCount({ live }: Pick<SharedServices, 'live'>): {
  readonly atPublish: number;
  readonly answers: number;
  /** Number of deliveries without a subscription, and of messages that wait for the list of an app. */
  readonly forApp: number;
  /** Number of queued deliveries without a subscription. */
  readonly queuedForApp: number;
} {
  let [atPublish, answers, queuedForApp, staged] = [0, 0, 0, 0];
  for (const d of live.deliveries()) {
    if (d.heldAnswer !== undefined) answers += 1;
    if (d.waitsForSubscription && d.state === 'queued') queuedForApp += 1;
  }
  for (const { row } of live.staged()) {
    if (row.stage === 'held') atPublish += 1;
    if (row.stage === 'waiting') staged += 1;
  }
  return { atPublish, answers, forApp: queuedForApp + staged, queuedForApp };
}

function ofMessage(message: LiveMessage): HeldItem {
  const { heldBy, at } = message.row;
  return {
    row: rowOf(message, iso),
    heldAt: 'publish',
    since: at,
    ...withoutUndefined({ heldBy }),
  };
}

function ofDelivery(d: LiveDelivery): HeldItem {
  const { response, bulk } = d.heldAnswer?.attempt ?? {};
  return {
    row: rowOf(d.message, iso),
    deliveryId: d.deliveryId,
    heldAt: d.heldAnswer === undefined ? 'delivery' : 'response',
    since: sinceOf(d),
    ...withoutUndefined({ heldBy: d.heldBy }),
    ...(d.givesUpMs === undefined ? {} : { givesUpAt: iso(d.givesUpMs) }),
    ...(bulk === undefined ? {} : { entryId: bulk.entryId }),
    ...(d.subscription.source === 'streaming' ? { stream: true as const } : {}),
    ...withoutUndefined({ answer: response }),
  };
}

function sinceOf(d: LiveDelivery): string {
  return d.heldAnswer?.attempt.endedAt ?? d.lastTransition?.at ?? d.message.row.at;
}
