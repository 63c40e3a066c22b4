// Closing a port of a tap while it opens: a port that stays open without an app behind it would cost the app its subscriptions.
import { expect, test } from 'vitest';
import { listenerTo } from './open-listener.ts';

test.each(['shut', 'close'] as const)(
  'a listener stays closed after %s during its opening, and opens again at the same port',
  async (end) => {
    const listener = listenerTo({ host: '127.0.0.1', port: 1 }, 'passes');
    const opening = listener.open();
    await listener[end]();
    await opening;
    expect(listener.isOpen).toBe(false);
    // Opened once more it has the port that it had.
    const { port } = listener;
    await listener.open();
    expect([listener.isOpen, listener.port]).toEqual([true, port]);
    await listener.close();
  },
);
