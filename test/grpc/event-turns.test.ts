/** How many events are sent to streams in one turn of the event loop. */
import { expect, test } from 'vitest';
import { StepTurns } from '../../core/domain/step-turns.ts';
import { EventTurns } from '../../core/grpc/event-turns.ts';

test.each([
  ['small', 100, 100],
  ['of 100 kB', 100_000, 10],
  ['of 4 MB', 4_000_000, 1],
])('of many events that are %s, so many are sent in a turn', async (_, bytes, most) => {
  const due: (() => void)[] = [];
  const turns = new EventTurns(new StepTurns((run) => due.push(run)));
  const sent: number[] = [];
  for (let event = 0; event < 250; event += 1) turns.send(bytes, () => sent.push(event));
  expect(sent).toHaveLength(most);
  while (sent.length < 250) {
    const before = sent.length;
    for (const run of due.splice(0)) run();
    // What has room goes on by a promise.
    await new Promise(setImmediate);
    expect(sent.length - before).toBeGreaterThan(0);
    expect(sent.length - before).toBeLessThanOrEqual(most + 1);
  }
  expect(sent).toEqual(Array.from({ length: 250 }, (__, event) => event));
});
