/** A filter without a match whose topic is there in another case. */
import { expect, test } from 'vitest';
import { withKnownTopics } from '../../renderer/format/topic-case.ts';

const TOPICS = ['orders', 'Refunds', 'two words'];

test.each([
  ['topic:Orders', 'topic:orders'],
  ['state:failed topic:refunds', 'state:failed topic:Refunds'],
  ['topic:"Two Words"', 'topic:"two words"'],
  ['topic:orders', undefined],
  ['topic:other', undefined],
  ['data.topic:Orders', undefined],
])('%s becomes %s', (filter, meant) => {
  expect(withKnownTopics(filter, TOPICS)).toBe(meant);
});
