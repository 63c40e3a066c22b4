/** Messages that a client names by the number beside them in lists. */
import { describe, expect, test } from 'vitest';
import type { MessageDetail } from '../../core/contract/message.ts';
import { Console } from '../../core/console/console.ts';
import { accepted, published } from '../adapters/journal-records.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { makeBench } from './bench.ts';
import { ask, call } from './recording-calls.ts';

/** A console with messages 2, 3 and 1200. */
async function stand() {
  const bench = makeBench(new ManualClock());
  const console = new Console(bench.deps);
  for (const number of [2, 3, 1200])
    await bench.runtime.journal.append([accepted(number), published(number)]);
  return { console, bench };
}

describe('a number names the message', () => {
  test.each(['3', '#3'])('as %s', async (messageId) => {
    const { console } = await stand();
    const payload = await call(console, 'messages.payload', { messageId });
    expect(payload).toEqual(await call(console, 'messages.payload', { messageId: 'msg_3' }));
  });

  test('with the commas of the list', async () => {
    const { console } = await stand();
    const { number } = await call<MessageDetail>(console, 'messages.get', { messageId: '#1,200' });
    expect(number).toBe(1200);
  });

  test('among ids, and the same message counts once', async () => {
    const { console, bench } = await stand();
    const messageIds = ['#2', 'msg_3', '3'];
    expect((await ask(console, 'recordings.export', { messageIds })).error).toBeUndefined();
    await call(console, 'messages.replayMany', { messageIds, dryRun: true });
    expect(bench.runtime.calls.at(-1)).toMatchObject({ args: [{ messageIds: ['msg_2', 'msg_3'] }] });
  });
});

describe('what is refused says what to give', () => {
  test.each([
    [
      'messages.get',
      { messageId: '#29' },
      'messageId',
      'There is no message with the number 29. The messages that are kept have numbers from 2 to 1200.',
    ],
    [
      'messages.delete',
      { messageIds: ['2', '29'] },
      'messageIds',
      'There is no message with the number 29. The messages that are kept have numbers from 2 to 1200.',
    ],
    [
      'messages.payload',
      { messageId: '2, 3' },
      'messageId',
      'There is no message 2, 3. Name one message: its id, or its number such as #29.',
    ],
    [
      'messages.payload',
      { messageId: '2-3' },
      'messageId',
      'There is no message 2-3. Name one message: its id, or its number such as #29.',
    ],
    ['messages.payload', { messageId: 'msg_9' }, 'messageId', 'There is no message msg_9.'],
  ])('%s with %j', async (method, params, field, message) => {
    const { console } = await stand();
    const { error } = await ask(console, method, params);
    expect(error).toMatchObject({ message, data: { code: 'NOT_FOUND', field } });
  });

  test('where nothing is kept', async () => {
    const console = new Console(makeBench(new ManualClock()).deps);
    const { error } = await ask(console, 'messages.get', { messageId: '1' });
    expect(error?.message).toBe('There is no message with the number 1. No message is kept now.');
  });
});
