/** A channel that is turned: later calls go to the new address, earlier ones end where they began. */
import { expect, test } from 'vitest';
import { createTurnableChannel } from '../../core/adapters/http-app-channel/turnable.ts';
import type { AppChannel, ReceivedAnswer } from '../../core/ports/app-channel.ts';

function named(url: string, closed: string[]): AppChannel {
  const answer: ReceivedAnswer = { kind: 'none', code: 'refused', message: url };
  return {
    url,
    deliver: () => ({ answer: Promise.resolve(answer), cancel: () => undefined }),
    get: () => Promise.resolve(answer),
    probe: () => Promise.resolve(url.endsWith('2')),
    close: async () => void closed.push(url),
  };
}

test('a channel that is turned to another address and back opens each once and closes it at the end', async () => {
  const opened: string[] = [];
  const closed: string[] = [];
  const channel = createTurnableChannel('http://a:1', (url) => {
    opened.push(url);
    return named(url, closed);
  });
  const call = { path: '/x', headers: {}, body: '' };
  const early = channel.deliver(call);
  channel.turnTo('http://b:2/');
  expect(channel.url).toBe('http://b:2');
  expect(await early.answer).toMatchObject({ message: 'http://a:1' });
  expect(await channel.deliver(call).answer).toMatchObject({ message: 'http://b:2' });
  expect(await channel.get('/', {}, 1)).toMatchObject({ message: 'http://b:2' });
  expect(await channel.probe(1)).toBe(true);
  channel.turnTo(undefined);
  channel.turnTo('http://b:2');
  channel.turnTo(undefined);
  expect(channel.url).toBe('http://a:1');
  expect(opened).toEqual(['http://a:1', 'http://b:2']);
  await channel.close();
  expect(closed.toSorted()).toEqual(['http://a:1', 'http://b:2']);
});
