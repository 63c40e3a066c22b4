/** The type of an event as recordings compare it. */
import { PROFILES } from '../../contract/profile.ts';

const OWN = PROFILES.sidecar;

/** Types that the sidecar of a profile gives to events without one, with that of the profile `sidecar`. */
const GIVEN: ReadonlyMap<string, string> = new Map(
  Object.values(PROFILES).flatMap(({ eventType, bulkEventType }) => [
    [eventType, OWN.eventType],
    [bulkEventType, OWN.bulkEventType],
  ]),
);

/**
 * The type, or what every profile gives in its stead. A session that is recorded through a tap and replayed in another profile would else
 * have no message in common with itself.
 */
export function comparableType(eventType: string | undefined): string | undefined {
  return eventType === undefined ? undefined : (GIVEN.get(eventType) ?? eventType);
}
