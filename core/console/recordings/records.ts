/**
 * A recorded message as the journal's records: accepted, each delivery step by step, and published. That record comes last, because a
 * journal in memory packs a message whenever nothing of it is open.
 */
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { RecordedMessage } from '../../domain/recording/recorded.ts';
import type { JournalRecord } from '../../ports/journal.ts';

export function recordsOf({ message, deliveries }: RecordedMessage): JournalRecord[] {
  const { messageId } = message.row;
  return [
    { kind: 'message.accepted', message },
    ...deliveries.flatMap(({ delivery, attempts, transitions }) => {
      const steps = Math.max(1, attempts.length, transitions.length);
      return Array.from({ length: steps }, (_, step): JournalRecord => {
        const [transition, attempt] = [transitions[step], attempts[step]];
        return {
          kind: 'delivery',
          delivery: { ...delivery, messageId },
          ...withoutUndefined({ transition, attempt }),
        };
      });
    }),
    { kind: 'message.published', messageId },
  ];
}
