// The window's page: shown when painted, given up when it stays blank, and loaded again on request when it dies.
import path from 'node:path';
import * as electron from 'electron';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { servePage } from '../../electron/page.ts';
import { createWindow, offerReload, showPage } from '../../electron/window.ts';
import { askedFor, behind, forget, world } from './stand-in.ts';

const RENDERER = path.resolve(import.meta.dirname, '..', '..', 'renderer');
const PLACE = { width: 900, height: 700, maximized: false };

let window: electron.BrowserWindow;
beforeEach(() => {
  forget();
  servePage(electron.session.defaultSession, RENDERER);
  window = createWindow(PLACE, electron.session.defaultSession);
});

/** The error of a promise, caught at once so that no rejection stands alone while the clock is moved. */
const failureOf = (act: Promise<void>): Promise<string> =>
  act.then(
    () => 'nothing',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

describe('showing the page', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('the window is shown once the page is painted and has sent its first message', async () => {
    await showPage(window, Promise.resolve(), 1000);
    expect(behind(window).shown).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a page that says nothing is given up after the limit', async () => {
    const given = failureOf(showPage(window, new Promise(() => undefined), 1000));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await given).toBe('it loaded and stayed blank for 1 s');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('a page that speaks and is never painted is given up as well, and not shown', async () => {
    world.paints = false;
    const given = failureOf(showPage(window, Promise.resolve(), 1000));
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1));
    await vi.advanceTimersByTimeAsync(1000);
    expect(await given).toContain('stayed blank');
    expect(behind(window).shown).toBe(false);
  });
});

describe('a page that dies', () => {
  const die = async (reason: string): Promise<void> => {
    offerReload(window);
    behind(window).webContents.emit('render-process-gone', {}, { reason, exitCode: 1 });
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
  };

  test('is loaded again after a yes', async () => {
    world.answers = [0];
    await die('crashed');
    expect(askedFor('dialog.showMessageBox')[0]?.[0]).toMatchObject({
      detail: expect.stringContaining('crashed'),
    });
    expect(askedFor('contents.reload')).toHaveLength(1);
  });

  test('is left after a no', async () => {
    await die('oom');
    expect(askedFor('contents.reload')).toEqual([]);
  });

  test('in order, is no question', async () => {
    await die('clean-exit');
    expect(askedFor('dialog.showMessageBox')).toEqual([]);
  });
});
