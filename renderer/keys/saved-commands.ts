/** Publishes a saved request: from its list, by its digit, from the palette. */
import type { SavedRequest } from '../../core/contract/saved.ts';
import { fill } from '../copy/fill.ts';
import { SAVED } from '../copy/saved.ts';
import { showPublished } from '../state/show-published.ts';
import type { Console } from '../state/console.ts';
import { asFailure } from '../state/resource.ts';

/** Publishes the request and reports it, with a link to the message. */
export async function runSaved(console: Console, { requestId, name }: SavedRequest): Promise<void> {
  const { call, saved, toasts } = console;
  try {
    const { messageId } = await call('requests.run', { requestId });
    showPublished(console, messageId, fill(SAVED.ran, { name }));
  } catch (reason) {
    toasts.failed(asFailure(reason).message);
  }
  await saved.requests.refresh();
}
