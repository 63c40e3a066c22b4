/** What stands below a list that is narrowed to a record: that it goes on, its export and its end. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { RecordStrip } from '../../renderer/views/messages/RecordStrip.tsx';
import { drawn, wordsOf } from './drawn.tsx';

const navigationAt = (filter: string, search = '') => ({
  store: createStore(() => ({ path: '/messages', search: `${search}f=${encodeURIComponent(filter)}` })),
});

test('a list with another filter says that the recording goes on, and shows what it has on demand', () => {
  const navigation = navigationAt('state:none');
  const words = wordsOf(drawn(<RecordStrip here="2026-03-01T10:00:00.000Z" />, { navigation }));
  expect(words).toMatch(/^Recording since .*\. The list shows other messages, too\. Show only these/);
  expect(words).toMatch(/Export what was recorded… Stop recording$/);
});

test('the list says since when it records, and has the export and the end of it', () => {
  const navigation = navigationAt('changed:>=2026-03-01T10:00:00.000Z');
  const words = wordsOf(drawn(<RecordStrip here="2026-03-01T10:00:00.000Z" />, { navigation }));
  expect(words).toMatch(/^Recording since .*: the list shows only what changed since then\./);
  expect(words).toMatch(/Export what was recorded… Stop recording$/);
});

test('an opened recording that is narrowed to later changes records nothing, and its end stays in it', () => {
  const navigation = navigationAt('changed:>=2026-03-01T10:00:00.000Z', 'r=rec_1&');
  const words = wordsOf(
    drawn(<RecordStrip here="2026-03-01T10:00:00.000Z" />, { recordingId: 'rec_1', navigation }),
  );
  expect(words).toMatch(/^The list shows only what changed since .*\. Show everything again$/);
});
