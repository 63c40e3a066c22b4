/** Size of one call, and the memory that its bodies need. */
import type { Protocol } from '../../contract/grpc.ts';
import { entryBytes } from '../../domain/bulk.ts';
import type { Profile } from '../../contract/profile.ts';
import { handedOn } from './request.ts';
import { settingsOf } from '../state/app.ts';
import type { App, Lane } from '../state/app.ts';
import { sentBytes } from '../state/live.ts';
import type { LiveDelivery } from '../state/live.ts';

/** Bytes of U+FFFD, which takes the place of a byte that is no UTF-8. */
const REPLACED_BYTES = 3;

/**
 * Reserves memory for the bodies of a call, which stay in memory until it ends. Each app has a limit for all of its calls together.
 * @returns a function that releases the memory; not a promise if there is room at once
 */
export function reserveBodies(app: App, batch: readonly LiveDelivery[]): ReturnType<App['bodies']['enter']> {
  let bytes = 0;
  for (const d of batch) bytes += sentBytes(d);
  return app.bodies.enter(bytes);
}

/** Bytes of an entry in the body of a bulk delivery. */
export function bulkEntryBytes(lane: Lane, d: LiveDelivery, profile: Profile, protocol: Protocol): number {
  const metadata = handedOn(d, lane, profile);
  const takesRaw = settingsOf(d, lane)?.rawPayload === true;
  // The bytes of a raw payload may be no UTF-8, and a normal subscription gets it as text.
  const bytes = d.message.row.raw && !takesRaw ? sentBytes(d) * REPLACED_BYTES : sentBytes(d);
  // Over gRPC a raw payload is sent as bytes.
  return entryBytes(bytes, metadata, protocol === 'http' && takesRaw);
}
