/** A process that ends right after a message was accepted. */
import type { Stand } from '../support/runtime-stand.ts';

/** Publishes, and ends the process when the journal has the message and nothing after it. Gives its id. */
export async function cutAfterAccepted(stand: Stand): Promise<string> {
  const messageId = new Promise<string>((found) => {
    stand.journal.afterAppend = (records) => {
      const accepted = records.find((record) => record.kind === 'message.accepted');
      if (accepted === undefined) return;
      stand.crash();
      found(accepted.message.row.messageId);
    };
  });
  void stand.runtime
    .sidecar([...stand.apps.keys()][0] ?? '')
    .publish({ pubsubname: 'pubsub', topic: 'orders', body: 'x', metadata: {}, source: 'http' });
  return messageId;
}
