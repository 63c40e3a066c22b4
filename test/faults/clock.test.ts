/** The time of day jumps while messages are retried: an hour back, an hour forward, a day back. */
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../core/adapters/system-clock.ts';
import { dataOf, Instance } from '../support/broker-instance.ts';
import { newTopic } from '../support/broker-parts.ts';
import { tell } from './app-faults.ts';

const HOUR = 3_600_000;
const MESSAGES = 100;

test.each([
  ['an hour back', -HOUR],
  ['an hour forward', HOUR],
  ['a day back', -24 * HOUR],
])('%s: every message is tried again when it is due, and ends', async (jump, byMs) => {
  let shift = 0;
  const clock = systemClock({ wall: () => Date.now() + shift, monotonic: () => performance.now() });
  const topic = newTopic();
  const seen = new Set<string>();
  const instance = await Instance.start({
    topic,
    clock,
    component: { type: 'pubsub.in-memory', settings: {} },
    prepare: (app) => {
      // The first call of each message is refused; the jump comes in the middle of them.
      app.answerWith = ({ text }) => {
        if (seen.size === MESSAGES / 2) shift = byMs;
        if (seen.has(text)) return 'SUCCESS';
        seen.add(text);
        return 'RETRY';
      };
    },
  });
  onTestFinished(() => instance.stop());
  for (let n = 0; n < MESSAGES; n += 1) await instance.publish({ n });
  await instance.ended(MESSAGES);
  const rows = await instance.rows();
  const times = rows.map(({ at }) => Date.parse(at));
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const delivered = new Set(dataOf(instance.app()).map((data) => JSON.stringify(data)));
  const figures = tell(`clock jumps ${jump}`, {
    tried: MESSAGES,
    survived: true,
    lost: MESSAGES - delivered.size,
    calls: instance.app().calls.length,
  });
  expect(figures).toMatchObject({ lost: 0, calls: 2 * MESSAGES });
});
