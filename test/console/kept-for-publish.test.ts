/** Saved values of the publish and mock app screens: requests as files, drafts, own presets; they exist after a restart. */
import { describe, expect, test } from 'vitest';
import { inMemoryConsole } from './in-memory-console.ts';

const REQUEST = { pubsubname: 'pubsub', topic: 'orders', data: '{"n":{{counter}}}' };
const RULE = { enabled: true, match: { topic: 'orders' }, answer: { kind: 'respond', status: 503 } } as const;

describe('saved requests as a file', () => {
  test('an exported file is imported again, by another console too; equal ids are replaced', async () => {
    const { call } = inMemoryConsole();
    const one = await call('requests.save', {
      name: 'paid / now',
      folder: 'Orders',
      shortcut: 3,
      request: REQUEST,
    });
    const two = await call('requests.save', { name: 'b', request: { ...REQUEST, metadata: { k: 'v' } } });
    const file = await call('requests.export', {});
    expect(file).toMatchObject({ fileName: 'requests.sidelight.json', count: 2 });
    expect((await call('requests.export', { requestIds: [one.requestId] })).fileName).toBe(
      'paid-now.sidelight.json',
    );

    const other = inMemoryConsole();
    // Ids are counted in a test: those of the file are not to be met.
    for (const name of ['x', 'y']) {
      const { requestId } = await other.call('requests.save', { name, request: REQUEST });
      await other.call('requests.remove', { requestId });
    }
    await other.call('requests.save', { name: 'mine', shortcut: 3, request: REQUEST });
    expect(await other.call('requests.import', { text: file.text })).toMatchObject({ added: 2, replaced: 0 });
    expect((await other.call('requests.list', {})).items).toMatchObject([
      { name: 'mine' },
      { name: 'paid / now', folder: 'Orders', shortcut: 3, requestId: one.requestId },
      { name: 'b', requestId: two.requestId, request: { metadata: { k: 'v' } } },
    ]);
    expect((await other.call('requests.list', {})).items[0]).not.toHaveProperty('shortcut');
    expect(await other.call('requests.import', { text: file.text })).toMatchObject({ added: 0, replaced: 2 });
  });

  test.each([
    ['{', 'text', 'The file is not JSON'],
    ['[]', 'file', 'file must be an object'],
    ['{"sidelight":"requests","version":2}', 'file.version', 'file.version must be 1, found the number 2.'],
    [
      JSON.stringify({
        sidelight: 'requests',
        version: 1,
        requests: [{ requestId: 'a', name: 'n', request: { topic: 't' } }],
      }),
      'file.requests[0].request.pubsubname',
      'must be a string',
    ],
    [
      JSON.stringify({
        sidelight: 'requests',
        version: 1,
        requests: [{ requestId: 'a', name: 'n', shortcut: 10, request: REQUEST }],
      }),
      'file.requests[0].shortcut',
      'must be a whole number 1 to 9, found the number 10.',
    ],
  ])('%s is refused, and nothing changed', async (text, field, message) => {
    const { call, refused } = inMemoryConsole();
    expect(await refused('requests.import', { text })).toMatchObject({
      message: expect.stringContaining(message),
      data: { code: 'INVALID_PARAMS', field },
    });
    expect((await call('requests.list', {})).items).toEqual([]);
  });

  test('the refusal of an unknown id names it', async () => {
    const { refused } = inMemoryConsole();
    expect(await refused('requests.export', { requestIds: ['x'] })).toMatchObject({
      data: { code: 'NOT_FOUND' },
    });
  });
});

test('drafts are there again after a restart, with the moment', async () => {
  const first = inMemoryConsole();
  expect(await first.call('drafts.get', {})).toEqual({ drafts: null, savedAt: null });
  const drafts = { single: [{ topic: 'orders' }] };
  const { savedAt } = await first.call('drafts.set', { drafts });
  await first.console.close();
  const again = inMemoryConsole(first.clock, first);
  expect(await again.call('drafts.get', {})).toEqual({ drafts, savedAt });
  expect(await again.refused('drafts.set', { drafts: 'x'.repeat(6 * 1024 * 1024) })).toMatchObject({
    data: { code: 'TOO_LARGE', field: 'drafts', expected: 'at most 6291456 characters' },
  });
});

test('drafts replace only the copy that they were written over, where they name one', async () => {
  const { call } = inMemoryConsole();
  const first = await call('drafts.set', { drafts: 'a', over: null });
  expect(await call('drafts.set', { drafts: 'b', over: null })).toEqual({ ...first, theirs: 'a' });
  const second = await call('drafts.set', { drafts: 'c', over: first.savedAt });
  expect(second.savedAt > first.savedAt).toBe(true);
  expect(await call('drafts.set', { drafts: 'd', over: first.savedAt })).toEqual({ ...second, theirs: 'c' });
  expect(await call('drafts.get', {})).toEqual({ drafts: 'c', ...second });
  expect(await call('drafts.set', { drafts: 'e' })).not.toHaveProperty('theirs');
  expect(await call('drafts.get', {})).toMatchObject({ drafts: 'e' });
});

test('drafts of two windows that save at once are not replaced by each other', async () => {
  const { call } = inMemoryConsole();
  const answers = await Promise.all(['a', 'b'].map((drafts) => call('drafts.set', { drafts, over: null })));
  expect(answers.map((answer) => answer.theirs)).toEqual([undefined, 'a']);
});

describe('own presets', () => {
  test('stand after the built-in ones, are used, changed and removed', async () => {
    const { call, refused, saved } = inMemoryConsole();
    const made = await call('mockApp.savePreset', {
      title: 'Mine',
      rules: [{ ...RULE, ruleId: 'r', hits: 3 }],
    });
    expect(made).toMatchObject({ title: 'Mine', group: 'own', rules: [RULE] });
    expect(made.rules[0]).not.toHaveProperty('ruleId');
    expect((await call('mockApp.presets', {})).items.at(-1)).toEqual(made);
    await call('mockApp.usePreset', { preset: made.preset });
    expect(saved.get('rules')).toEqual([RULE]);
    const { preset } = made;
    expect(await call('mockApp.savePreset', { title: 'Other', rules: [], preset })).toMatchObject({
      preset,
      title: 'Other',
    });
    expect(await call('mockApp.removePreset', { preset })).toMatchObject({ title: 'Other' });
    expect((await call('mockApp.presets', {})).items).toEqual([]);
    expect(await refused('mockApp.removePreset', { preset })).toMatchObject({
      data: { code: 'NOT_FOUND', field: 'preset' },
    });
  });

  test('are there again after a restart', async () => {
    const first = inMemoryConsole();
    const made = await first.call('mockApp.savePreset', { title: 'Mine', rules: [RULE] });
    await first.console.close();
    expect((await inMemoryConsole(first.clock, first).call('mockApp.presets', {})).items).toEqual([made]);
  });
});

test('a mock app is turned off, and its counters start again', async () => {
  const { call, saved } = inMemoryConsole();
  await call('mockApp.resetCounters', {});
  await call('mockApp.turn', { on: false });
  expect([saved.get('counters'), saved.get('on')]).toEqual([0, false]);
});

describe('saved values have a size limit', () => {
  const LARGE = 'x'.repeat(7 * 1024 * 1024);
  const full = { code: 'TOO_LARGE', expected: expect.stringContaining('at most 33554432 characters of all') };

  test('saved requests beyond it are refused, and those that are kept stay', async () => {
    const { call, refused } = inMemoryConsole();
    const request = { pubsubname: 'pubsub', topic: 'orders', data: LARGE };
    const kept = [];
    for (let i = 0; i < 4; i += 1) kept.push(await call('requests.save', { name: `r${i}`, request }));
    expect(await refused('requests.save', { name: 'more', request })).toMatchObject({
      data: { ...full, field: 'request' },
    });
    const file = {
      sidelight: 'requests',
      version: 1,
      requests: [{ requestId: 'new', name: 'filed', request }],
    };
    expect(await refused('requests.import', { text: JSON.stringify(file) })).toMatchObject({
      data: { ...full, field: 'text' },
    });
    expect((await call('requests.list', {})).items).toEqual(kept);
    const [first] = kept;
    const smaller = { pubsubname: 'pubsub', topic: 'orders', data: 'small' };
    await call('requests.save', { requestId: first?.requestId ?? '', name: 'r0', request: smaller });
    await call('requests.save', { name: 'more', request });
    expect((await call('requests.list', {})).items).toHaveLength(5);
  });

  test('own sets of answers beyond it are refused', async () => {
    const { call, refused } = inMemoryConsole();
    const rules = Array.from({ length: 2 }, () => ({
      enabled: true,
      match: {},
      answer: { kind: 'respond', status: 200, body: LARGE.slice(0, 3_500_000) } as const,
    }));
    for (let i = 0; i < 4; i += 1) await call('mockApp.savePreset', { title: `p${i}`, rules });
    expect(await refused('mockApp.savePreset', { title: 'more', rules })).toMatchObject({
      data: { ...full, field: 'rules' },
    });
    const own = (await call('mockApp.presets', {})).items.filter(({ group }) => group === 'own');
    expect(own).toHaveLength(4);
  });
});
