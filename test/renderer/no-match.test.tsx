/** What stands in the place of the rows while no message is listed. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { NoMatch } from '../../renderer/views/messages/NoMatch.tsx';
import { drawn, known, wordsOf } from './drawn.tsx';

const MISTAKE = 'Expected a value at 7, found nothing.';

function said(
  refused: string | undefined,
  filter = 'topic:(',
  answers = 0,
  appId = '',
  paused = false,
): string {
  const search = `f=${encodeURIComponent(filter)}`;
  const console = {
    ui: createStore(() => ({ appId })),
    messages: { store: createStore(() => ({ paused })) },
    holds: { queue: known({ items: Array.from({ length: answers }, () => ({ heldAt: 'response' })) }) },
    navigation: { store: createStore(() => ({ path: '/messages', search })) },
  };
  return wordsOf(drawn(<NoMatch isFilterRead isFilterTyped={false} refused={refused} />, console));
}

test('a filter that the host refused is not said to match nothing, also before its mistake is known', () => {
  expect(said(MISTAKE)).toBe(`${MISTAKE} Clear filter`);
  expect(said(undefined)).toBe('No message matches this filter. Clear filter');
});

test('the view of held messages says that the held ones are answers, as its tab counts them', () => {
  expect(said(undefined, 'state:held', 2)).toBe(
    'No message is held, but 2 answers from apps are. Open Holds',
  );
  expect(said(undefined, 'state:held', 0)).toBe('No message matches this filter. Clear filter');
  expect(said(undefined, 'state:parked', 2)).toBe('No message matches this filter. Clear filter');
  expect(said(undefined, 'state:held', 2, 'app')).not.toContain('answers');
});

test('a list that stands still says nothing of what came or changed since', () => {
  const words = said(undefined, 'changed:>=2026-03-01T10:00:00.000Z', 0, '', true);
  expect(words).toMatch(
    /^The list is not live\. “Back to live” below shows what has changed since .+\. Clear filter$/,
  );
});
