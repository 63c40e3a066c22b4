/** What a page asks first once it is connected: a change is either in the lists that it reads, or in the stream. */
import { expect, test } from 'vitest';
import { createConsole } from '../../renderer/state/console.ts';
import { FakeHost } from './fake-pipe.ts';

test('the stream is opened before any list is read', async () => {
  const host = new FakeHost({ 'holds.list': () => ({ items: [], nextCursor: null }) });
  const console = createConsole({
    open: host.open,
    bar: {
      location: { hash: '#/holds' },
      history: { pushState: () => undefined, replaceState: () => undefined },
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    },
  });
  try {
    const stop = console.holds.list.watch();
    await expect.poll(() => host.called('holds.list')).not.toHaveLength(0);
    expect(host.calls[0]?.method).toBe('stream.open');
    stop();
  } finally {
    console.dispose();
  }
});
