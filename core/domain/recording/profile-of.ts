/** The names and rules by which recorded messages were delivered: those that a tap observed were delivered by another sidecar. */
import type { ProfileName } from '../../contract/profile.ts';
import type { RecordedMessage } from './recorded.ts';

export interface Profiles {
  /** The profile of our own sidecars. */
  readonly ours: ProfileName;
  /** The profile of the sidecar behind a tap that is open now, by the app's id. */
  readonly ofTap: (appId: string) => ProfileName | undefined;
}

/** The profile of the sidecar that delivered the first message. A tap that is closed tells none: then the rules of the deliveries tell the release. */
export function profileOfRecorded(
  messages: readonly RecordedMessage[],
  { ours, ofTap }: Profiles,
): ProfileName {
  const tap = messages[0]?.message.row.tap;
  if (tap === undefined) return ours;
  return ofTap(tap) ?? (messages.some(endsByLaterRule) ? 'dapr-1.18' : 'dapr');
}

/** From 1.17 on a 404 of the app drops the message to its dead-letter topic. */
function endsByLaterRule({ deliveries }: RecordedMessage): boolean {
  return deliveries.some(({ transitions }) => transitions.some(({ rule }) => rule === 'single.404.drop'));
}
