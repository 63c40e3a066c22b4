/** Clearing a filter keeps the row that was read in sight. */
import { expect, test } from 'vitest';
import { FIRST, type MessagesState } from '../../renderer/state/messages-state.ts';
import { openKeepingPlace } from '../../renderer/views/messages/open-view.ts';

function stand(state: Partial<MessagesState>) {
  const now: MessagesState = { ...FIRST, status: 'ready', ...state };
  const did: string[] = [];
  const messages = {
    store: { getState: () => now },
    async open(filter: string, groupBy = '') {
      did.push(`open "${filter}" ${groupBy}`.trim());
    },
    async goTo({ messageId = '' }: { readonly messageId?: string }) {
      did.push(`go to ${messageId}`);
      return messageId;
    },
  };
  return { messages, did };
}

test('the row of the keyboard, or the open message, is gone to', async () => {
  const one = stand({ follow: false, current: 'm5' });
  await openKeepingPlace(one.messages, '', '', 'm9');
  expect(one.did).toEqual(['open ""', 'go to m5']);
  const other = stand({ follow: false });
  await openKeepingPlace(other.messages, 'a', '', 'm9');
  expect(other.did).toEqual(['open "a"', 'go to m9']);
});

test('who follows goes on following; groups are read from the first on', async () => {
  const following = stand({ follow: true, current: 'm5' });
  await openKeepingPlace(following.messages, '', '', undefined);
  const grouped = stand({ follow: false, current: 'm5', groupBy: 'topic' });
  await openKeepingPlace(grouped.messages, '', 'topic', undefined);
  const nothing = stand({ follow: false });
  await openKeepingPlace(nothing.messages, '', '', undefined);
  expect([following.did, grouped.did, nothing.did]).toEqual([['open ""'], ['open "" topic'], ['open ""']]);
});
