/** Resources, drafts, choices, places, pending commands. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { RpcFailure } from '../../renderer/client/rpc-client.ts';
import { createCommandsStore } from '../../renderer/state/commands.ts';
import { createNavigation, readHashRoute, type AddressBar } from '../../renderer/state/navigation.ts';
import { createDrafts } from '../../renderer/state/publish-drafts.ts';
import { createResource } from '../../renderer/state/resource.ts';
import { createToasts } from '../../renderer/state/toasts.ts';
import { createUiStore, type Keep } from '../../renderer/state/ui.ts';
import { settle } from './fake-pipe.ts';

function memoryKeep(
  first: Readonly<Record<string, string>> = {},
): Keep & { readonly all: Map<string, string> } {
  const all = new Map(Object.entries(first));
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('resource', () => {
  test('loads when somebody watches it, and not before', async () => {
    const load = vi.fn<() => Promise<number>>(async () => 1);
    const resource = createResource(load);
    expect(resource.store.getState().status).toBe('idle');
    resource.invalidate();
    expect(load).not.toHaveBeenCalled();
    const stop = resource.watch();
    await settle();
    expect(resource.store.getState()).toMatchObject({ status: 'ready', value: 1 });
    stop();
    resource.invalidate();
    expect(load).toHaveBeenCalledTimes(1);
    resource.watch();
    await settle();
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('loads once more after many changes, and after a pause', async () => {
    const load = vi.fn<() => Promise<number>>(async () => 1);
    const resource = createResource(load);
    resource.watch();
    await settle();
    for (let n = 0; n < 50; n += 1) resource.invalidate();
    expect(load).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(250);
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('keeps the last value with the error when loading fails', async () => {
    let isBroken = false;
    const resource = createResource(async () => {
      if (isBroken) throw new RpcFailure('no', { code: 'INTERNAL' });
      return 'kept';
    });
    await resource.refresh();
    isBroken = true;
    await resource.refresh();
    expect(resource.store.getState()).toMatchObject({ status: 'failed', value: 'kept' });
    expect(resource.store.getState().failure?.message).toBe('no');
  });

  test('a lost connection is no failure of the list, which waits for the next change', async () => {
    const resource = createResource(async () => {
      throw new RpcFailure('lost', { code: 'CONNECTION_LOST' });
    });
    await resource.refresh();
    expect(resource.store.getState()).toMatchObject({ status: 'loading', failure: undefined });
  });

  test('a load requested before the connection is open runs as soon as it is', async () => {
    let isOpen = false;
    const load = vi.fn<() => Promise<number>>(async () => {
      if (!isOpen) throw new RpcFailure('lost', { code: 'CONNECTION_LOST' });
      return 1;
    });
    const resource = createResource(load, 60_000);
    resource.watch();
    await settle();
    isOpen = true;
    resource.invalidate();
    await settle();
    expect(resource.store.getState().value).toBe(1);
    // From then on the gap holds.
    resource.invalidate();
    await settle();
    expect(load).toHaveBeenCalledTimes(2);
  });

  test('counts a value from another answer as fresh', async () => {
    const load = vi.fn<() => Promise<number>>(async () => 1);
    const resource = createResource(load);
    resource.accept(7);
    resource.watch();
    await settle();
    expect(resource.store.getState().value).toBe(7);
    expect(load).not.toHaveBeenCalled();
  });
});

describe('choices', () => {
  test('are kept and read again', () => {
    const keep = memoryKeep();
    createUiStore(keep).setState({ theme: 'dark', appId: 'orders' });
    expect(createUiStore(keep).getState()).toMatchObject({
      theme: 'dark',
      appId: 'orders',
      density: 'compact',
    });
  });

  test.each(['', 'not json', '[]', 'null', '{"fontSize":"large","lastFilters":{}}'])(
    'damaged storage (%s) means the defaults',
    (text) => {
      expect(createUiStore(memoryKeep({ 'sidelight.ui': text })).getState()).toMatchObject({
        fontSize: 13,
        lastFilters: [],
      });
    },
  );

  test('two windows share their choices, except for the app of each', () => {
    const values = new Map<string, string>();
    const windows: (() => void)[] = [];
    const opened = (): ReturnType<typeof createUiStore> => {
      const at = windows.length;
      return createUiStore({
        getItem: (key) => values.get(key) ?? null,
        setItem: (key, value) => {
          values.set(key, value);
          for (const [place, tell] of windows.entries()) if (place !== at) tell();
        },
        onChange: (_key, changed) => void windows.push(changed),
      });
    };
    const [one, two] = [opened(), opened()];
    one.setState({ theme: 'dark', appId: 'shop' });
    expect(two.getState()).toMatchObject({ theme: 'dark', appId: '' });
    two.setState({ density: 'comfortable' });
    expect(one.getState()).toMatchObject({ theme: 'dark', density: 'comfortable', appId: 'shop' });
    expect(opened().getState()).toMatchObject({ theme: 'dark', density: 'comfortable', appId: 'shop' });
  });

  test('the recording of a window is its own, over a reload too, and no other window has it', () => {
    const [shared, first, second] = [memoryKeep(), memoryKeep(), memoryKeep()];
    const recording = { recordingSince: '2026-03-01T10:00:00.000Z', recordedIn: '/data' };
    createUiStore(shared, first).setState({ ...recording, theme: 'dark' });
    expect(createUiStore(shared, first).getState()).toMatchObject({ ...recording, theme: 'dark' });
    const other = { recordingSince: '', recordedIn: '', theme: 'dark' };
    expect(createUiStore(shared, second).getState()).toMatchObject(other);
    // The desktop has one window, and one storage.
    createUiStore(shared).setState(recording);
    expect(createUiStore(shared).getState()).toMatchObject({ ...recording, theme: 'dark' });
  });

  test('a window that was not told yet undoes nothing that another one chose', () => {
    const values = new Map<string, string>();
    const keep: Keep = {
      getItem: (key) => values.get(key) ?? null,
      setItem: (key, value) => void values.set(key, value),
    };
    const [one, two] = [createUiStore(keep), createUiStore(keep)];
    one.setState({ theme: 'dark' });
    two.setState({ density: 'comfortable' });
    expect(createUiStore(keep).getState()).toMatchObject({ theme: 'dark', density: 'comfortable' });
  });

  test('storage that refuses costs only the keeping', () => {
    const ui = createUiStore({
      getItem: () => {
        throw new Error('forbidden');
      },
      setItem: () => {
        throw new Error('full');
      },
    });
    ui.setState({ theme: 'light' });
    expect(ui.getState().theme).toBe('light');
  });
});

describe('drafts', () => {
  test('outlive a restart', () => {
    const keep = memoryKeep();
    const drafts = createDrafts(keep);
    drafts.editSingle({ topic: 'orders', data: '{"a":1}', envelope: 'own' });
    drafts.editBulk({ entries: [{ id: 1, entryId: '1', contentType: 'text/plain', event: 'x' }] });
    drafts.editEntry(1, { event: 'y' });
    vi.runAllTimers();
    const again = createDrafts(keep).store.getState();
    expect(again.single).toMatchObject({ topic: 'orders', data: '{"a":1}', envelope: 'own' });
    expect(again.bulk.entries).toEqual([{ id: 1, entryId: '1', contentType: 'text/plain', event: 'y' }]);
  });

  test('are written once typing rests, and when the window ends', () => {
    const keep = memoryKeep();
    const drafts = createDrafts(keep);
    drafts.editSingle({ topic: 'a' });
    expect(keep.all.size).toBe(0);
    drafts.dispose();
    expect(keep.all.get('sidelight.drafts')).toContain('"topic":"a"');
  });
});

describe('places in the address', () => {
  class Bar implements AddressBar {
    readonly location = { hash: '' };
    readonly entries: string[] = [];
    readonly history = {
      pushState: (_data: unknown, _unused: string, url: string): void => this.#go(url, true),
      replaceState: (_data: unknown, _unused: string, url: string): void => this.#go(url, false),
    };
    #take: (() => void) | undefined;

    #go(url: string, isNew: boolean): void {
      this.location.hash = url;
      if (isNew) this.entries.push(url);
    }

    addEventListener(_type: string, take: () => void): void {
      this.#take = take;
    }

    removeEventListener(): void {
      this.#take = undefined;
    }

    type(hash: string): void {
      this.location.hash = hash;
      this.#take?.();
    }
  }

  test.each([
    ['', { path: '/messages', search: '' }],
    ['#/?f=x', { path: '/messages', search: 'f=x' }],
    ['#/messages', { path: '/messages', search: '' }],
    ['#/messages?f=topic%3Aorders&m=1', { path: '/messages', search: 'f=topic%3Aorders&m=1' }],
    ['#logs', { path: '/logs', search: '' }],
  ])('reads %s', (hash, place) => {
    expect(readHashRoute(hash)).toEqual(place);
  });

  test('set, change and remove parameters, with one history entry each', () => {
    const bar = new Bar();
    const navigation = createNavigation(bar);
    navigation.go('/messages', { f: 'topic:orders data.x>1' });
    navigation.change({ m: 'msg_1' });
    navigation.change({ t: 'attempts' }, { replace: true });
    expect(navigation.param('f')).toBe('topic:orders data.x>1');
    expect(navigation.param('t')).toBe('attempts');
    navigation.change({ m: undefined, t: '' });
    expect(bar.location.hash).toBe('#/messages?f=topic%3Aorders+data.x%3E1');
    expect(bar.entries).toHaveLength(3);
    bar.type('#/holds');
    expect(navigation.store.getState().path).toBe('/holds');
  });
});

describe('toasts and pending commands', () => {
  test('news waits until the toast of an act is closed, and never replaces it', () => {
    const toasts = createToasts();
    const shown = (): string | undefined => toasts.store.getState().toasts.at(-1)?.text;
    toasts.done('Dropped.', { title: 'Undo', run: () => undefined });
    toasts.news('3 parked');
    toasts.news('4 parked');
    expect(shown()).toBe('Dropped.');
    toasts.close(toasts.store.getState().toasts.at(-1)?.id ?? 0);
    expect(shown()).toBe('4 parked');
    toasts.done('Held.');
    expect(shown()).toBe('Held.');
  });

  test('a failure toast closes when the person leaves the screen, and stays in the list', () => {
    const toasts = createToasts();
    toasts.failed('The topic is not valid.');
    toasts.done('Copied.');
    toasts.leave();
    expect(toasts.store.getState().toasts.map(({ text }) => text)).toEqual(['Copied.']);
    expect(toasts.store.getState().past.map(({ text }) => text)).toContain('The topic is not valid.');
  });

  test('the newest shows, errors until they are closed; fifty are remembered', () => {
    const toasts = createToasts();
    for (let n = 1; n <= 60; n += 1) toasts.done(`done ${n}`);
    const state = toasts.store.getState();
    expect(state.toasts.map(({ text }) => text)).toEqual(['done 60']);
    expect(state.past).toHaveLength(50);
    expect(state.past[0]?.text).toBe('done 60');
    toasts.failed('refused');
    toasts.done('done 61');
    const texts = (): readonly string[] => toasts.store.getState().toasts.map(({ text }) => text);
    expect(texts()).toEqual(['refused', 'done 61']);
    const last = toasts.store.getState().toasts.at(-1);
    if (last !== undefined) toasts.close(last.id);
    expect(texts()).toEqual(['refused']);
  });

  test('a command is pending until all its runs ended, also failed ones', async () => {
    const commands = createCommandsStore();
    const pending = (): boolean => commands.store.getState().pending.has('drop');
    let refuse: (reason: Error) => void = () => undefined;
    const first = commands.during('drop', () => Promise.resolve(1));
    const second = commands.during('drop', () => new Promise((_resolve, reject) => (refuse = reject)));
    expect(pending()).toBe(true);
    await first;
    expect(pending()).toBe(true);
    refuse(new Error('no'));
    await expect(second).rejects.toThrow('no');
    expect(pending()).toBe(false);
  });
});
