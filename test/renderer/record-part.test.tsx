/** The part of Recordings that starts and stops a record of what happens next: the marker of the list, and an export of it. */
import { expect, test, vi } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { commandOf } from '../../renderer/keys/commands.ts';
import { RecordingMark } from '../../renderer/frame/StatusLine.tsx';
import { showEverything, showFromHere } from '../../renderer/keys/list-commands.ts';
import type { Console } from '../../renderer/state/console.ts';
import { whatsNow } from '../../renderer/views/recordings/choice.ts';
import { RecordPart } from '../../renderer/views/recordings/RecordPart.tsx';
import { drawn, wordsOf } from './drawn.tsx';

const AT = '2026-03-01T10:00:00.000Z';
const SINCE = `changed:>=${AT}`;

interface Given {
  readonly filter: string;
  /** True: the filter is switched off. */
  readonly isOff?: boolean;
  readonly path?: string;
  readonly appId?: string;
  readonly beforeHere?: Readonly<Record<string, string>>;
  /** Number of messages that the host finds for any filter. */
  readonly total?: number;
  /** Time since which is recorded, whatever the list shows. */
  readonly since?: string;
  /** Number of messages that the host keeps. */
  readonly kept?: number;
}

function consoleWith({
  filter,
  isOff = false,
  path = '/recordings',
  appId = '',
  beforeHere = {},
  total = 0,
  kept = 1,
  since = '',
}: Given) {
  const go = vi.fn<(path: string, params: { readonly f: string }) => void>();
  const change = vi.fn<(params: { readonly f: string }) => void>();
  const ui = createStore(() => ({ appId, beforeHere, recorded: {}, recordedIn: '', recordingSince: since }));
  const call = vi.fn<Console['call']>().mockResolvedValue({ total });
  const said: (string | undefined)[] = [];
  const done = vi.fn<Console['toasts']['done']>();
  const run: Console['acting']['run'] = async (_id, work) => {
    const text = await work();
    if (text !== undefined) done(text);
    said.push(done.mock.calls[0]?.[0]);
    return true;
  };
  const open = vi.fn<Console['commands']['open']>();
  const address = new URLSearchParams({ f: filter, ...(isOff ? { off: '1' } : {}) });
  const list = { filter, selected: new Set(['m1']), allSelected: false, groupBy: '', total: 9 };
  const parts = {
    ui,
    call,
    acting: { run },
    commands: { open },
    toasts: { done },
    messages: { store: createStore(() => list) },
    connection: createStore(() => ({ runtime: { kept } })),
    navigation: {
      go,
      change,
      param: (name: string) => address.get(name) ?? undefined,
      placeOf: (screen: string) => `${screen}?${address.toString()}`,
      store: createStore(() => ({ path, search: '' })),
    },
  };
  return { go, change, ui, call, said, done, open, console: parts as unknown as Console };
}

test('says that nothing has to be switched on', () => {
  const { console } = consoleWith({ filter: 'topic:orders' });
  const words = wordsOf(drawn(<RecordPart />, console));
  expect(words).toContain('Sidelight keeps every message anyway');
  expect(words).toMatch(/Record from here on$/);
});

test('is the one act of the screen while no message is kept', () => {
  const isPrimary = (kept: number): boolean =>
    drawn(<RecordPart />, consoleWith({ filter: '', kept }).console).includes('data-primary');
  expect([isPrimary(0), isPrimary(1)]).toEqual([true, false]);
});

test.each(['/recordings', '/messages'])('a record from %s leaves nothing out that happens next', (path) => {
  const { console, go, change } = consoleWith({ filter: 'topic:orders time:>=2026-03-01', path });
  commandOf('fromHere')?.run(console);
  const f = (go.mock.calls[0]?.[1] ?? change.mock.calls[0]?.[0])?.f;
  expect(f).toMatch(/^changed:>=\d{4}-[^ ]+Z$/);
});

test('says since when it records, and that older messages are in it, and exports that', () => {
  const words = wordsOf(drawn(<RecordPart />, consoleWith({ filter: SINCE, since: AT }).console));
  expect(words).toContain('Recording since');
  expect(words).toContain('including older ones that changed. The list of messages shows only these.');
  expect(words).toMatch(/Export what was recorded… Stop recording$/);
});

test('says that the export has more than the list, where the list has another filter as well', () => {
  const wordsWith = (given: Given): string =>
    wordsOf(drawn(<RecordPart />, consoleWith({ ...given, since: AT }).console));
  const words = wordsWith({ filter: `topic:orders ${SINCE}` });
  expect(words).toContain('match its filter, topic:orders. The export has all of them.');
  const ofApp = wordsWith({ filter: SINCE, appId: 'shop' });
  expect(ofApp).toContain('match its filter, app:shop. The export has all of them.');
});

test('the export of a record begins with the record, whatever the list shows and is selected in it', () => {
  const { console } = consoleWith({ filter: `topic:orders ${SINCE}` });
  const [first, ...others] = whatsNow(console, { since: AT });
  expect(first).toMatchObject({ value: 'recorded', choice: { filter: SINCE } });
  expect(first?.title).toContain('What was recorded since');
  expect(others.map(({ value }) => value)).toEqual(['selected', 'filter', 'all']);
  expect(whatsNow(consoleWith({ filter: SINCE }).console, { since: AT }).map(({ value }) => value)).toEqual([
    'recorded',
    'selected',
    'all',
  ]);
});

test('the end of a record brings back the filter of the list, with its range of time', () => {
  const filter = 'topic:orders time:2026-03-01..2026-03-02';
  const { console, go, ui } = consoleWith({ filter });
  commandOf('fromHere')?.run(console);
  const [, { f } = { f: '' }] = go.mock.calls[0] ?? [];
  const { beforeHere, recordingSince } = ui.getState();
  const later = consoleWith({ filter: f, beforeHere, since: recordingSince });
  commandOf('everything')?.run(later.console);
  expect(later.go).toHaveBeenCalledWith('/messages', { f: filter });
});

test('a filter that was changed since loses its marker alone', () => {
  const { console, go } = consoleWith({
    filter: `topic:a ${SINCE}`,
    beforeHere: { [SINCE]: 'topic:orders' },
    since: AT,
  });
  commandOf('everything')?.run(console);
  expect(go).toHaveBeenCalledWith('/messages', { f: 'topic:a' });
});

test('the flag of the list keeps its filter, and takes its marker away again', () => {
  const { console, change, go, ui } = consoleWith({ filter: 'topic:orders', path: '/messages' });
  showFromHere(console);
  expect(change.mock.calls[0]?.[0].f).toMatch(/^topic:orders changed:>=\d{4}-/);
  const marked = consoleWith({ filter: `topic:orders ${SINCE}`, path: '/messages' });
  showEverything(marked.console);
  expect(marked.change).toHaveBeenCalledWith({ f: 'topic:orders', off: undefined });
  expect(go).not.toHaveBeenCalled();
  expect(ui.getState().recordingSince).toBe('');
});

test.each([SINCE, 'changed:>=2026-01-01'])('the flag takes %s away, and the recording goes on', (marker) => {
  const { console, change, call, ui } = consoleWith({
    filter: `topic:orders ${marker}`,
    path: '/messages',
    since: AT,
  });
  showEverything(console);
  expect(change.mock.calls).toEqual([[{ f: 'topic:orders', off: undefined }]]);
  expect(ui.getState().recordingSince).toBe(AT);
  expect(call).not.toHaveBeenCalled();
});

test('a filter with a time is no recording: another one can start, and none can be stopped', () => {
  const { console, ui } = consoleWith({ filter: SINCE });
  expect(wordsOf(drawn(<RecordPart />, console))).toMatch(/Record from here on$/);
  expect(commandOf('everything')?.when?.(console)).toBe('No recording is running.');
  expect(commandOf('fromHere')?.when?.(console)).toBeUndefined();
  commandOf('fromHere')?.run(console);
  expect(ui.getState().recordingSince).not.toBe(AT);
});

test('a filter that is switched off shows others, too, and stays as it is after the end', () => {
  const { console, change, go } = consoleWith({ filter: SINCE, isOff: true, since: AT });
  expect(wordsOf(drawn(<RecordPart />, console))).toContain('The list of messages shows others, too.');
  commandOf('everything')?.run(console);
  expect([go.mock.calls, change.mock.calls]).toEqual([[], []]);
});

test.each([
  [0, /^Recording stopped\. Nothing was recorded: no message arrived or changed since .+\.$/],
  [1, /^Recording stopped\. Since .+, 1 message arrived or changed\. Sidelight still keeps it\.$/],
  [2300, /^Recording stopped\. Since .+, 2,300 messages arrived or changed\. Sidelight still keeps them\.$/],
])('the end of a record of %i says what it has', async (total, text) => {
  const { console, call, said } = consoleWith({ filter: `topic:orders ${SINCE}`, total, since: AT });
  commandOf('everything')?.run(console);
  await vi.waitFor(() => expect(said).toEqual([expect.stringMatching(text)]));
  const filter = expect.stringMatching(/^changed:2026-03-01T10:00:00\.000Z\.\.\d{4}-[^ ]+Z$/);
  expect(call).toHaveBeenCalledWith('messages.list', { filter, limit: 1 });
});

test('the end of a record offers the export of what was recorded, and later exports offer it as well', async () => {
  const { console, done, open, ui, call } = consoleWith({ filter: SINCE, total: 1, since: AT });
  commandOf('everything')?.run(console);
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  const filter = call.mock.calls[0]?.[1];
  const [, action] = done.mock.calls[0] ?? [];
  expect(action).toMatchObject({ title: 'Export what was recorded…', isLink: true });
  action?.run();
  const { recorded } = ui.getState();
  expect(open).toHaveBeenCalledWith({ kind: 'export', record: recorded });
  const later = consoleWith({ filter: '' });
  const [asked] = whatsNow(later.console, recorded);
  expect(asked?.title).toMatch(/^What was recorded since .+ until .+$/);
  expect(filter).toMatchObject(asked?.choice ?? {});
  expect(whatsNow(later.console, undefined, recorded).map(({ value }) => value)).toEqual([
    'selected',
    'all',
    'recorded',
  ]);
});

test('nothing is offered where nothing was recorded', async () => {
  const { console, done, ui } = consoleWith({ filter: SINCE, since: AT });
  commandOf('everything')?.run(console);
  await vi.waitFor(() => expect(done).toHaveBeenCalled());
  expect(done.mock.calls[0]?.[1]).toBeUndefined();
  expect(whatsNow(console, undefined, ui.getState().recorded).map(({ value }) => value)).not.toContain(
    'recorded',
  );
});

test('what was recorded can be exported, though the host did not answer at the end', async () => {
  const { console, call, ui } = consoleWith({ filter: SINCE, since: AT });
  call.mockRejectedValue(new Error('lost'));
  const run = vi.fn<Console['acting']['run']>(async (_id, work) => {
    await expect(work()).rejects.toThrow('lost');
    return false;
  });
  commandOf('everything')?.run({ ...console, acting: { ...console.acting, run } });
  await vi.waitFor(() => expect(run).toHaveResolvedWith(false));
  const { recorded, recordingSince } = ui.getState();
  expect([recordingSince, whatsNow(console, undefined, recorded).at(-1)?.value]).toEqual(['', 'recorded']);
});

test('an empty record whose answer comes late leaves the record of a later recording', async () => {
  const { console, call, said, ui } = consoleWith({ filter: '', since: AT });
  const answers: ((found: { readonly total: number }) => void)[] = [];
  const late = new Promise<{ readonly total: number }>((resolve) => void answers.push(resolve));
  call.mockReturnValueOnce(late).mockResolvedValueOnce({ total: 2 });
  commandOf('everything')?.run(console);
  ui.setState({ recordingSince: '2026-03-02T10:00:00.000Z' });
  commandOf('everything')?.run(console);
  await vi.waitFor(() => expect(said).toHaveLength(1));
  const { recorded } = ui.getState();
  answers[0]?.({ total: 0 });
  await vi.waitFor(() => expect(said).toHaveLength(2));
  expect(recorded).toMatchObject({ since: '2026-03-02T10:00:00.000Z' });
  expect(ui.getState().recorded).toEqual(recorded);
});

test('a recording goes on when the list gets another filter, and its end leaves that filter', async () => {
  const { console, call, go, change, said, ui } = consoleWith({ filter: 'topic:a', total: 2, since: AT });
  const words = wordsOf(drawn(<RecordPart />, console));
  expect(words).toMatch(/^Record Recording since .* The list of messages shows others, too\. Export what/);
  commandOf('everything')?.run(console);
  await vi.waitFor(() => expect(said).toEqual([expect.stringContaining('2 messages arrived or changed')]));
  expect(call.mock.calls[0]?.[1]).toMatchObject({ filter: expect.stringContaining(`changed:${AT}..`) });
  expect([go.mock.calls, change.mock.calls]).toEqual([[], []]);
  expect(ui.getState().recordingSince).toBe('');
});

test('no second recording begins while one is running', () => {
  const { console } = consoleWith({ filter: '', since: AT });
  expect(commandOf('fromHere')?.when?.(console)).toBe('A recording is running already.');
  expect(commandOf('everything')?.when?.(console)).toBeUndefined();
});

test('the flag of the list narrows it to the recording that is running', () => {
  const { console, change } = consoleWith({ filter: 'topic:orders', path: '/messages', since: AT });
  showFromHere(console);
  expect(change).toHaveBeenCalledWith({ f: `topic:orders ${SINCE}`, off: undefined });
});

test('every other screen says that a recording is running, with the way to the list', () => {
  const mark = (path: string, since: string): string =>
    drawn(<RecordingMark />, consoleWith({ filter: 'topic:a', path, since }).console);
  expect(mark('/apps', '')).toBe('');
  expect(mark('/messages', AT)).toBe('');
  expect(wordsOf(mark('/apps', AT))).toMatch(/^Recording since .*\d\d:\d\d:\d\d$/);
  expect(mark('/apps', AT)).toContain('href="/messages?f=topic%3Aa"');
});
