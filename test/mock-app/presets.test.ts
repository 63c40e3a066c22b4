/** Every preset over real HTTP, judged by the interface's tables: it leads where its menu entry says. */
import { describe, expect, test } from 'vitest';

import { readAnswer, readBulkAnswer } from '../../core/domain/answer.ts';
import { judgeBulk, judgeSingle } from '../../core/domain/verdict.ts';
import type { Verdict } from '../../core/domain/verdict.ts';
import { batch, channelToMock, openMockApp, responseOf, send, single } from '../support/mock-app-parts.ts';

function stateAfter({ outcome }: Pick<Verdict, 'outcome'>): string {
  return outcome === 'retry' ? 'retrying' : outcome;
}

describe('every preset leads to its documented state', () => {
  test('has its row here, and a name of its own', async () => {
    const presets = (await openMockApp()).presets();
    const ids = presets.map(({ preset }) => preset);
    expect(ids).toEqual([...new Set(ids)]);
    const rows = [
      'S1',
      'S1b',
      'S2',
      'S3',
      'S4',
      'S5',
      'S6',
      'S7',
      'S8',
      'B1',
      'B1r',
      'B1d',
      'B1m',
      'B2',
      'B3',
      'B4',
    ];
    expect(ids.slice(0, rows.length)).toEqual(rows);
    expect(ids.slice(rows.length)).toEqual([
      'everything-succeeds',
      'everything-fails',
      'flaky',
      'down',
      'slow',
      'hang',
      'reset',
      'ask',
    ]);
  });

  test.each([
    ['S1', 'single.2xx.empty'],
    ['S1b', 'single.2xx.empty'],
    ['S2', 'single.2xx.success'],
    ['S3', 'single.2xx.retry'],
    ['S4', 'single.2xx.drop'],
    ['S5', 'single.2xx.other'],
    ['S6', 'single.2xx.invalid'],
    ['S7', 'single.404'],
    ['S8', 'single.other'],
    ['everything-succeeds', 'single.2xx.success'],
    ['everything-fails', 'single.other'],
    ['B1', 'single.2xx.success'],
    ['B1r', 'single.2xx.retry'],
    ['B1d', 'single.2xx.drop'],
  ])('%s on a single delivery is row %s', async (preset, row) => {
    const app = await openMockApp();
    app.usePreset(preset);
    const { status, text } = responseOf(await send(channelToMock(app), single()).answer);
    const verdict = judgeSingle(readAnswer(status, text));
    expect(verdict.rule).toBe(row);
    expect(stateAfter(verdict)).toBe(app.presets().find((one) => one.preset === preset)?.leadsTo);
  });

  test.each([
    ['B1', ['processed', 'processed', 'processed', 'processed', 'processed']],
    ['B1r', ['retrying', 'retrying', 'retrying', 'retrying', 'retrying']],
    ['B1d', ['dropped', 'dropped', 'dropped', 'dropped', 'dropped']],
    ['B1m', ['processed', 'retrying', 'retrying', 'dropped', 'processed']],
    ['B2', ['retrying', 'retrying', 'retrying', 'retrying', 'retrying']],
    ['B3', ['dropped', 'dropped', 'dropped', 'dropped', 'dropped']],
    ['B4', ['retrying', 'retrying', 'retrying', 'retrying', 'retrying']],
    ['everything-succeeds', ['processed', 'processed', 'processed', 'processed', 'processed']],
    ['S2', ['retrying', 'retrying', 'retrying', 'retrying', 'retrying']],
  ])('%s on a batch leads each entry to its documented state', async (preset, states) => {
    const app = await openMockApp();
    app.usePreset(preset);
    const entryIds = ['a', 'b', 'c', 'd', 'e'];
    const { status, text } = responseOf(await send(channelToMock(app), batch(entryIds)).answer);
    const { verdicts } = judgeBulk(readBulkAnswer(status, text), entryIds);
    expect(entryIds.map((id) => stateAfter(verdicts.get(id) ?? { outcome: 'processed' }))).toEqual(states);
  });

  test('S8 answers with 500, 400 and 302 in turn', async () => {
    const app = await openMockApp();
    app.usePreset('S8');
    const channel = channelToMock(app);
    const statuses: number[] = [];
    for (let n = 0; n < 4; n++) statuses.push(responseOf(await send(channel, single()).answer).status);
    expect(statuses).toEqual([500, 400, 302, 500]);
  });

  test('flaky fails for random numbers below 0.2', async () => {
    const draws = [0.19, 0.2];
    const app = await openMockApp({ random: { next: () => draws.shift() ?? 0 } });
    app.usePreset('flaky');
    const channel = channelToMock(app);
    expect(responseOf(await send(channel, single()).answer).status).toBe(503);
    expect(responseOf(await send(channel, single()).answer)).toMatchObject({
      status: 200,
      text: '{"status":"SUCCESS"}',
    });
  });

  test.each(['down', 'reset'])('%s resets the connection', async (preset) => {
    const app = await openMockApp();
    app.usePreset(preset);
    expect(await send(channelToMock(app), single()).answer).toMatchObject({ kind: 'none', code: 'reset' });
  });

  test('an unknown preset is refused and changes nothing', async () => {
    const app = await openMockApp();
    app.usePreset('S7');
    expect(() => app.usePreset('S99')).toThrow('S99');
    expect(app.state().rules).toHaveLength(1);
  });
});
