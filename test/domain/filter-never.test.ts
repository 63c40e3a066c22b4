/** Terms that can match nothing at the point of a hold. */
import { expect, test } from 'vitest';
import { neverMatching } from '../../core/domain/filter/never.ts';

test.each([
  ['state:parked topic:orders', ['state:parked']],
  ['topic:orders (attempts:>2 OR status:5xx)', ['attempts>2', 'status:500..599']],
  ['answer:DROP took:>1s route:/a', ['answer:DROP', 'took>1000ms', 'route:/a']],
  ['rule:user.drop lastrule:user.drop cause:user', ['rule:user.drop', 'lastrule:user.drop', 'cause:user']],
  ['error:timeout answeredby:slow', ['error:timeout', 'answeredby:slow']],
  ['state:parked OR state:parked', ['state:parked']],
  // These may match, at publish too.
  ['topic:orders type:a data.n>1 hello size:>1kb', []],
  ['state:none OR state:unseen', []],
  ['attempts:0 attempts:<3 is:raw is:replay is:bulk is:tapped is:unread', []],
  // A message may come from another hold, where it was pinned or replayed.
  ['state:held is:pinned is:replayed', []],
  ['-state:parked NOT attempts:>2 state:!=parked', []],
  ['state:(', []],
])('at publish: %s', (filter, never) => {
  expect(neverMatching(filter, 'publish')).toEqual(never);
});

test('a delivery that is attempted again may have all that comes later', () => {
  const filter = 'state:parked attempts:>2 answer:DROP is:pinned';
  expect(neverMatching(filter, 'delivery')).toEqual([]);
  expect(neverMatching(filter, 'response')).toEqual([]);
});
