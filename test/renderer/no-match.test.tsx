/** What stands in the place of the rows while no message is listed. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { NoMatch } from '../../renderer/views/messages/NoMatch.tsx';
import { drawn, wordsOf } from './drawn.tsx';

const MISTAKE = 'Expected a value at 7, found nothing.';

function said(refused: string | undefined): string {
  const search = `f=${encodeURIComponent('topic:(')}`;
  const console = {
    ui: createStore(() => ({ appId: '' })),
    navigation: { store: createStore(() => ({ path: '/messages', search })) },
  };
  return wordsOf(drawn(<NoMatch isFilterRead isFilterTyped={false} refused={refused} />, console));
}

test('a filter that the host refused is not said to match nothing, also before its mistake is known', () => {
  expect(said(MISTAKE)).toBe(`${MISTAKE} Clear filter`);
  expect(said(undefined)).toBe('No message matches this filter. Clear filter');
});
