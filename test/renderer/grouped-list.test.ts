/** The list store over a grouped and a sorted view: opening groups, what the host tells, going to a row far away. */
import { expect, test } from 'vitest';
import type { Params } from '../../core/contract/console.ts';
import type { GroupRow } from '../../core/contract/view.ts';
import { createLink } from '../../renderer/client/link.ts';
import { createRpcClient } from '../../renderer/client/rpc-client.ts';
import { createMessages, type Messages } from '../../renderer/state/messages.ts';
import { groupLine } from '../../renderer/state/row-window.ts';
import { FakeHost, ManualFrames, settle } from './fake-pipe.ts';
import { rowsFrom } from './list-host.ts';

/** A host with two groups: `a` has messages 1 to 4, `b` 5 to 8. */
class GroupHost {
  readonly open = new Set<string>();
  readonly host: FakeHost;
  views = 0;
  /** A change that is told before a group is opened or closed. */
  toldBefore: { readonly total: number } | undefined;

  constructor() {
    this.host = new FakeHost({
      'view.open': () => {
        this.views += 1;
        this.open.clear();
        return { viewId: `v${this.views}`, total: this.#lines().length, sequence: 0 };
      },
      'view.rows': (params) => this.#read(params),
      'view.expand': ({ groupId, open }) => {
        if (this.toldBefore !== undefined) {
          const { total } = this.toldBefore;
          const viewId = `v${this.views}`;
          this.host.push('view.changed', { viewId, total, appended: 0, rows: [], moved: true });
        }
        for (const id of groupId === undefined ? ['=a', '=b'] : [groupId]) {
          if (open) this.open.add(id);
          else this.open.delete(id);
        }
        return { total: this.#lines().length };
      },
      'view.find': ({ messageId }) => (messageId === 'gone' ? null : { index: 3, messageId: 'm3' }),
      'view.close': () => null,
    });
  }

  #lines(): readonly (GroupRow | number)[] {
    return ['a', 'b'].flatMap((value, place) => {
      const groupId = `=${value}`;
      const isOpen = this.open.has(groupId);
      const at = '2026-01-02T03:04:05.000Z';
      const group: GroupRow = {
        groupId,
        value,
        messages: 4,
        worst: 'processed',
        states: { processed: 4 },
        firstAt: at,
        lastAt: at,
        isOpen,
      };
      return [group, ...(isOpen ? [1, 2, 3, 4].map((n) => n + 4 * place) : [])];
    });
  }

  #read({ from, count }: Params<'view.rows'>) {
    const all = this.#lines();
    const lines = all.slice(from, from + count);
    const heads = all.flatMap((line, index) => (typeof line === 'number' ? [] : [{ index, group: line }]));
    const over = heads.findLast(({ index }) => index <= from);
    return {
      rows: lines.flatMap((line) => (typeof line === 'number' ? rowsFrom(line, 1) : [])),
      groups: heads.filter((head) => head === over || (head.index > from && head.index < from + count)),
      total: all.length,
    };
  }
}

async function stand(): Promise<{ groups: GroupHost; messages: Messages; frames: ManualFrames }> {
  const groups = new GroupHost();
  const link = createLink({ open: groups.host.open, after: () => () => undefined });
  const frames = new ManualFrames();
  const messages = createMessages(
    createRpcClient(link, { lost: 'lost', away: 'away', noAnswer: 'none' }),
    frames.frame,
  );
  await settle();
  await messages.open('', 'topic');
  await settle();
  return { groups, messages, frames };
}

const lines = ({ rows, store }: Messages): (string | undefined)[] =>
  Array.from({ length: store.getState().total }, (_, place) => rows.idAt(place));

test('groups are read from the first one, and open to their messages', async () => {
  const { messages } = await stand();
  expect(messages.store.getState()).toMatchObject({ groupBy: 'topic', total: 2, follow: false });
  expect(lines(messages)).toEqual([groupLine('=a'), groupLine('=b')]);
  await messages.expand('=a', true);
  await settle();
  expect(lines(messages)).toEqual([groupLine('=a'), 'm1', 'm2', 'm3', 'm4', groupLine('=b')]);
  expect(messages.rows.groupAt(0)?.isOpen).toBe(true);
  await messages.expand(undefined, true);
  await settle();
  expect(messages.store.getState().total).toBe(10);
});

test('open groups stay open in a reopened list, but not in another grouping', async () => {
  const { groups, messages } = await stand();
  await messages.expand('=b', true);
  messages.reopen();
  await settle();
  expect(lines(messages).slice(0, 3)).toEqual([groupLine('=a'), groupLine('=b'), 'm5']);
  await messages.open('', 'type');
  await settle();
  expect(messages.store.getState().total).toBe(2);
  expect([...groups.open]).toEqual([]);
});

test.each(['opened by hand', 'opened again'])(
  'older news of closed groups does not close one that is %s meanwhile',
  async (how) => {
    const { groups, messages, frames } = await stand();
    if (how === 'opened again') await messages.expand('=b', true);
    groups.toldBefore = { total: 2 };
    if (how === 'opened again') messages.reopen();
    else await messages.expand('=b', true);
    await settle();
    frames.draw();
    // The screen has room for all lines.
    messages.ensure(0, 10);
    await settle();
    expect(lines(messages)).toEqual([groupLine('=a'), groupLine('=b'), 'm5', 'm6', 'm7', 'm8']);
  },
);

test('lines move when groups above them grow, and are read again', async () => {
  const { groups, messages, frames } = await stand();
  messages.ensure(0, 10);
  await settle();
  groups.open.add('=a');
  groups.host.push('view.changed', { viewId: 'v1', total: 6, appended: 4, rows: [], moved: true, shift: 4 });
  await settle();
  frames.draw();
  expect(messages.rows.indexOf(groupLine('=b'))).toBe(5);
  await settle();
  messages.ensure(0, 10);
  await settle();
  expect(lines(messages)).toEqual([groupLine('=a'), 'm1', 'm2', 'm3', 'm4', groupLine('=b')]);
});

test('a selected range has the messages in it, not the groups', async () => {
  const { messages } = await stand();
  await messages.expand(undefined, true);
  await settle();
  messages.select({ kind: 'range', from: 'm3', to: 'm6' });
  expect([...messages.store.getState().selected]).toEqual(['m3', 'm4', 'm5', 'm6']);
});

test('a jump finds a row that is not loaded', async () => {
  const { messages } = await stand();
  expect(await messages.goTo({ messageId: 'm3' })).toBe('m3');
  expect(messages.store.getState()).toMatchObject({ current: 'm3', follow: false });
  expect(await messages.goTo({ messageId: 'gone' })).toBeUndefined();
});

test('only an ungrouped list is sorted, which freezes it until it is live again', async () => {
  const { groups, messages } = await stand();
  await messages.setSort({ by: 'size', isDown: true });
  expect(messages.store.getState().sort).toBeUndefined();
  await messages.open('');
  await messages.setSort({ by: 'size', isDown: true });
  expect(messages.store.getState()).toMatchObject({ sort: { by: 'size' }, paused: true, follow: false });
  expect(messages.store.getState().sortedAt).toBeGreaterThan(0);
  expect(groups.host.called('view.open').at(-1)?.params).toMatchObject({ sortBy: 'size', order: 'newest' });
  groups.host.push('view.changed', { viewId: `v${groups.views}`, total: 2, appended: 3, rows: [] });
  messages.setPaused(false);
  await settle();
  expect(messages.store.getState()).toMatchObject({ sort: undefined, sortedAt: 0, paused: false });
});

test('a list whose repeats share lines is sorted message by message, and follows again when it is live', async () => {
  const { groups, messages } = await stand();
  await messages.open('', 'repeats');
  messages.setFollow(true);
  await messages.setSort({ by: 'topic', isDown: true });
  expect(messages.store.getState()).toMatchObject({ sort: { by: 'topic' }, groupBy: '', follow: false });
  expect(groups.host.called('view.open').at(-1)?.params).toMatchObject({ sortBy: 'topic' });
  expect(groups.host.called('view.open').at(-1)?.params).not.toHaveProperty('groupBy');
  messages.setPaused(false);
  await settle();
  expect(messages.store.getState()).toMatchObject({ sort: undefined, paused: false });
});

test('only the last of several quickly opened views stays open', async () => {
  const { groups, messages } = await stand();
  await Promise.all([messages.open('', 'type'), messages.open('', 'trace'), messages.open('', 'batch')]);
  await settle();
  const closed = groups.host.called('view.close').map(({ params }) => Object(params).viewId);
  expect(closed.toSorted()).toEqual(['v1', 'v2', 'v3']);
  expect(messages.store.getState().groupBy).toBe('batch');
});

test('the group of a message is found if it is not loaded, and is not mistaken for one above it', async () => {
  const { messages } = await stand();
  await messages.expand(undefined, true);
  messages.ensure(0, 10);
  await settle();
  expect(messages.rows.groupOver(3)).toBe(0);
  expect(await messages.groupOver(8)).toBe(5);
  // When a person has scrolled far, the line of group `b` is not held, that of `a` is.
  messages.rows.forget(1, 8, new Set());
  expect(messages.rows.idAt(0)).toBe(groupLine('=a'));
  expect(messages.rows.groupOver(8)).toBeUndefined();
  expect(await messages.groupOver(8)).toBe(5);
  expect(messages.rows.idAt(5)).toBe(groupLine('=b'));
});
