/** Order of the banners of all parts: the worst first, and of one level the one that came last, whichever part it is of. */
import { expect, test } from 'vitest';
import { worstFirst } from '../../core/host/worst-first.ts';
import { ManualClock } from '../support/manual-clock.ts';

type Banner = ReturnType<ReturnType<typeof worstFirst>['banners']>[number];

const banner = (id: string, level: Banner['level'] = 'warn'): Banner => ({ id, text: `About ${id}.`, level });

/** No look fails. */
function unexpected(error: unknown): never {
  throw error;
}

test('of one level the banner that came last stands first, though nobody looked when it came', () => {
  const clock = new ManualClock();
  let present = [banner('port'), banner('disk')];
  const { banners, close } = worstFirst(clock, () => present, unexpected);
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

test('an old error stands before newer warnings, and these before newer notes', () => {
  const clock = new ManualClock();
  let present = [banner('disk', 'error')];
  const { banners, close } = worstFirst(clock, () => present, unexpected);
  const ids = (): readonly string[] => banners().map(({ id }) => id);
  clock.advance(1000);
  present = [banner('route'), ...present];
  clock.advance(1000);
  present = [banner('port', 'info'), banner('topic'), ...present];
  expect(ids()).toEqual(['disk', 'topic', 'route', 'port']);
  present = [...present, banner('component', 'error')];
  expect(ids()).toEqual(['component', 'disk', 'topic', 'route', 'port']);
  close();
});

test('a look that fails is reported once, and the next one follows', () => {
  const clock = new ManualClock();
  let present: readonly Banner[] | undefined = [banner('port')];
  const failures: unknown[] = [];
  const { banners, close } = worstFirst(
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
