/** The registry: what a person can do is one method, and the call that is copied is one that the host takes. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Result } from '../../core/contract/console.ts';
import { checkParams, isMethod } from '../../core/console/params/check.ts';
import { findEntries, whyNoCall } from '../../renderer/frame/palette-entries.ts';
import type { Command } from '../../renderer/keys/command.ts';
import { COMMANDS } from '../../renderer/keys/commands.ts';
import { createConsole, type Console } from '../../renderer/state/console.ts';
import { FakeHost, Refused, settle } from './fake-pipe.ts';
import { AT, deliveryIn, rowNamed } from './samples.ts';

/** Commands that concern only this window: appearance, focus, places in the list. */
const OF_THE_WINDOW = new Set([
  'copyLastAct',
  'copyActs',
  'follow',
  'pause',
  'selectAll',
  'closeDetail',
  'filterHelp',
  'palette',
  'shortcuts',
  'panelSide',
  'theme.system',
  'theme.light',
  'theme.dark',
  'density',
  'addApp',
  'columns',
]);

const held = rowNamed('m1', { number: 1, deliveries: [deliveryIn('held')] });
const dead = rowNamed('m2', {
  number: 2,
  deliveries: [deliveryIn('parked')],
  deadLetterOf: { messageId: 'm0', deliveryId: 'd0', topic: 'orders' },
});
const calling = rowNamed('m3', { number: 3, deliveries: [deliveryIn('attempting')] });
const queued = rowNamed('m4', { number: 4, deliveries: [deliveryIn('queued')] });
const unheard = rowNamed('m5', { number: 5, deliveries: [] });
const parked = rowNamed('m6', { number: 6, deliveries: [deliveryIn('parked')] });
const ROWS = [held, dead, calling, queued, unheard, parked];

let console: Console;
/** The holds that the host has. */
let holds: Result<'holds.list'>['items'] = [];
/** The hold of "Hold all". */
const holdAll = {
  holdId: 'hld_2',
  at: 'delivery',
  filter: '',
  enabled: true,
  hits: 1,
  name: 'Hold all',
} as const;
/** How many messages the host holds after a hold was removed. */
let stillHeld: number | undefined = 0;

beforeAll(async () => {
  const location = { hash: '#/messages?f=topic:orders' };
  const put = (_data: unknown, _unused: string, url: string): void => void (location.hash = url);
  const host = new FakeHost({
    'view.open': () => ({ viewId: 'v1', total: ROWS.length, sequence: 0 }),
    'view.rows': ({ from, count }) => ({ rows: ROWS.slice(from, from + count), total: ROWS.length }),
    'view.close': () => null,
    'holds.list': () => ({ items: holds, nextCursor: null }),
    'holds.remove': () => holdAll,
    'holds.queue': () => {
      if (stillHeld === undefined) throw new Refused('INTERNAL', 'The journal cannot be read.');
      return { items: [], nextCursor: null, total: stillHeld };
    },
    'views.list': () => ({ items: [{ savedViewId: 'w1', name: 'Late', filter: 'age:>1h' }] }),
    'messages.delete': () => ({ removed: 1, undoToken: 'undo_1' }),
    'messages.replay': () => rowNamed('m10', { number: 10 }),
  });
  console = createConsole({
    open: host.open,
    bar: {
      location,
      history: { pushState: put, replaceState: put },
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    },
    frame(run) {
      queueMicrotask(run);
      return () => undefined;
    },
  });
  await settle();
  await console.messages.open('');
  await console.savedViews.list.refresh();
  await console.jobs.remove({ messageIds: ['m9'] });
  await settle();
});
afterAll(() => console.dispose());

test.each([
  ['#größ', 'bestellung-größe'],
  ['#заказ', 'новые-заказы'],
  ['#注文', '注文'],
  ['#orders cr', 'orders.created'],
])('the palette finds topics in letters of every alphabet: %s', (text, found) => {
  const topics = ['orders.created', 'bestellung-größe', 'новые-заказы', '注文'].map((topic) => ({
    pubsubname: 'pubsub',
    topic,
  })) as unknown as Parameters<typeof findEntries>[2];
  expect(findEntries(console, text, topics, [])[0]?.title).toBe(found);
});

test.each([
  ['theme dark', 'Use the dark theme'],
  ['state group', 'Group by: State'],
  ['dark theme', 'Use the dark theme'],
  ['hold add', 'Add hold'],
  ['since', 'Record from here on'],
  ['here', 'Record from here on'],
  ['changes', 'Record from here on'],
  ['twice', 'Group by: Repeats within a second'],
  ['export messages', 'Export recording'],
])('the palette finds words in any order, and other words for an act: %s', (text, found) => {
  expect(findEntries(console, text, [], [])[0]?.title).toBe(found);
});

/** Makes one message, or two, what commands are about. */
function choose(...ids: readonly string[]): void {
  console.messages.select({ kind: 'none' });
  for (const messageId of ids) console.messages.select({ kind: 'toggle', messageId });
}

/** The calls of a text that was copied; a batch has several. */
function callsOf(text: string): readonly { readonly method: string; readonly params: unknown }[] {
  const read: unknown = JSON.parse(text);
  const all: readonly unknown[] = Array.isArray(read) ? read : [read];
  return all.map((each) => {
    expect(each).toMatchObject({ jsonrpc: '2.0', id: 1, method: expect.any(String) });
    const { method, params } = Object(each);
    return { method: String(method), params };
  });
}

function isTaken(text: string | undefined): void {
  expect(text).toBeDefined();
  for (const { method, params } of callsOf(text ?? '')) {
    if (!isMethod(method)) throw new Error(`no method ${method}`);
    expect(() => checkParams(method, params)).not.toThrow();
  }
}

/** Where a command can run: with one message of some state, or with two of them. */
function placeFor(command: Command): boolean {
  const choices = [...ROWS.map(({ messageId }) => [messageId]), ['m1', 'm2']];
  return choices.some((ids) => {
    choose(...ids);
    return command.when?.(console) === undefined;
  });
}

describe('every command', () => {
  test('is the window’s own, or names its method and has the call for it', () => {
    for (const { id, method, call } of COMMANDS) {
      const own = { id, method: method !== undefined, call: call !== undefined };
      const wanted = !OF_THE_WINDOW.has(id);
      expect(own).toEqual({ id, method: wanted, call: wanted });
    }
  });

  test('ids are there once, and so are keys', () => {
    const ids = COMMANDS.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const keys = COMMANDS.flatMap(({ keys: own = [] }) => own);
    expect(new Set(keys).size).toBe(keys.length);
  });

  // Commands without their target in this stand: a host that counts held items, a marker in the filter, a hold.
  const elsewhere = new Set(['releaseAll', 'dropAll', 'everything', 'stopHolding']);
  const runnable = COMMANDS.filter(({ call, id }) => call !== undefined && !elsewhere.has(id));

  test.each(['releaseAll', 'dropAll'])('%s waits until something is held', (id) => {
    const command = COMMANDS.find((each) => each.id === id);
    expect(command?.when?.(console)).toBe('No message is held.');
    isTaken(command?.call?.(console));
  });

  test.each(runnable.map((command) => [command.id, command] as const))(
    '%s gives a call that the host accepts',
    (_id, command) => {
      expect(placeFor(command)).toBe(true);
      isTaken(command.call?.(console));
    },
  );
});

test('the question what the app would answer needs a delivery', () => {
  const command = COMMANDS.find(({ id }) => id === 'whatIf');
  choose('m5');
  expect(command?.when?.(console)).toBe(
    'What if the app answered…: no subscription matched this message, so it has no delivery.',
  );
  choose('m1');
  expect(command?.when?.(console)).toBeUndefined();
});

describe('the palette', () => {
  const found = (text: string) =>
    findEntries(
      console,
      text,
      [
        {
          pubsubname: 'pubsub',
          topic: 'a\t"b"',
          apps: [],
          subscriptions: 0,
          published: 1,
          counts: {},
          rate: 0,
          perSecond: [],
          bulk: false,
        },
      ],
      [
        {
          requestId: 'req_1',
          name: 'late fee',
          savedAt: AT,
          inPalette: true,
          request: { pubsubname: 'p', topic: 't', data: 1 },
        },
      ],
    );

  test('topics, views that come with it and saved ones have a call too', () => {
    for (const text of ['#', ':', ':late', 'late fee']) isTaken(found(text)[0]?.call?.());
    expect(found(':late').map(({ title, note }) => [title, note])).toEqual([['Late', 'age:>1h']]);
  });

  test('a topic with a tab and quotes is filtered for as it is', () => {
    const [call] = callsOf(found('#')[0]?.call?.() ?? '');
    expect(call?.params).toEqual({ filter: 'topic:"a\t\\"b\\""' });
  });

  test('no row names a method, because the button below the list copies the call', () => {
    const notes = ['>', 'late fee'].flatMap((text) => found(text).map(({ note }) => note ?? ''));
    expect(notes.length).toBeGreaterThan(20);
    expect(notes.filter((note) => note !== '')).toEqual([]);
  });

  test('says why there is none', () => {
    const [own] = found('>Use the dark theme');
    expect(own?.call?.()).toBeUndefined();
    expect(own && whyNoCall(own)).toBe('This changes only this window: there is no automation call for it.');
    choose();
    console.messages.setCurrent('m3');
    const [off] = found('>Retry now');
    expect(off && whyNoCall(off)).toContain(
      'Retry now: the app has not answered this call yet. You can retry after the answer.',
    );
  });

  test('shows the keys that a person gave', () => {
    console.ui.setState({ keys: { holdAll: 'y' } });
    expect(found('>Hold all')[0]?.keys).toEqual(['y']);
    console.ui.setState({ keys: {} });
  });
});

test.each([
  ['save view', 'saveView'],
  ['column', 'columns'],
  ['density', 'density'],
  ['connect', 'addApp'],
  ['add app', 'addApp'],
  ['restart', 'go.apps'],
  ['resend', 'replay'],
  ['redeliver', 'retry'],
  ['dlq', 'deadLetter'],
  ['purge', 'clear'],
])('"%s" in the palette finds %s', (text, id) => {
  expect(findEntries(console, text, [], []).map((entry) => entry.id)).toContain(id);
});

test('the key e edits what is held, so that it goes on, and makes a new message of anything else', () => {
  const edit = COMMANDS.find(({ id }) => id === 'edit');
  choose('m1');
  edit?.run(console);
  const { overlay } = console.commands.store.getState();
  expect(overlay).toMatchObject({ kind: 'edit-release', messageId: 'm1' });
  choose('m2');
  edit?.run(console);
  expect(console.commands.store.getState().overlay).toEqual({ kind: 'edit-replay', messageId: 'm2' });
  console.commands.close();
});

test('undo is for what can be undone: it opens nothing that a notification leads to', async () => {
  const undo = COMMANDS.find(({ id }) => id === 'undo');
  await console.acting.replay([held]);
  expect(console.toasts.store.getState().toasts.at(-1)?.action?.title).toBe('Show');
  expect(undo?.when?.(console)).toBe('There is nothing to undo.');
  await console.jobs.remove({ messageIds: ['m9'] });
  expect(undo?.when?.(console)).toBeUndefined();
});

test.each([
  ['editReplay', 'edit-replay'],
  ['whatIf', 'what-if'],
])('%s by its key is about the open message, as its button is, not about ticked ones', (id, kind) => {
  choose('m2', 'm4');
  console.navigation.change({ m: 'm1' });
  COMMANDS.find((each) => each.id === id)?.run(console);
  expect(console.commands.store.getState().overlay).toEqual({ kind, messageId: 'm1' });
  console.navigation.change({ m: undefined });
  COMMANDS.find((each) => each.id === id)?.run(console);
  expect(console.commands.store.getState().overlay).toEqual({ kind, messageId: 'm2' });
  console.commands.close();
});

test('"Hold all" and its end are two commands, and neither takes a hold that a person made', async () => {
  const [hold, stop] = ['holdAll', 'stopHolding'].map((wanted) => COMMANDS.find(({ id }) => id === wanted));
  const own = { holdId: 'hld_1', at: 'delivery', filter: '', enabled: true, hits: 0, name: 'mine' } as const;
  holds = [own];
  await console.holds.list.refresh();
  expect(hold?.when?.(console)).toBeUndefined();
  expect(stop?.when?.(console)).toBe('"Hold all" is not on.');
  expect(stop?.call?.(console)).toBeUndefined();
  holds = [own, { ...own, holdId: 'hld_2', name: 'Hold all' }];
  await console.holds.list.refresh();
  expect(hold?.when?.(console)).toBe('"Hold all" is on already.');
  expect(stop?.when?.(console)).toBeUndefined();
  expect(callsOf(stop?.call?.(console) ?? '')).toEqual([
    { method: 'holds.remove', params: { holdId: 'hld_2', release: true } },
  ]);
  isTaken(stop?.call?.(console));
});

test.each([
  [0, 'Released; deliveries are no longer held.'],
  [1, 'Released what “Hold all” held. 1 stays held.'],
  [3, 'Released what “Hold all” held. 3 stay held.'],
  [
    undefined,
    'Released; “Hold all” is off. What other holds still hold could not be counted: The journal cannot be read.',
  ],
])('the end of "Hold all" says what stays held: %s', async (n, says) => {
  stillHeld = n;
  holds = [holdAll];
  await console.holds.list.refresh();
  COMMANDS.find(({ id }) => id === 'stopHolding')?.run(console);
  await settle();
  expect(console.toasts.store.getState().toasts.at(-1)?.text).toBe(says);
});
