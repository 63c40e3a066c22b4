/** Component files that change on disk are told once, with what came of them. */
import { expect, test } from 'vitest';
import type { Result } from '../../core/contract/console.ts';
import { startFileChanges } from '../../renderer/state/file-changes.ts';
import { createNavigation } from '../../renderer/state/navigation.ts';
import { createResource } from '../../renderer/state/resource.ts';
import { createToasts } from '../../renderer/state/toasts.ts';

type Loaded = Result<'components.list'>;
const AT = '2026-03-01T14:32:08.412Z';

function stand() {
  const components = createResource<Loaded>(() => Promise.reject(new Error('not asked')));
  const toasts = createToasts();
  const navigation = createNavigation({
    location: { hash: '#/messages' },
    history: { pushState: () => undefined, replaceState: () => undefined },
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  });
  const stop = startFileChanges({ components: components.store, toasts, navigation });
  return { components, stop, said: () => toasts.store.getState().past.map(({ text }) => text) };
}

function loaded(change: Partial<Loaded>): Loaded {
  return { items: [], nextCursor: null, problems: [], files: [], ...change };
}

const file = (name: string, wrong = 0): Loaded['files'][number] => ({
  file: name,
  documents: [],
  problems: Array.from({ length: wrong }, () => ({ file: name, message: 'bad' })),
});

test('changes before the console opened are not reported; each later one is reported once', () => {
  const { components, said, stop } = stand();
  components.accept(loaded({ changed: { at: AT, files: ['old.yaml'] } }));
  expect(said()).toEqual([]);
  const next = loaded({
    changed: { at: '2026-03-01T14:33:00.000Z', files: ['gone.yaml', 'pubsub.yaml', 'wrong.yaml'] },
    files: [file('pubsub.yaml'), file('wrong.yaml', 2)],
  });
  components.accept(next);
  components.accept({ ...next });
  expect(said()).toEqual([
    'gone.yaml was removed from the folder; its content is no longer loaded. ' +
      'pubsub.yaml changed on disk and was loaded. ' +
      'wrong.yaml changed on disk and was loaded; it has 2 problems.',
  ]);
  stop();
  components.accept(loaded({ changed: { at: '2026-03-01T14:34:00.000Z', files: ['pubsub.yaml'] } }));
  expect(said()).toHaveLength(1);
});
