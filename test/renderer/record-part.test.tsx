/** The part of Recordings that starts and stops a record of what happens next: the marker of the list, and an export of it. */
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { commandOf } from '../../renderer/keys/commands.ts';
import type { Console } from '../../renderer/state/console.ts';
import { RecordPart } from '../../renderer/views/recordings/RecordPart.tsx';
import { drawn, wordsOf } from './drawn.tsx';

const SINCE = 'topic:orders changed:>=2026-03-01T10:00:00.000Z';

function consoleWith(filter: string, path = '/recordings') {
  const go = vi.fn<(path: string, params: object) => void>();
  const change = vi.fn<(params: object) => void>();
  const parts = {
    messages: { store: createStore(() => ({ filter })) },
    navigation: { go, change, param: () => filter, store: createStore(() => ({ path, search: '' })) },
  };
  return { go, change, console: parts as unknown as Console };
}

test('says that nothing has to be switched on, and starts from here on', () => {
  const { console, go } = consoleWith('topic:orders');
  const words = wordsOf(drawn(<RecordPart />, console));
  expect(words).toContain('Sidelight keeps every message by itself');
  expect(words).toMatch(/Record from here on$/);
  commandOf('fromHere')?.run(console);
  expect(go).toHaveBeenCalledWith('/messages', {
    f: expect.stringMatching(/^topic:orders changed:>=\d{4}-/) as string,
  });
});

test('says since when it records, exports that, and stops', () => {
  const { console, go } = consoleWith(SINCE);
  const words = wordsOf(drawn(<RecordPart />, console));
  expect(words).toContain('Recording since');
  expect(words).toMatch(/Export what was recorded… Stop recording$/);
  commandOf('everything')?.run(console);
  expect(go).toHaveBeenCalledWith('/messages', { f: 'topic:orders' });
});

test('on the list the marker changes its filter alone', () => {
  const { console, go, change } = consoleWith(SINCE, '/messages');
  commandOf('everything')?.run(console);
  expect(change).toHaveBeenCalledWith({ f: 'topic:orders', off: undefined });
  expect(go).not.toHaveBeenCalled();
});
