/** The present route: path and parameters in the address after `#`, readable without a component. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { screenOf } from '../copy/names.ts';

export interface HashRoute {
  /** Path such as `/messages`. */
  readonly path: string;
  /** Parameters such as `f=…&m=…`, without the question mark. */
  readonly search: string;
}

export interface Navigation {
  readonly store: StoreApi<HashRoute>;
  /** Number of times that the user navigated to the place where the page already was. */
  readonly again: StoreApi<number>;
  go(path: string, params?: Readonly<Record<string, string | undefined>>, options?: GoOptions): void;
  /** Path and parameters at which a screen opens: where a person left it; for the present screen its beginning. */
  placeOf(screenPath: string): string;
  /** Opens a screen at that place. */
  visit(screenPath: string): void;
  /** Changes some parameters of the present path; undefined or '' removes one. */
  change(params: Readonly<Record<string, string | undefined>>, options?: GoOptions): void;
  param(name: string): string | undefined;
  dispose(): void;
}

export interface GoOptions {
  readonly replace?: boolean;
}

/** The part of the window that is used, so that a test can replace it. */
export interface AddressBar {
  readonly location: { readonly hash: string };
  readonly history: {
    pushState(data: unknown, unused: string, url: string): void;
    replaceState(data: unknown, unused: string, url: string): void;
  };
  addEventListener(type: 'hashchange' | 'popstate', take: () => void): void;
  removeEventListener(type: 'hashchange' | 'popstate', take: () => void): void;
}

/** Reads `#/messages?f=x` as path and search; an address without a screen means the first one. */
export function readHashRoute(hash: string): HashRoute {
  const text = hash.replace(/^#/, '');
  const cut = text.indexOf('?');
  const path = cut < 0 ? text : text.slice(0, cut);
  return {
    path: path === '' || path === '/' ? '/messages' : path.startsWith('/') ? path : `/${path}`,
    search: cut < 0 ? '' : text.slice(cut + 1),
  };
}

/** A path with its parameters. */
function placeText(path: string, search: string): string {
  return search === '' ? path : `${path}?${search}`;
}

function write(path: string, params: URLSearchParams): string {
  return `#${placeText(path, params.toString())}`;
}

/** Follows the address bar and writes to it. */
export function createNavigation(bar: AddressBar): Navigation {
  const store = createStore<HashRoute>(() => readHashRoute(bar.location.hash));
  const again = createStore<number>(() => 0);
  /** The last place on each screen, by the path of the screen. */
  const left = new Map<string, string>();
  const read = (): void => {
    const route = readHashRoute(bar.location.hash);
    const before = store.getState();
    if (route.path === before.path && route.search === before.search) return;
    left.set(screenOf(before.path).path, placeText(before.path, before.search));
    store.setState(route);
  };
  bar.addEventListener('hashchange', read);
  bar.addEventListener('popstate', read);

  function set(url: string, options: GoOptions | undefined): void {
    if (url === bar.location.hash) {
      again.setState(again.getState() + 1, true);
      return;
    }
    if (options?.replace === true) bar.history.replaceState(null, '', url);
    else bar.history.pushState(null, '', url);
    read();
  }

  function apply(params: URLSearchParams, changes: Readonly<Record<string, string | undefined>>): void {
    for (const [name, value] of Object.entries(changes)) {
      if (value === undefined || value === '') params.delete(name);
      else params.set(name, value);
    }
  }

  function placeOf(screenPath: string): string {
    const isHere = screenOf(store.getState().path).path === screenPath;
    return isHere ? screenPath : (left.get(screenPath) ?? screenPath);
  }

  return {
    store,
    again,
    placeOf,
    visit: (screenPath) => set(`#${placeOf(screenPath)}`, undefined),
    go(path, changes = {}, options) {
      const params = new URLSearchParams();
      apply(params, changes);
      set(write(path, params), options);
    },
    change(changes, options) {
      const { path, search } = store.getState();
      const params = new URLSearchParams(search);
      apply(params, changes);
      set(write(path, params), options);
    },
    param: (name) => new URLSearchParams(store.getState().search).get(name) ?? undefined,
    dispose() {
      bar.removeEventListener('hashchange', read);
      bar.removeEventListener('popstate', read);
    },
  };
}
