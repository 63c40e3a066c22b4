/** Filters kept under a name: saved, renamed, ordered, removed, there after a restart. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createMemoryJournal } from '../../core/adapters/memory-journal/journal.ts';
import { bufferCodec } from '../../core/adapters/buffer-codec.ts';
import { SavedViews } from '../../core/console/saved/saved-views.ts';
import type { Journal } from '../../core/ports/journal.ts';
import { Refusal } from '../../core/domain/refusal.ts';
import { ManualClock } from '../support/manual-clock.ts';

let journal: Journal;
let views: SavedViews;
let ids = 0;

function over(kept: Journal): SavedViews {
  const log = { write: (): void => undefined };
  return new SavedViews({ journal: kept, clock: new ManualClock(), log, nextId: () => `v${(ids += 1)}` });
}

beforeEach(() => {
  ids = 0;
  journal = createMemoryJournal({ codec: bufferCodec });
  views = over(journal);
});
afterEach(() => journal.close());

const names = async (of = views): Promise<readonly string[]> =>
  (await of.list()).items.map(({ name }) => name);

test('a saved view keeps its place when it is renamed, and is there after a restart', async () => {
  await views.save({ name: 'Late', filter: 'state:retrying' });
  await views.save({ name: 'Big', filter: 'size:>10kb', groupBy: 'topic' });
  await views.save({ savedViewId: 'v1', name: 'Very late', filter: 'state:parked' });
  const expected = [
    { savedViewId: 'v1', name: 'Very late', filter: 'state:parked' },
    { savedViewId: 'v2', name: 'Big', filter: 'size:>10kb', groupBy: 'topic' },
  ];
  expect((await views.list()).items).toEqual(expected);
  expect((await over(journal).list()).items).toEqual(expected);
});

test('views.order puts the named views first, and the others keep their order', async () => {
  for (const name of ['a', 'b', 'c', 'd']) await views.save({ name, filter: '' });
  await views.order({ savedViewIds: ['v3', 'v1', 'v3'] });
  expect(await names()).toEqual(['c', 'a', 'b', 'd']);
  await views.remove({ savedViewId: 'v1' });
  expect(await names(over(journal))).toEqual(['c', 'b', 'd']);
});

test('a refused call changes nothing', async () => {
  await views.save({ name: 'a', filter: '' });
  for (const act of [
    () => views.save({ name: 'b', filter: 'topik:x' }),
    () => views.save({ savedViewId: 'gone', name: 'b', filter: '' }),
    () => views.remove({ savedViewId: 'gone' }),
    () => views.order({ savedViewIds: ['v1', 'gone'] }),
  ]) {
    await expect(act()).rejects.toBeInstanceOf(Refusal);
  }
  expect(await names()).toEqual(['a']);
});

test('views.save refuses a 51st view', async () => {
  for (let n = 0; n < 50; n += 1) await views.save({ name: `n${n}`, filter: '' });
  await expect(views.save({ name: 'more', filter: '' })).rejects.toMatchObject({
    code: 'TOO_LARGE',
    expected: 'at most 50 views',
  });
});

test('stored views of an older build in another form are left out', async () => {
  const value = [{ savedViewId: 'v1', name: 'a', filter: '' }, { name: 'b' }, 7];
  await journal.append([{ kind: 'kept', key: 'views', value }]);
  expect(await names(over(journal))).toEqual(['a']);
});
