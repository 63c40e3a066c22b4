/** An app that subscribes in batches, drops that, and says again what it subscribes to. */
import type { SeenCall } from '../support/scripted-app.ts';
import { started, subscribe } from '../support/runtime-stand.ts';
import type { Stand } from '../support/runtime-stand.ts';

export const BULK = {
  topic: 'orders',
  route: '/batches',
  bulkSubscribe: { enabled: true, maxMessagesCount: 2, maxAwaitDurationMs: 200 },
  deadLetterTopic: 'dead',
};
export const SINGLE = { topic: 'orders', route: '/single' };
export const RETRIES = { maxAttempts: 3, firstDelayMs: 1000, maxDelayMs: 1000, factor: 1 };

export function entriesOf(call: SeenCall): readonly { readonly entryId: string; readonly event: unknown }[] {
  const { entries } = call.json();
  return Array.isArray(entries) ? (entries as readonly { entryId: string; event: unknown }[]) : [];
}

/** 200 with SUCCESS for each entry of a batch, or for the message. */
export function accepting(stand: Stand): void {
  stand.app.answerWith = (call) => ({
    body: {
      status: 'SUCCESS',
      statuses: entriesOf(call).map(({ entryId }) => ({ entryId, status: 'SUCCESS' })),
    },
  });
}

/** Path and number of entries of each call; 0: it was no batch. */
export function calls(stand: Stand): string[] {
  return stand.app.calls.map((call) => `${call.path} ${entriesOf(call).length}`);
}

export async function bulkStand(...subscriptions: readonly object[]): Promise<Stand> {
  const stand = await started({}, (it) =>
    subscribe(it, ...(subscriptions.length === 0 ? [BULK] : subscriptions)),
  );
  accepting(stand);
  stand.set('delivery.retry', RETRIES);
  return stand;
}

/** The app says again what it subscribes to. */
export async function says(stand: Stand, ...subscriptions: readonly object[]): Promise<void> {
  subscribe(stand, ...subscriptions);
  await stand.runtime.rediscovery.ask();
  await stand.settle();
}
