/** What stands below a list that is narrowed to a record: that it goes on, its export and its end. */
import { expect, test } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { ListFoot } from '../../renderer/views/messages/ListFoot.tsx';
import { NarrowedStrip, RecordStrip } from '../../renderer/views/messages/RecordStrip.tsx';
import { drawn, wordsOf } from './drawn.tsx';

const AT = '2026-03-01T10:00:00.000Z';

const navigationAt = (filter: string, search = '') => ({
  store: createStore(() => ({ path: '/messages', search: `${search}f=${encodeURIComponent(filter)}` })),
});

test('a list with another filter says that the recording goes on, and shows what it has on demand', () => {
  const navigation = navigationAt('state:none');
  const words = wordsOf(drawn(<RecordStrip here={AT} />, { navigation }));
  expect(words).toMatch(/^Recording since .*\. The list shows other messages, too\. Show only these/);
  expect(words).toMatch(/Export what was recorded… Stop recording$/);
});

test('the list says since when it records, and has the export and the end of it', () => {
  const navigation = navigationAt(`changed:>=${AT}`);
  const words = wordsOf(drawn(<RecordStrip here={AT} />, { navigation }));
  expect(words).toMatch(/^Recording since .*: the list shows only what changed since then\./);
  expect(words).toMatch(/Export what was recorded… Stop recording$/);
});

test('a filter that is switched off leaves nothing out, whatever time stands in it', () => {
  const navigation = navigationAt(`changed:>=${AT}`, 'off=1&');
  const words = wordsOf(drawn(<RecordStrip here={AT} />, { navigation }));
  expect(words).toMatch(/^Recording since .*\. The list shows other messages, too\./);
});

test('a list that is narrowed to later changes while nothing is recorded says only that', () => {
  const words = wordsOf(drawn(<NarrowedStrip here={AT} />, {}));
  expect(words).toMatch(/^The list shows only what changed since .*\. Show everything again$/);
});

test('acts on selected rows stand below the strip of a recording, which stays', () => {
  const list = {
    selected: new Set(['m1']),
    allSelected: false,
    lookedAt: 0,
    groupBy: '',
    upTo: { isFixed: true },
  };
  const words = wordsOf(
    drawn(<ListFoot />, {
      connection: createStore(() => ({ openings: 1, link: { status: 'open' } })),
      ui: createStore(() => ({ recordingSince: AT, samples: [] })),
      navigation: { ...navigationAt('topic:orders'), param: () => undefined },
      messages: { store: createStore(() => list), rows: { rowOf: () => undefined } },
      detail: { store: createStore(() => ({})) },
    }),
  );
  expect(words).toMatch(/^Recording since .+ Stop recording 1 selected.* Replay/);
});
