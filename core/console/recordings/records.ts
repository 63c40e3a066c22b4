/** A recorded message as the journal's records: accepted, published, and each delivery step by step. */
import { withoutUndefined } from '../../contract/without-undefined.ts';
import type { RecordedMessage } from '../../domain/recording/recorded.ts';
import type { JournalRecord } from '../../ports/journal.ts';

export function recordsOf({ message, deliveries }: RecordedMessage): JournalRecord[] {
  const { messageId } = message.row;
  return [
    { kind: 'message.accepted', message },
    { kind: 'message.published', messageId },
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
  ];
}
