/** What stands below a list that is narrowed to a record: that it goes on, its export and its end. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { RecordStrip } from '../../renderer/views/messages/RecordStrip.tsx';
import { drawn, wordsOf } from './drawn.tsx';

test('the list says since when it records, and has the export and the end of it', () => {
  const words = wordsOf(drawn(<RecordStrip here="2026-03-01T10:00:00.000Z" />, {}));
  expect(words).toMatch(/^Recording since .*: the list shows only what changed since then\./);
  expect(words).toMatch(/Export what was recorded… Stop recording$/);
});

test('an opened recording that is narrowed to later changes records nothing, and its end stays in it', () => {
  const filter = 'changed:>=2026-03-01T10:00:00.000Z';
  const search = `r=rec_1&f=${encodeURIComponent(filter)}`;
  const navigation = { store: createStore(() => ({ path: '/recordings', search })) };
  const words = wordsOf(
    drawn(<RecordStrip here="2026-03-01T10:00:00.000Z" />, { recordingId: 'rec_1', navigation }),
  );
  expect(words).toMatch(/^The list shows only what changed since .*\. Show everything again$/);
});
