/** Clearing a filter keeps the row that was read in sight. */
import { expect, test } from 'vitest';
import { FIRST, type MessagesState, type Sort } from '../../renderer/state/messages-state.ts';
import { isOpenedAs, openKeepingPlace } from '../../renderer/views/messages/open-view.ts';

/**
 * @param eye the row in sight that keeps its place
 * @param rows ids of the rows of the view that is opened
 */
function stand(state: Partial<MessagesState>, eye?: string, rows: readonly string[] = []) {
  const now: MessagesState = { ...FIRST, status: 'ready', ...state };
  const did: string[] = [];
  const messages = {
    store: { getState: () => now },
    eye,
    asked: { filter: '', groupBy: '', sort: now.sort },
    rows: { indexOf: (id: string) => (rows.includes(id) ? rows.indexOf(id) : undefined) },
    async open(filter: string, groupBy = '', sort?: Sort) {
      messages.asked = { filter, groupBy, sort };
      did.push(
        ['open', `"${filter}"`, groupBy, sort?.by]
          .filter((word) => word !== undefined && word !== '')
          .join(' '),
      );
    },
    async goTo({ messageId = '' }: { readonly messageId?: string }) {
      did.push(`go to ${messageId}`);
      return messageId;
    },
  };
  return { messages, did };
}

test('opening a list scrolls to the row of the keyboard, or else to the open message', async () => {
  const one = stand({ follow: false, current: 'm5' });
  await openKeepingPlace(one.messages, '', '', 'm9');
  expect(one.did).toEqual(['open ""', 'go to m5']);
  const other = stand({ follow: false });
  await openKeepingPlace(other.messages, 'a', '', 'm9');
  expect(other.did).toEqual(['open "a"', 'go to m9']);
});

test('a following list keeps following, and groups are read from the first one', async () => {
  const following = stand({ follow: true, current: 'm5' });
  await openKeepingPlace(following.messages, '', '', undefined);
  const grouped = stand({ follow: false, current: 'm5', groupBy: 'topic' });
  await openKeepingPlace(grouped.messages, '', 'topic', undefined);
  const nothing = stand({ follow: false });
  await openKeepingPlace(nothing.messages, '', '', undefined);
  expect([following.did, grouped.did, nothing.did]).toEqual([['open ""'], ['open "" topic'], ['open ""']]);
});

test('opening a list does not scroll if the rows in sight are there again', async () => {
  const seen = stand({ follow: false, current: 'm5' }, 'm7', ['m6', 'm7']);
  await openKeepingPlace(seen.messages, '', '', undefined);
  const unseen = stand({ follow: false, current: 'm5' }, 'm7', ['m6']);
  await openKeepingPlace(unseen.messages, '', '', undefined);
  expect([seen.did, unseen.did]).toEqual([['open ""'], ['open ""', 'go to m5']]);
});

test('a list that a person sorted stays sorted with another filter, and groups have no sort', async () => {
  const sorted = { follow: false, paused: true, sort: { by: 'duration', isDown: true } };
  const filtered = stand(sorted);
  await openKeepingPlace(filtered.messages, 'topic:a', '', undefined);
  expect(filtered.did).toEqual(['open "topic:a" duration']);
  const grouped = stand(sorted);
  await openKeepingPlace(grouped.messages, '', 'state', undefined);
  expect(grouped.did).toEqual(['open "" state']);
});

test('a list does not scroll for a view that another one has replaced before it was open', async () => {
  const { messages, did } = stand({ follow: false, current: 'm5' });
  const open = messages.open.bind(messages);
  messages.open = async (filter, groupBy) => {
    await open(filter, groupBy);
    // Meanwhile a person typed one letter more.
    messages.asked = { filter: `${filter}b`, groupBy: '', sort: undefined };
  };
  await openKeepingPlace(messages, 'a', '', undefined);
  expect(did).toEqual(['open "a"']);
});

test('a list that shows one view and opens another counts as opened for the other one only', () => {
  const shown: MessagesState = { ...FIRST, status: 'ready', filter: '' };
  const list = (state: MessagesState) => ({
    store: { getState: () => state },
    asked: { filter: 'topic:a', groupBy: '' },
  });
  expect(isOpenedAs(list(shown), '', '')).toBe(false);
  expect(isOpenedAs(list(shown), 'topic:a', '')).toBe(true);
  expect(isOpenedAs(list(shown), 'topic:a', 'state')).toBe(false);
  expect(isOpenedAs(list({ ...shown, status: 'loading' }), 'topic:a', '')).toBe(false);
});
