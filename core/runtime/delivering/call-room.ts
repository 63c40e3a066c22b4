/** How much one call carries, and when there is room in memory for it. */
import { entryBytes } from '../../domain/bulk.ts';
import type { Profile } from '../../contract/profile.ts';
import { handedOn } from './request.ts';
import { settingsOf } from '../state/app.ts';
import type { App, Lane } from '../state/app.ts';
import { sentBytes } from '../state/live.ts';
import type { LiveDelivery } from '../state/live.ts';

/**
 * A call has its bodies in memory until it ends: those of one app together only so many.
 * @returns what gives the room back; at once where there is room
 */
export function enterRoom(app: App, batch: readonly LiveDelivery[]): ReturnType<App['bodies']['enter']> {
  let bytes = 0;
  for (const d of batch) bytes += sentBytes(d);
  return app.bodies.enter(bytes);
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
