/** The list store over views of the host. */
import { describe, expect, test } from 'vitest';
import { RowWindow, withDelivery } from '../../renderer/state/row-window.ts';
import { everythingOf, selectedCount } from '../../renderer/state/selection.ts';
import { Refused, settle } from './fake-pipe.ts';
import { rowsFrom, stand, type ListHost } from './list-host.ts';
import { deliveryIn, rowNamed, transitionBy } from './samples.ts';

test('rows that changed without a report are requested again', async () => {
  const { list, frames, messages } = await stand(250);
  messages.ensure(150, 250);
  await settle();
  list.rows = list.rows.map((row, place) => ({ ...row, sizeBytes: place }));
  const [fresh] = list.rows.slice(249);
  if (fresh === undefined) throw new Error('no last row');
  list.host.push('view.changed', {
    viewId: list.viewId,
    total: 250,
    appended: 0,
    rows: [{ index: 249, row: fresh }],
    omitted: { from: 160, count: 90 },
  });
  await settle();
  frames.draw();
  expect(messages.rows.rowAt(160)).toBeUndefined();
  expect(messages.rows.rowAt(249)?.sizeBytes).toBe(249);
  await settle();
  expect(messages.rows.rowAt(160)?.sizeBytes).toBe(160);
});

/** The host answers the next question for rows as if it had never known the view. */
function forgetOnce({ host }: ListHost): void {
  const rows = host.answers['view.rows'];
  let isForgotten = true;
  host.answers['view.rows'] = (params) => {
    if (!isForgotten) return rows?.(params) ?? { rows: [], total: 0 };
    isForgotten = false;
    throw new Refused('NOT_FOUND', 'no such view');
  };
}

describe('opening', () => {
  test('shows the newest rows of the view', async () => {
    const { messages } = await stand(250);
    expect(messages.store.getState()).toMatchObject({ status: 'ready', total: 250, filter: '' });
    expect(messages.rows.rowAt(249)?.messageId).toBe('m250');
    expect(messages.rows.rowAt(0)).toBeUndefined();
  });

  test('a filter that is refused leaves the rows and says why', async () => {
    const { messages } = await stand(5);
    await messages.open('bad:');
    expect(messages.store.getState()).toMatchObject({ status: 'ready', filter: '', total: 5 });
    expect(messages.store.getState().failure?.code).toBe('FILTER_SYNTAX');
    expect(messages.rows.rowAt(0)?.messageId).toBe('m1');
  });

  test('an unfinished search does not show that there are no matches', async () => {
    const { list, messages } = await stand(0);
    const progress = { done: 4000, of: 10_000 };
    list.host.answers['view.open'] = () => ({ viewId: 'v9', total: 0, sequence: 0, progress });
    await messages.open('"needle"');
    expect(messages.store.getState()).toMatchObject({ status: 'ready', total: 0, progress });
  });

  test('closes the view it leaves', async () => {
    const { list, messages } = await stand(5);
    await messages.open('state:held');
    await settle();
    expect(list.host.called('view.close').map(({ params }) => params)).toEqual([{ viewId: 'v1' }]);
  });

  test('shows any other error as the state of the list', async () => {
    const { list, messages } = await stand(5);
    list.host.answers['view.open'] = () => {
      throw new Refused('INTERNAL', 'broken');
    };
    await messages.open('x');
    expect(messages.store.getState()).toMatchObject({ status: 'failed' });
  });
});

describe('the rows of another view', () => {
  test('replace the old rows at once, so that no visible line is empty', async () => {
    const { messages } = await stand(250);
    const shown: unknown[] = [];
    messages.store.subscribe(({ version, total }, before) => {
      if (version > before.version) shown.push(messages.rows.idAt(total - 1));
    });
    await messages.open('state:held');
    await settle();
    expect(shown.length).toBeGreaterThan(0);
    expect(new Set(shown)).toEqual(new Set(['m250']));
  });

  test('begin around the row that keeps its place, unless the newest are followed', async () => {
    const { list, messages } = await stand(1000);
    list.host.answers['view.find'] = () => ({ index: 299, messageId: 'm300' });
    messages.setEye('m300');
    await messages.open('state:held');
    expect(messages.rows.idAt(999)).toBe('m1000');
    messages.setFollow(false);
    await messages.open('');
    expect(messages.rows.indexOf('m300')).toBe(299);
    expect(messages.rows.idAt(290)).toBe('m291');
  });

  test('begin around that row also if older ones leave between finding and reading it', async () => {
    const { list, messages } = await stand(2000);
    messages.setEye('m1300');
    messages.setFollow(false);
    let finds = 0;
    list.host.answers['view.find'] = () => {
      finds += 1;
      const index = list.rows.findIndex(({ messageId }) => messageId === 'm1300');
      if (finds === 1) list.pruneQuietly(800);
      return { index, messageId: 'm1300' };
    };
    await messages.open('');
    expect(finds).toBe(2);
    expect(messages.rows.indexOf('m1300')).toBe(499);
    expect(messages.store.getState().total).toBe(1200);
  });

  test('appear after late reports about the view before them', async () => {
    const { list, frames, messages } = await stand(5);
    list.append(2);
    list.host.holds = true;
    const opened = messages.open('state:held');
    frames.draw();
    expect(messages.store.getState()).toMatchObject({ total: 7, filter: '' });
    expect(messages.rows.idAt(6)).toBe('m7');
    list.host.let();
    await opened;
    expect(messages.store.getState()).toMatchObject({ total: 7, filter: 'state:held' });
  });

  test('have the changes that were reported before they arrived, once', async () => {
    const { list, frames, messages } = await stand(300);
    const rows = list.host.answers['view.rows'];
    let isFirst = true;
    list.host.answers['view.rows'] = (params) => {
      if (isFirst) {
        list.append(1);
        list.prune(40);
      }
      isFirst = false;
      return rows?.(params) ?? { rows: [], total: 0 };
    };
    await messages.open('');
    frames.draw();
    expect(messages.store.getState().total).toBe(261);
    expect(messages.rows.idAt(260)).toBe('m301');
    expect(messages.rows.indexOf('m300')).toBe(259);
  });
});

describe('a search that is under way', () => {
  test('moves the rows that are shown when it finds older ones, without asking for them again', async () => {
    const { list, frames, messages } = await stand(250);
    const found = list.rows.slice(200);
    list.host.answers['view.open'] = () => ({
      viewId: 'v2',
      total: found.length,
      sequence: 0,
      progress: { done: 50, of: 250 },
    });
    const all = list.rows;
    list.rows = found;
    await messages.open('"needle"');
    expect(messages.rows.idAt(49)).toBe('m250');
    const asked = list.host.called('view.rows').length;
    list.rows = all.slice(80);
    const change = { viewId: 'v2', total: 170, appended: 0, rows: [], moved: true as const };
    list.host.push('view.changed', { ...change, progress: { done: 170, of: 250 } });
    frames.draw();
    expect(messages.rows.idAt(169)).toBe('m250');
    expect(messages.rows.idAt(120)).toBe('m201');
    expect(list.host.called('view.rows')).toHaveLength(asked);
    list.host.push('view.changed', change);
    frames.draw();
    await settle();
    expect(list.host.called('view.rows').length).toBeGreaterThan(asked);
    expect(messages.rows.idAt(169)).toBe('m250');
  });

  test('begins with its newest rows, even if it found more meanwhile', async () => {
    const { list, messages } = await stand(250);
    const view = { viewId: 'v2', sequence: 0, total: 50, progress: { done: 50, of: 250 } };
    list.host.answers['view.open'] = () => view;
    await messages.open('"needle"');
    expect(messages.store.getState().total).toBe(250);
    expect(messages.rows.idAt(249)).toBe('m250');
    expect(messages.rows.idAt(200)).toBe('m201');
  });

  test('begins with its newest rows, even if it finds more with each read', async () => {
    const { list, messages } = await stand(250);
    const all = list.rows;
    const view = { viewId: 'v2', sequence: 0, total: 50, progress: { done: 50, of: 250 } };
    const rows = list.host.answers['view.rows'];
    let found = 50;
    list.host.answers['view.open'] = () => view;
    list.host.answers['view.rows'] = (params) => {
      found = Math.min(250, found + 40);
      list.rows = all.slice(250 - found);
      return rows?.(params) ?? { rows: [], total: 0 };
    };
    await messages.open('"needle"');
    expect(messages.store.getState().total).toBe(250);
    expect(messages.rows.idAt(249)).toBe('m250');
  });

  test('is over if its end was reported before its rows arrived', async () => {
    const { list, frames, messages } = await stand(250);
    const view = { viewId: 'v2', sequence: 0, total: 50, progress: { done: 50, of: 250 } };
    const rows = list.host.answers['view.rows'];
    list.host.answers['view.open'] = () => view;
    list.host.answers['view.rows'] = (params) => {
      if (params.viewId === 'v2')
        list.host.push('view.changed', { viewId: 'v2', total: 250, appended: 0, rows: [], moved: true });
      return rows?.(params) ?? { rows: [], total: 0 };
    };
    await messages.open('"needle"');
    frames.draw();
    expect(messages.store.getState()).toMatchObject({ total: 250, progress: undefined });
    expect(messages.rows.idAt(249)).toBe('m250');
  });

  test('goes on while a delivery of one of its rows changes', async () => {
    const { list, frames, messages } = await stand(250);
    const progress = { done: 50, of: 250 };
    list.host.answers['view.open'] = () => ({ viewId: 'v2', sequence: 0, total: 250, progress });
    await messages.open('"needle"');
    messages.onEvents([
      {
        type: 'delivery.changed',
        sequence: 1,
        messageId: 'm250',
        deliveryId: 'd1',
        transition: transitionBy('policy.exhausted', 'parked'),
        attempts: 1,
        delivery: deliveryIn('parked'),
      },
    ]);
    frames.draw();
    expect(messages.store.getState().progress).toEqual(progress);
    list.host.push('view.changed', { viewId: 'v2', total: 250, appended: 0, rows: [] });
    frames.draw();
    expect(messages.store.getState().progress).toBeUndefined();
  });

  test('shows its rows on the right lines when it finds more before they are read', async () => {
    const { list, frames, messages } = await stand(250);
    const all = list.rows;
    list.rows = all.slice(50);
    const view = { viewId: 'v2', sequence: 0, total: 200, progress: { done: 200, of: 250 } };
    list.host.answers['view.open'] = () => view;
    await messages.open('"needle"');
    const rows = list.host.answers['view.rows'];
    list.host.answers['view.rows'] = (params) => {
      if (list.rows.length === 200) {
        list.rows = all;
        const progress = { done: 240, of: 250 };
        list.host.push('view.changed', {
          viewId: 'v2',
          total: 250,
          appended: 0,
          rows: [],
          moved: true,
          progress,
        });
      }
      return rows?.(params) ?? { rows: [], total: 0 };
    };
    messages.ensure(0, 100);
    await settle();
    frames.draw();
    await settle();
    expect(messages.store.getState().total).toBe(250);
    expect([0, 50, 149, 249].map((line) => messages.rows.idAt(line))).toEqual(['m1', 'm51', 'm150', 'm250']);
  });
});

describe('the line at a place', () => {
  test('is read if it is not loaded, whatever else is requested meanwhile', async () => {
    const { messages } = await stand(250);
    const asked = messages.idAt(0);
    messages.ensure(200, 250);
    expect(messages.rows.idAt(0)).toBeUndefined();
    expect(await asked).toBe('m1');
    expect(messages.rows.rowAt(49)?.messageId).toBe('m50');
    expect(await messages.idAt(249)).toBe('m250');
    expect(await messages.idAt(900)).toBeUndefined();
  });

  test('a line of a view that was replaced meanwhile is absent', async () => {
    const { list, messages } = await stand(250);
    const rows = list.host.answers['view.rows'];
    let asked: Promise<string | undefined> = Promise.resolve('m1');
    list.host.answers['view.rows'] = (params) => {
      if (params.viewId === 'v2') asked = messages.idAt(0);
      return rows?.(params) ?? { rows: [], total: 0 };
    };
    await messages.open('state:held');
    expect(await asked).toBeUndefined();
  });
});

describe('changes', () => {
  test('are applied together, once per frame', async () => {
    const { list, frames, messages } = await stand(5);
    const before = messages.store.getState().version;
    list.append(2);
    list.append(3);
    expect(messages.store.getState().total).toBe(5);
    expect(frames.waiting).toBe(1);
    frames.draw();
    expect(messages.store.getState()).toMatchObject({ total: 10, version: before + 1 });
    expect(messages.rows.rowAt(9)?.messageId).toBe('m10');
  });

  test('a changed delivery changes its row, and only that one', async () => {
    const { frames, messages } = await stand(3);
    const other = messages.rows.rowOf('m1');
    const delivery = deliveryIn('parked', { deliveryId: 'd1' });
    messages.onEvents([
      {
        type: 'delivery.changed',
        sequence: 9,
        messageId: 'm2',
        deliveryId: 'd1',
        transition: transitionBy('policy.exhausted', 'parked'),
        attempts: 1,
        delivery,
      },
    ]);
    frames.draw();
    expect(messages.rows.rowOf('m2')?.deliveries).toEqual([delivery]);
    expect(messages.rows.rowOf('m1')).toBe(other);
  });

  test('rows that leave at the old end move all others down, and the window is read again', async () => {
    const { list, frames, messages } = await stand(300);
    messages.ensure(200, 260);
    await settle();
    list.prune(50);
    frames.draw();
    expect(messages.rows.indexOf('m251')).toBe(200);
    expect(messages.store.getState().total).toBe(250);
    await settle();
    expect(messages.rows.rowAt(200)?.messageId).toBe('m251');
    expect(messages.rows.missing(200, 250)).toBeUndefined();
  });

  test('rows of a filtered list move by as many lines as the host says, before they are read again', async () => {
    const { list, frames, messages } = await stand(300);
    await messages.open('topic:orders');
    messages.ensure(200, 260);
    await settle();
    list.rows.splice(0, 50);
    const news = { viewId: list.viewId, total: 250, appended: 0, rows: [], moved: true as const };
    list.host.push('view.changed', { ...news, shift: -50 });
    frames.draw();
    expect(messages.rows.indexOf('m251')).toBe(200);
    expect(messages.store.getState().total).toBe(250);
  });

  test('rows that are read after a removal stand on their own lines, also if the removal waits for a frame', async () => {
    const { list, frames, messages } = await stand(1000);
    messages.setFollow(false);
    messages.ensure(400, 460);
    list.pruneQuietly(30);
    await settle();
    const lines = (): (string | undefined)[] => [400, 459].map((line) => messages.rows.idAt(line));
    expect(lines()).toEqual(['m431', 'm490']);
    frames.draw();
    expect(lines()).toEqual(['m431', 'm490']);
    expect(messages.store.getState().total).toBe(970);
  });

  test.each([
    ['at the old end', 0, 400],
    ['further down, where all rows in sight leave', 300, 700],
  ])(
    'a removal that would empty the rows in sight waits for the rows that replace them: %s',
    async (_, from, removed) => {
      const { list, frames, messages } = await stand(1000 + removed);
      messages.setFollow(false);
      const see = (line: number): void =>
        messages.ensure(Math.max(0, line - 100), line + 130, { from: line, to: line + 30 });
      see(from);
      await settle();
      const shown = (): (string | undefined)[] => [from, from + 29].map((line) => messages.rows.idAt(line));
      const seen: unknown[] = [];
      // Seen after the task that changed it, as the page draws it.
      messages.store.subscribe(() => queueMicrotask(() => seen.push(shown())));
      list.prune(removed);
      list.host.holds = true;
      frames.draw();
      // Meanwhile a person scrolls, and more rows go.
      see(from + 10);
      list.pruneQuietly(5);
      await settle();
      expect(shown()).toEqual([`m${from + 1}`, `m${from + 30}`]);
      expect(messages.store.getState().total).toBe(1000 + removed);
      list.host.let();
      await settle();
      frames.draw();
      await settle();
      expect(shown()).toEqual([`m${from + removed + 6}`, `m${from + removed + 35}`]);
      expect(messages.store.getState().total).toBe(995);
      expect(seen.filter((lines) => JSON.stringify(lines).includes('null'))).toEqual([]);
    },
  );

  test.each([
    ['removes rows that are not in sight', { from: 500, to: 530 }, 400],
    ['removes rows in sight whose followers are loaded', { from: 0, to: 30 }, 40],
  ])('a change that %s applies at once', async (_, sight, removed) => {
    const { list, frames, messages } = await stand(1000);
    messages.setFollow(false);
    messages.ensure(Math.max(0, sight.from - 100), sight.to + 100, sight);
    await settle();
    list.prune(removed);
    list.host.holds = true;
    frames.draw();
    expect(messages.store.getState().total).toBe(1000 - removed);
    expect(messages.rows.idAt(Math.max(0, sight.from - removed))).toBe(
      `m${Math.max(removed, sight.from) + 1}`,
    );
  });

  test('changes of another view are ignored', async () => {
    const { list, frames, messages } = await stand(5);
    list.host.push('view.changed', { viewId: 'v99', total: 77, appended: 72, rows: [] });
    frames.draw();
    expect(messages.store.getState().total).toBe(5);
  });
});

describe('pause and follow', () => {
  test('a paused view stands still and counts new rows, and reads them when it resumes', async () => {
    const { list, frames, messages } = await stand(5);
    messages.setPaused(true);
    list.append(4);
    frames.draw();
    expect(messages.store.getState()).toMatchObject({ total: 5, newer: 4, paused: true });
    messages.setPaused(false);
    await settle();
    expect(messages.store.getState()).toMatchObject({ total: 9, newer: 0, paused: false });
    expect(list.views).toBe(2);
    // The view of before would be computed and sent on for nothing.
    expect(list.host.called('view.close').map(({ params }) => params)).toEqual([{ viewId: 'v1' }]);
  });

  test('a sorted view keeps its order and shows how its messages are now; a paused one stands still', async () => {
    const parked = deliveryIn('parked', { deliveryId: 'd1' });
    const event = {
      type: 'delivery.changed' as const,
      sequence: 9,
      messageId: 'm2',
      deliveryId: 'd1',
      transition: transitionBy('policy.exhausted', 'parked'),
      attempts: 1,
      delivery: parked,
    };
    const { frames, messages } = await stand(3);
    await messages.setSort({ by: 'topic', isDown: true });
    await settle();
    messages.onEvents([event]);
    frames.draw();
    expect(messages.rows.rowOf('m2')?.deliveries).toEqual([parked]);
    expect(messages.store.getState()).toMatchObject({ total: 3, paused: true });
    await messages.setSort(undefined);
    await settle();
    messages.setPaused(true);
    messages.onEvents([{ ...event, delivery: { ...parked, state: 'dropped' } }]);
    frames.draw();
    expect(messages.rows.rowOf('m2')?.deliveries).not.toMatchObject([{ state: 'dropped' }]);
  });

  test('messages that come while a sort is being opened count as newer, as those that come after it', async () => {
    const { list, frames, messages } = await stand(3);
    list.beforeRows = () => {
      // A snapshot has the same number of rows, and none of them is new.
      for (const appended of [1, 2])
        list.host.push('view.changed', { viewId: list.viewId, total: 3, appended, rows: [] });
    };
    await messages.setSort({ by: 'topic', isDown: true });
    await settle();
    expect(messages.store.getState()).toMatchObject({ total: 3, newer: 3 });
    list.host.push('view.changed', { viewId: list.viewId, total: 3, appended: 1, rows: [] });
    await settle();
    frames.draw();
    expect(messages.store.getState()).toMatchObject({ total: 3, newer: 4 });
  });

  test('a list that followed the newest rows before it was sorted follows them again when it is live', async () => {
    const { messages } = await stand(5);
    const sort = { by: 'topic', isDown: true };
    await messages.setSort(sort);
    await messages.setSort({ ...sort, isDown: false });
    expect(messages.store.getState()).toMatchObject({ follow: false, paused: true });
    messages.setPaused(false);
    await settle();
    expect(messages.store.getState()).toMatchObject({ sort: undefined, follow: true, paused: false });
    messages.setFollow(false);
    await messages.setSort(sort);
    await messages.setSort(undefined);
    expect(messages.store.getState()).toMatchObject({ sort: undefined, follow: false, paused: false });
  });

  test('a sort while another filter opens sorts the list of that filter', async () => {
    const { list, messages } = await stand(3);
    const opening = messages.open('topic:a');
    expect([messages.store.getState().filter, messages.asked.filter]).toEqual(['', 'topic:a']);
    await messages.setSort({ by: 'topic', isDown: true });
    await opening;
    const [last] = list.host.calls.filter(({ method }) => method === 'view.open').slice(-1);
    expect(last?.params).toMatchObject({ filter: 'topic:a', sortBy: 'topic' });
    expect(messages.store.getState()).toMatchObject({
      filter: 'topic:a',
      sort: { by: 'topic', isDown: true },
    });
  });

  test('while not following, newer rows are counted; following again forgets them', async () => {
    const { list, frames, messages } = await stand(5);
    messages.setFollow(false);
    list.append(2);
    frames.draw();
    expect(messages.store.getState()).toMatchObject({ newer: 2, total: 7 });
    messages.setFollow(true);
    expect(messages.store.getState().newer).toBe(0);
  });

  test('what came before the newest row was last in sight is not counted as missed', async () => {
    const { list, frames, messages } = await stand(5);
    messages.setFollow(false);
    list.append(2);
    frames.draw();
    messages.newestInSight();
    expect(messages.store.getState()).toMatchObject({ newer: 2, seen: 2 });
    list.append(3);
    frames.draw();
    expect(messages.store.getState()).toMatchObject({ newer: 5, seen: 2 });
    messages.setFollow(true);
    expect(messages.store.getState()).toMatchObject({ newer: 0, seen: 0 });
  });
});

describe('selection and reading', () => {
  test('rows can be toggled, and a range, all or none of them selected', async () => {
    const { messages } = await stand(6);
    messages.select({ kind: 'toggle', messageId: 'm2' });
    messages.select({ kind: 'toggle', messageId: 'm3' });
    messages.select({ kind: 'toggle', messageId: 'm2' });
    expect([...messages.store.getState().selected]).toEqual(['m3']);
    messages.select({ kind: 'range', from: 'm5', to: 'm2' });
    expect([...messages.store.getState().selected].toSorted()).toEqual(['m2', 'm3', 'm4', 'm5']);
    messages.select({ kind: 'all' });
    expect(messages.store.getState()).toMatchObject({ allSelected: true });
    messages.select({ kind: 'none' });
    expect(messages.store.getState().selected.size).toBe(0);
  });

  test('with all rows selected, later ones are not, and the number stays', async () => {
    const { list, frames, messages } = await stand(3);
    messages.select({ kind: 'all' });
    const row = rowNamed('m4', { number: 4 });
    list.rows = [...list.rows, row];
    list.host.push('view.changed', {
      viewId: list.viewId,
      total: 4,
      appended: 1,
      rows: [{ index: 3, row }],
    });
    await settle();
    frames.draw();
    expect([...messages.store.getState().selected].toSorted()).toEqual(['m1', 'm2', 'm3']);
    expect(messages.store.getState()).toMatchObject({ allSelected: true, later: 1, total: 4 });
    expect(selectedCount(messages.store.getState())).toBe(3);
    messages.select({ kind: 'toggle', messageId: 'm1' });
    await settle();
    frames.draw();
    expect([...messages.store.getState().selected].toSorted()).toEqual(['m2', 'm3']);
    messages.select({ kind: 'all' });
    expect(selectedCount(messages.store.getState())).toBe(4);
  });

  test('everything that is selected goes to the host as the filter and the number of its last message', async () => {
    const { list, frames, messages } = await stand(1000);
    messages.select({ kind: 'all' });
    list.append(2);
    await settle();
    frames.draw();
    const state = messages.store.getState();
    expect(everythingOf(state)).toEqual({ filter: '', upTo: 1000 });
    expect({ n: selectedCount(state), later: state.later }).toEqual({ n: 1000, later: 2 });
  });

  test('messages that come after a sort are not selected with all rows of the sorted list', async () => {
    const { list, frames, messages } = await stand(5);
    await messages.setSort({ by: 'topic', isDown: true });
    list.rows.push(...rowsFrom(6, 3));
    list.host.push('view.changed', { viewId: list.viewId, total: 5, appended: 3, rows: [] });
    await settle();
    frames.draw();
    messages.select({ kind: 'all' });
    const state = messages.store.getState();
    expect(state.newer).toBe(3);
    expect([...state.selected].toSorted()).toEqual(['m1', 'm2', 'm3', 'm4', 'm5']);
    expect(selectedCount(state)).toBe(5);
  });

  test('all rows of a long sorted list end at the last message of its snapshot', async () => {
    const { list, messages } = await stand(1000);
    await messages.setSort({ by: 'topic', isDown: true });
    list.rows.push(...rowsFrom(1001, 3));
    messages.select({ kind: 'all' });
    const state = messages.store.getState();
    expect(everythingOf(state)).toEqual({ filter: '', upTo: 1000 });
    expect(selectedCount(state)).toBe(1000);
  });

  test('a message that begins to match later does not join a few that are selected', async () => {
    const { list, frames, messages } = await stand(3);
    await messages.open('state:parked');
    messages.select({ kind: 'all' });
    list.rows = rowsFrom(0, 5);
    list.host.push('view.changed', { viewId: list.viewId, total: 5, appended: 1, rows: [], moved: true });
    await settle();
    frames.draw();
    await settle();
    frames.draw();
    const state = messages.store.getState();
    expect([...state.selected].toSorted()).toEqual(['m1', 'm2', 'm3']);
    expect(selectedCount(state)).toBe(3);
  });

  /** A filtered list of which all rows are loaded, with the oldest ones in sight. */
  async function scrolledThrough(n: number) {
    const all = await stand(n);
    await all.messages.open('state:parked');
    all.messages.setFollow(false);
    all.messages.ensure(0, n);
    await settle();
    all.messages.ensure(0, 10);
    await settle();
    return all;
  }

  /** Messages leave the filter. As the real host does, it reports no rows that the client has to read again. */
  async function leave({ list, frames }: Awaited<ReturnType<typeof stand>>, from: number, count: number) {
    list.rows.splice(from, count);
    list.tell();
    await settle();
    frames.draw();
  }

  test('a message that left the filter far from the rows in sight is not selected by its id', async () => {
    const all = await scrolledThrough(400);
    await leave(all, 200, 1);
    await settle();
    all.messages.select({ kind: 'all' });
    await settle();
    const { upTo } = all.messages.store.getState();
    expect(upTo).toEqual({ number: 400, count: 399, isFixed: false });
  });

  test('those of a few selected messages that stay in the filter stay selected', async () => {
    const all = await scrolledThrough(20);
    all.messages.select({ kind: 'all' });
    await leave(all, 0, 10);
    await settle();
    all.frames.draw();
    const state = all.messages.store.getState();
    expect([...state.selected]).toEqual(rowsFrom(11, 10).map(({ messageId }) => messageId));
    expect(selectedCount(state)).toBe(10);
  });

  test('a selection waits for the search that begins again after the connection was lost', async () => {
    const { list, frames, messages } = await stand(20);
    await messages.open('state:parked');
    messages.select({ kind: 'all' });
    const found = list.rows;
    list.rows = found.slice(-1);
    list.progress = { done: 0, of: 20 };
    messages.reopen();
    await settle();
    frames.draw();
    expect(selectedCount(messages.store.getState())).toBe(20);
    list.progress = undefined;
    list.rows = found.slice(5);
    list.tell();
    await settle();
    frames.draw();
    await settle();
    expect(selectedCount(messages.store.getState())).toBe(15);
  });

  test('a selection of everything counts by number where more begins to match at its end', async () => {
    const { list, frames, messages } = await stand(600);
    await messages.open('state:parked');
    messages.select({ kind: 'all' });
    // The message 602 came and matches, and then 601 does, which is older.
    for (const added of [602, 601]) {
      list.rows = [...list.rows, ...rowsFrom(added, 1)].toSorted((a, b) => a.number - b.number);
      const total = list.rows.length;
      const appended = added === 602 ? 1 : 0;
      list.host.push('view.changed', { viewId: list.viewId, total, appended, rows: [], moved: true });
      await settle();
      frames.draw();
      messages.ensure(500, total);
      await settle();
    }
    frames.draw();
    const state = messages.store.getState();
    expect({ n: selectedCount(state), later: state.later }).toEqual({ n: 600, later: 2 });
  });

  test.each([3, 600])('a selection of everything ends when nothing of its %i is left', async (n) => {
    const { list, frames, messages } = await stand(n);
    messages.select({ kind: 'all' });
    list.append(2);
    list.prune(n);
    await settle();
    frames.draw();
    await settle();
    frames.draw();
    const state = messages.store.getState();
    expect({ all: state.allSelected, n: selectedCount(state) }).toEqual({ all: false, n: 0 });
  });

  test.each([
    ['none', { kind: 'none' }, []],
    ['one row', { kind: 'only', messageId: 'm2' }, ['m2']],
  ] as const)(
    'an answer about everything comes too late after %s was selected',
    async (_what, change, ids) => {
      const { messages } = await stand(1000);
      await messages.open('', 'topic');
      messages.select({ kind: 'all' });
      expect(messages.store.getState().isSelecting).toBe(true);
      messages.select(change);
      await settle();
      const { allSelected, selected, isSelecting } = messages.store.getState();
      expect({ allSelected, isSelecting, selected: [...selected] }).toEqual({
        allSelected: false,
        isSelecting: false,
        selected: ids,
      });
    },
  );

  test('with all rows selected whose newest is not loaded, it is read', async () => {
    const { list, frames, messages } = await stand(1000);
    messages.setFollow(false);
    messages.ensure(0, 10);
    await settle();
    frames.draw();
    messages.select({ kind: 'all' });
    await settle();
    expect(messages.store.getState()).toMatchObject({ allSelected: true, upTo: { number: 1000 } });
    list.append(3);
    frames.draw();
    expect(selectedCount(messages.store.getState())).toBe(1000);
  });

  test('a row is unread as long as the host has it so', async () => {
    const { list, messages } = await stand(3);
    const [first, second] = [messages.rows.rowOf('m1'), messages.rows.rowOf('m2')];
    if (first === undefined || second === undefined) throw new Error('rows are missing');
    expect(messages.isUnread(first)).toBe(false);
    const unread = { ...first, unread: true };
    expect(messages.isUnread(unread)).toBe(true);
    await messages.markRead(unread);
    await messages.markRead(unread, false);
    expect(list.host.called('messages.update').map(({ params }) => params)).toEqual([
      { messageId: 'm1', read: true },
      { messageId: 'm1', read: false },
    ]);
    await messages.markAllRead();
    expect(list.host.called('messages.markRead')).toHaveLength(1);
    // The rows change with the marks of the host, which are counted beside Messages: it marks so many at once and no more.
    expect(messages.isUnread({ ...second, unread: true })).toBe(true);
  });
});

describe('connection', () => {
  test('a new connection has new views', async () => {
    const { list, messages } = await stand(5);
    list.rows.push(...rowsFrom(6, 1));
    messages.reopen();
    await settle();
    expect(list.views).toBe(2);
    expect(messages.store.getState().total).toBe(6);
  });

  test('a new connection leaves the list sorted, paused and ticked as it was', async () => {
    const { list, messages } = await stand(5);
    await messages.setSort({ by: 'topic', isDown: true });
    messages.select({ kind: 'only', messageId: 'm2' });
    messages.reopen();
    await settle();
    expect(list.host.called('view.open').at(-1)?.params).toMatchObject({ sortBy: 'topic', order: 'newest' });
    expect(messages.store.getState()).toMatchObject({ sort: { by: 'topic', isDown: true }, paused: true });
    expect([...messages.store.getState().selected]).toEqual(['m2']);
    await messages.setSort(undefined);
    messages.setPaused(true);
    messages.reopen();
    await settle();
    expect(messages.store.getState()).toMatchObject({ sort: undefined, paused: true });
    messages.setPaused(false);
    await settle();
    expect(messages.store.getState()).toMatchObject({ paused: false });
  });

  test('another history has no ticked rows, also if the connection is lost before its view is open', async () => {
    const { messages } = await stand(5);
    messages.select({ kind: 'only', messageId: 'm2' });
    messages.reopen(false);
    expect(messages.store.getState().selected.size).toBe(0);
    messages.reopen();
    await settle();
    expect(messages.store.getState().selected.size).toBe(0);
  });

  test('a filter that was changed while the connection was lost has no ticks of the one before', async () => {
    const { list, link, messages } = await stand(5);
    messages.select({ kind: 'all' });
    list.host.cut();
    await messages.open('topic:a');
    expect(messages.store.getState()).toMatchObject({ filter: '', allSelected: true });
    link.tryNow();
    await settle();
    messages.reopen();
    await settle();
    const { filter, allSelected, selected } = messages.store.getState();
    expect({ filter, allSelected, selected: selected.size }).toEqual({
      filter: 'topic:a',
      allSelected: false,
      selected: 0,
    });
  });

  test('a sort that was ended while the connection was lost leaves no pause', async () => {
    const { list, link, messages } = await stand(5);
    await messages.setSort({ by: 'topic', isDown: true });
    list.host.cut();
    await messages.setSort(undefined);
    link.tryNow();
    await settle();
    messages.reopen();
    await settle();
    expect(messages.store.getState()).toMatchObject({ status: 'ready', sort: undefined, paused: false });
  });

  test('a sort after a refused filter sorts the rows in sight', async () => {
    const { list, messages } = await stand(5);
    await messages.open('bad:');
    await messages.setSort({ by: 'topic', isDown: true });
    expect(list.host.called('view.open').at(-1)?.params).toMatchObject({ filter: '', sortBy: 'topic' });
  });

  test('a view that the host forgot is opened again', async () => {
    const { list, messages } = await stand(400);
    forgetOnce(list);
    messages.ensure(0, 50);
    await settle();
    expect(list.views).toBe(2);
    expect(messages.store.getState().status).toBe('ready');
  });

  test('a requested filter applies even if the host has forgotten the view before it', async () => {
    const { list, messages } = await stand(400);
    forgetOnce(list);
    messages.ensure(0, 50);
    void messages.open('topic:orders');
    await settle();
    expect(messages.store.getState()).toMatchObject({ status: 'ready', filter: 'topic:orders' });
  });
});

describe('row window', () => {
  test('holds at most sixty pages around the viewport and the newest 2,000', () => {
    const rows = new RowWindow();
    rows.total = 20_000;
    for (let place = 0; place < 20_000; place += 1) {
      rows.put(place, rowNamed(`m${place}`));
      rows.trim(9000, 9060);
    }
    rows.trim(9000, 9060);
    expect(rows.size).toBeLessThanOrEqual(60 * 100 + 2000 + 500);
    expect(rows.rowAt(9030)?.messageId).toBe('m9030');
    expect(rows.rowAt(19_999)?.messageId).toBe('m19999');
    expect(rows.rowAt(3)).toBeUndefined();
  });

  test('asks for whole pages', () => {
    const rows = new RowWindow();
    rows.total = 1000;
    expect(rows.missing(150, 210)).toEqual({ from: 100, count: 200 });
    rows.total = 220;
    expect(rows.missing(150, 210)).toEqual({ from: 100, count: 120 });
    for (let place = 100; place < 220; place += 1) rows.put(place, rowNamed(`m${place}`));
    expect(rows.missing(150, 210)).toBeUndefined();
    rows.makeStale();
    expect(rows.missing(150, 210)).toEqual({ from: 100, count: 120 });
    expect(rows.rowAt(150)?.messageId).toBe('m150');
  });

  test('a row that moved stands at one place only', () => {
    const rows = new RowWindow();
    rows.total = 10;
    rows.put(3, rowNamed('a'));
    rows.put(5, rowNamed('a'));
    expect(rows.rowAt(3)).toBeUndefined();
    expect(rows.indexOf('a')).toBe(5);
    rows.put(5, rowNamed('b'));
    expect(rows.rowOf('a')).toBeUndefined();
  });

  test('a delivery is replaced by id or added', () => {
    const row = rowNamed('a', { deliveries: [deliveryIn('queued', { deliveryId: 'd' })] });
    expect(withDelivery(row, deliveryIn('held', { deliveryId: 'd' })).deliveries).toHaveLength(1);
    expect(withDelivery(row, deliveryIn('held', { deliveryId: 'e' })).deliveries).toHaveLength(2);
  });
});

test('a row in sight shows its changes, whatever rows were read after it', async () => {
  const { list, frames, messages } = await stand(5000);
  const sizeAt = (index: number): number | undefined => {
    frames.draw();
    return messages.rows.rowAt(index)?.sizeBytes;
  };
  messages.ensure(0, 230, { from: 100, to: 130 });
  await settle();
  list.resize(140, 11);
  expect(sizeAt(140)).toBe(11);
  // A person scrolled on: only the rows that come next are missing.
  messages.ensure(30, 460, { from: 130, to: 160 });
  await settle();
  list.resize(140, 12);
  await expect.poll(() => sizeAt(140)).toBe(12);
  list.resize(141, 13);
  expect(sizeAt(141)).toBe(13);
});

test('a row in sight shows its changes after a range far away was selected, or a line far away was read', async () => {
  const { list, frames, messages } = await stand(5000);
  const sizeAt = (index: number): number | undefined => {
    frames.draw();
    return messages.rows.rowAt(index)?.sizeBytes;
  };
  messages.ensure(100, 330, { from: 200, to: 230 });
  await settle();
  await messages.idAt(3000);
  list.resize(210, 11);
  await expect.poll(() => sizeAt(210)).toBe(11);
  messages.select({ kind: 'range', from: 'm211', to: 'm3001' });
  await expect.poll(() => messages.store.getState().selected.size).toBe(2791);
  list.resize(210, 12);
  await expect.poll(() => sizeAt(210)).toBe(12);
});
