/** How much one call carries, and when there is room in memory for it. */
import { entryBytes } from '../../domain/bulk.ts';
import type { Profile } from '../../contract/profile.ts';
import { handedOn } from './request.ts';
import { settingsOf } from '../state/app.ts';
import type { App, Lane } from '../state/app.ts';
import { sentBytes } from '../state/live.ts';
import type { LiveDelivery } from '../state/live.ts';

/** A call has its bodies in memory until it ends: those of one app together only so many. */
export async function withRoom(
  app: App,
  lane: Lane,
  batch: readonly LiveDelivery[],
  act: () => Promise<void>,
): Promise<void> {
  const bytes = batch.reduce((sum, d) => sum + sentBytes(d), 0);
  const entered = app.bodies.enter(bytes);
  const leave = entered instanceof Promise ? await entered : entered;
  try {
    // While it waited for room the app may have become one that gets no calls at present.
    if (app.mayStart(0, lane)) await act();
    else for (const d of batch) if (isStartable(d)) lane.offer(d);
  } finally {
    leave();
  }
}

/** Bytes of an entry in the body of a bulk delivery. */
export function bulkEntryBytes(lane: Lane, d: LiveDelivery, profile: Profile): number {
  const metadata = handedOn(d, lane, profile);
  return entryBytes(sentBytes(d), metadata, settingsOf(d, lane)?.rawPayload === true);
}

/** Somebody may have acted on it while its body was read. */
export function isStartable(d: LiveDelivery): boolean {
  const { state } = d;
  return !d.message.gone && !d.queued && d.busy === undefined && (state === 'queued' || state === 'retrying');
}
