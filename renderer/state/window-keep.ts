/** The storage of one window, which outlives its reloads. What it could not send before it was closed is for the next new window. */
import { randomId } from '../client/random-id.ts';
import type { Keep } from './ui.ts';

/** The parts of a page that are used. */
export type KeepingPage = Pick<Window, 'localStorage' | 'sessionStorage' | 'addEventListener'>;

/** Name in the window's own storage of the key under which its value was left for others. */
const nameOf = (key: string): string => `${key}.left`;

/** Puts the value where a new window finds it. */
function leave({ localStorage, sessionStorage }: KeepingPage, key: string): void {
  const value = sessionStorage.getItem(key);
  if (value === null) return;
  const name = `${nameOf(key)}.${randomId()}`;
  try {
    sessionStorage.setItem(nameOf(key), name);
    localStorage.setItem(name, value);
  } catch {
    // Full storage cannot be fixed here. A reload still finds the value, only a closed window loses it.
    return;
  }
}

/** Takes back what was left, as the window is still there. */
function takeBack(page: KeepingPage, key: string): void {
  try {
    const { localStorage, sessionStorage } = page;
    const name = sessionStorage.getItem(nameOf(key));
    if (name === null) return;
    localStorage.removeItem(name);
    sessionStorage.removeItem(nameOf(key));
  } catch {
    // Where the browser forbids storage, nothing was left.
    return;
  }
}

/** Gives a new window what a closed one left, or what an earlier build kept for all windows. */
function inherit({ localStorage, sessionStorage }: KeepingPage, key: string): string | null {
  const names = Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? '');
  const name = names.find((each) => each.startsWith(`${nameOf(key)}.`)) ?? key;
  const value = localStorage.getItem(name);
  if (value === null) return null;
  sessionStorage.setItem(key, value);
  localStorage.removeItem(name);
  return value;
}

/** Makes the storage of the window that shows a page. */
export function keepOfWindow(page: KeepingPage): Keep {
  return {
    getItem(key) {
      takeBack(page, key);
      return page.sessionStorage.getItem(key) ?? inherit(page, key);
    },
    setItem: (key, value) => page.sessionStorage.setItem(key, value),
    onLeave(key, isUnsent) {
      page.addEventListener('pagehide', () => {
        if (isUnsent()) leave(page, key);
      });
      // A page that was left can come back as it was.
      page.addEventListener('pageshow', () => takeBack(page, key));
    },
  };
}
