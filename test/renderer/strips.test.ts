/** Order of the host's banners: the worst stand first, and only some are shown at once. */
import { expect, test } from 'vitest';
import { inOrderOfLevel } from '../../renderer/frame/Strips.tsx';

test('errors stand before warnings and information, those of one level in the order in which they came', () => {
  const banners = [
    { id: 'port', level: 'info' },
    { id: 'shop', level: 'warn' },
    { id: 'disk', level: 'error' },
    { id: 'mail', level: 'warn' },
  ] as const;
  expect(inOrderOfLevel(banners).map(({ id }) => id)).toEqual(['disk', 'shop', 'mail', 'port']);
});
