/** Order of the banners of all parts: the one that came last stands first, whichever part it is of. */
import { expect, test } from 'vitest';
import { newestFirst } from '../../core/host/newest-first.ts';
import { ManualClock } from '../support/manual-clock.ts';

type Banner = ReturnType<ReturnType<typeof newestFirst>['banners']>[number];

const banner = (id: string): Banner => ({ id, text: `About ${id}.`, level: 'warn' });

test('the banner that came last stands first, though nobody looked when it came', () => {
  const clock = new ManualClock();
  let present = [banner('port'), banner('disk')];
  const { banners, close } = newestFirst(clock, () => present);
  const ids = (): readonly string[] => banners().map(({ id }) => id);
  clock.advance(1000);
  present = [banner('port'), banner('app'), banner('disk')];
  clock.advance(1000);
  present = [banner('port'), banner('refused'), banner('app'), banner('disk')];
  clock.advance(1000);
  expect(ids()).toEqual(['refused', 'app', 'port', 'disk']);
  present = [banner('refused'), banner('app')];
  expect(ids()).toEqual(['refused', 'app']);
  present = [banner('refused'), banner('app'), banner('disk')];
  expect(ids()).toEqual(['disk', 'refused', 'app']);
  close();
});
