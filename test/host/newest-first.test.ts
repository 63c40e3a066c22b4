/** Order of the banners of all parts: the one that came last stands first, whichever part it is of. */
import { expect, test } from 'vitest';
import { newestFirst } from '../../core/host/newest-first.ts';
import { ManualClock } from '../support/manual-clock.ts';

type Banner = ReturnType<ReturnType<typeof newestFirst>['banners']>[number];

const banner = (id: string): Banner => ({ id, text: `About ${id}.`, level: 'warn' });

const unexpected = (error: unknown): void => {
  throw error;
};

test('the banner that came last stands first, though nobody looked when it came', () => {
  const clock = new ManualClock();
  let present = [banner('port'), banner('disk')];
  const { banners, close } = newestFirst(clock, () => present, unexpected);
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

test('a look that fails is reported once, and the next one follows', () => {
  const clock = new ManualClock();
  let present: readonly Banner[] | undefined = [banner('port')];
  const failures: unknown[] = [];
  const { banners, close } = newestFirst(
    clock,
    () => {
      if (present === undefined) throw new Error('no list');
      return present;
    },
    (error) => failures.push(error),
  );
  clock.advance(1000);
  present = undefined;
  clock.advance(1000);
  clock.advance(1000);
  expect(failures).toEqual([new Error('no list')]);
  present = [banner('port'), banner('app')];
  clock.advance(1000);
  present = [banner('port'), banner('disk'), banner('app')];
  clock.advance(1000);
  expect(banners().map(({ id }) => id)).toEqual(['disk', 'app', 'port']);
  present = undefined;
  clock.advance(1000);
  expect(failures).toHaveLength(2);
  close();
});
