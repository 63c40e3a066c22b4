/** Refused publishes in the log: the first of a kind at once, repetitions as a number, long names cut. */
import { expect, test } from 'vitest';
import { RefusedPublishes } from '../../core/host/refused-publishes.ts';
import { ManualClock } from '../support/manual-clock.ts';

function book() {
  const [clock, lines]: [ManualClock, string[]] = [new ManualClock(), []];
  return { clock, lines, refused: new RefusedPublishes(clock, (text) => lines.push(text)) };
}

test('repetitions within ten seconds are one line with their number', () => {
  const { clock, lines, refused } = book();
  const one = { path: '/v1.0/publish/pubsub/t', status: 500, reason: 'no room' };
  refused.report(one);
  refused.report(one);
  refused.report({ path: 'PublishEvent pubsub/t', status: 'NOT_FOUND', reason: 'no such component' });
  clock.advance(10_000);
  expect(lines).toEqual([
    'POST /v1.0/publish/pubsub/t was answered 500: no room',
    'PublishEvent pubsub/t was answered NOT_FOUND: no such component',
    'POST /v1.0/publish/pubsub/t was answered 500: no room (1 more times within 10 s)',
  ]);
  expect(clock.waiting).toBe(0);
});

test('a name of megabytes is cut before it is kept', () => {
  const { clock, lines, refused } = book();
  const name = 'x'.repeat(4_000_000);
  const one = { path: `PublishEvent ${name}/t`, status: 'NOT_FOUND', reason: `pubsub ${name} is not found` };
  refused.report(one);
  refused.report(one);
  clock.advance(10_000);
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(line.length).toBeLessThan(4100);
    expect(line).toContain('… was answered NOT_FOUND: pubsub x');
    expect(line).toMatch(/x…( \(1 more times within 10 s\))?$/);
  }
});

test('a request that did not come to its end was not answered', () => {
  const { lines, refused } = book();
  refused.report({
    path: '/v1.0/publish/pubsub/t',
    status: 400,
    reason: 'the connection ended before its body was complete',
    isCutOff: true,
  });
  refused.close();
  expect(lines).toEqual([
    'POST /v1.0/publish/pubsub/t was not received: the connection ended before its body was complete',
  ]);
});

test('what is refused while the program ends is a line, and nothing waits for its repetitions', () => {
  const { clock, lines, refused } = book();
  refused.close();
  refused.report({ path: '/v1.0/publish/pubsub/t', status: 500, reason: 'no room' });
  expect(lines).toEqual(['POST /v1.0/publish/pubsub/t was answered 500: no room']);
  expect(clock.waiting).toBe(0);
});

test('what to do stands behind the reason', () => {
  const { lines, refused } = book();
  refused.report(
    { path: '/p', status: 404, reason: 'pubsub x is not found' },
    'Name one that is loaded (pubsub).',
  );
  refused.close();
  expect(lines).toEqual([
    'POST /p was answered 404: pubsub x is not found. Name one that is loaded (pubsub).',
  ]);
});
