/** The link: opens, loses, waits longer and longer, opens again. */
import { describe, expect, test } from 'vitest';
import {
  createLink,
  reconnectDelayMs,
  RECONNECT_DELAYS_MS,
  type LinkState,
} from '../../renderer/client/link.ts';
import { FakeHost, settle } from './fake-pipe.ts';

class ManualTimer {
  readonly delays: number[] = [];
  #run: (() => void) | undefined;

  readonly after = (delayMs: number, run: () => void): (() => void) => {
    this.delays.push(delayMs);
    this.#run = run;
    return () => {
      this.#run = undefined;
    };
  };

  fire(): void {
    const run = this.#run;
    this.#run = undefined;
    run?.();
  }
}

describe('delay before an attempt', () => {
  test.each([
    [1, 250],
    [2, 500],
    [3, 1000],
    [4, 2000],
    [5, 5000],
    [6, 5000],
    [99, 5000],
  ])('attempt %i waits %i ms on average', (attempt, delay) => {
    expect(reconnectDelayMs(attempt, 0.5)).toBe(delay);
  });

  test('varies by a fifth to both sides', () => {
    expect(reconnectDelayMs(5, 0)).toBe(4000);
    expect(reconnectDelayMs(5, 0.999_999)).toBe(6000);
  });
});

describe('link', () => {
  test('is open once a pipe is, and carries text both ways', async () => {
    const host = new FakeHost({ 'system.link': () => ({ url: 'u' }) });
    const link = createLink({ open: host.open });
    expect(link.state().status).toBe('connecting');
    await settle();
    expect(link.state().status).toBe('open');
    const heard: string[] = [];
    link.onText((text) => heard.push(text));
    expect(link.send('{"id":1,"method":"system.link"}')).toBe(true);
    await settle();
    expect(heard).toEqual(['{"jsonrpc":"2.0","id":1,"result":{"url":"u"}}']);
    link.close();
  });

  test('refuses texts while it is lost, and waits longer before each attempt', async () => {
    const host = new FakeHost();
    const timer = new ManualTimer();
    const link = createLink({ open: host.open, random: () => 0.5, after: timer.after });
    const states: LinkState[] = [];
    link.onState((state) => states.push(state));
    await settle();
    host.refuses = 'gone';
    host.cut();
    expect(link.send('x')).toBe(false);
    for (let attempt = 0; attempt < 6; attempt += 1) {
      timer.fire();
      await settle();
    }
    expect(timer.delays).toEqual([...RECONNECT_DELAYS_MS, 5000, 5000]);
    expect(states.at(-1)).toEqual({ status: 'lost', attempt: 7, reason: 'gone' });

    host.refuses = undefined;
    timer.fire();
    await settle();
    expect(link.state().status).toBe('open');
    host.cut();
    expect(timer.delays.at(-1)).toBe(250);
    link.close();
  });

  test('tries at once on request, and never again after it was closed', async () => {
    const host = new FakeHost();
    const timer = new ManualTimer();
    const link = createLink({ open: host.open, after: timer.after });
    await settle();
    host.cut('4401');
    expect(link.state()).toMatchObject({ status: 'lost', reason: '4401' });
    link.tryNow();
    await settle();
    expect(link.state().status).toBe('open');
    link.close();
    host.cut();
    timer.fire();
    await settle();
    expect(link.send('x')).toBe(false);
    expect(timer.delays).toHaveLength(1);
  });
});
