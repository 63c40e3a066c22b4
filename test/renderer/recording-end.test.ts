/** A recording ends with the history that it began in: after a restart with another folder, or of a host that keeps nothing. */
import { expect, test, vi } from 'vitest';
import type { SystemDescription } from '../../core/contract/console.ts';
import { createConnectionStore } from '../../renderer/state/connection.ts';
import { endRecordingsOfOthers, historyOf } from '../../renderer/state/recording-end.ts';
import { createUiStore, type UiState } from '../../renderer/state/ui.ts';

const AT = '2026-03-01T10:00:00.000Z';

/** A window, and what it is told: the folder of the history, and the start of the host. */
function windowWith(choices: Partial<UiState>) {
  const connection = createConnectionStore({ status: 'open' });
  const ui = createUiStore(undefined);
  ui.setState(choices);
  const news = vi.fn<(text: string) => void>();
  endRecordingsOfOthers({ connection, toasts: { news }, ui });
  const told = (dataDir: string | undefined, epoch: string): void =>
    connection.setState({ system: { dataDir } as SystemDescription, epoch });
  return { connection, ui, news, told };
}

test('a history is its folder, or the start of a host that keeps none', () => {
  const { connection, told } = windowWith({});
  const seen = [historyOf(connection.getState())];
  for (const [dataDir, epoch] of [
    ['/data', 'e1'],
    [undefined, 'e2'],
  ] as const) {
    told(dataDir, epoch);
    seen.push(historyOf(connection.getState()));
  }
  expect(seen).toEqual(['', '/data', 'e2']);
});

test('a recording goes on after a restart with its folder', () => {
  const { ui, news, told } = windowWith({ recordingSince: AT });
  told('/data', 'e1');
  expect(ui.getState().recordedIn).toBe('/data');
  told('/data', 'e2');
  expect(ui.getState()).toMatchObject({ recordingSince: AT, recordedIn: '/data' });
  expect(news).not.toHaveBeenCalled();
});

test.each([
  ['/data', '/other'],
  ['/data', undefined],
  [undefined, '/data'],
  [undefined, undefined],
])('a recording in %s ends after a restart with %s, and says so', (before, after) => {
  const { ui, news, told } = windowWith({ recordingSince: AT });
  told(before, 'e1');
  told(after, 'e2');
  expect(ui.getState()).toMatchObject({ recordingSince: '', recorded: {}, recordedIn: '' });
  expect(news.mock.calls).toEqual([[expect.stringMatching(/^The recording since .+ has ended: Sidelight/)]]);
});

test('what was recorded in another history is not offered any more', () => {
  const { ui, news, told } = windowWith({ recorded: { since: AT, until: AT }, recordedIn: '/data' });
  told('/other', 'e2');
  expect(ui.getState().recorded).toEqual({});
  expect(news).not.toHaveBeenCalled();
});
