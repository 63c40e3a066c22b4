/**
 * Finds the profile by which recorded messages were delivered. Observed ones were delivered by another
 * sidecar.
 */
import type { ProfileName } from '../../contract/profile.ts';
import type { RecordedMessage } from './recorded.ts';

export interface Profiles {
  /** Profile of Sidelight's own sidecars. */
  readonly ours: ProfileName;
  /** Profile of the sidecar behind an open tap, by the app's id. */
  readonly ofTap: (appId: string) => ProfileName | undefined;
}

/**
 * Profile of the sidecar that delivered the first message. For a tap that is closed, the rules of the
 * deliveries show the release.
 */
export function profileOfRecorded(
  messages: readonly RecordedMessage[],
  { ours, ofTap }: Profiles,
): ProfileName {
  const tap = messages[0]?.message.row.tap;
  if (tap === undefined) return ours;
  return ofTap(tap) ?? (messages.some(endsByLaterRule) ? 'dapr-1.18' : 'dapr');
}

/**
 * Whether a delivery shows the rules from 1.17 on, by which a 404 of the app drops a message to its
 * dead-letter topic.
 */
function endsByLaterRule({ deliveries }: RecordedMessage): boolean {
  return deliveries.some(({ transitions }) => transitions.some(({ rule }) => rule === 'single.404.drop'));
}
