// State of the stand-in for a test: all calls to Electron, in order, and the simulated machine.
import { EventEmitter } from 'node:events';

type Real = typeof import('electron');
type Rectangle = import('electron').Rectangle;

/** One thing that the shell asked of Electron, in the order in which it was asked. */
export interface Asked {
  readonly what: string;
  readonly with: readonly unknown[];
}
export const asked: Asked[] = [];
const waiting = new EventEmitter().setMaxListeners(0);
export function note(what: string, ...detail: readonly unknown[]): void {
  asked.push({ what, with: detail });
  waiting.emit(what);
}
/** Resolves when this has been asked, at once when it was before. */
export const when = (what: string): Promise<void> =>
  new Promise((resolve) => {
    if (asked.some((entry) => entry.what === what)) resolve();
    else waiting.once(what, () => resolve());
  });
export const askedFor = (what: string): readonly unknown[][] =>
  asked.filter((entry) => entry.what === what).map((entry) => [...entry.with]);

/** Values that a test sets before it starts the shell, or while it runs. */
export const world = {
  hasLock: true,
  userData: '',
  /** Answers of the next message boxes, in order; none left: the box's own `cancelId`. */
  answers: [] as number[],
  workArea: { x: 0, y: 0, width: 1920, height: 1080 } satisfies Rectangle,
  keyStore: {
    available: true,
    backend: 'gnome_libsecret' as ReturnType<Real['safeStorage']['getSelectedStorageBackend']>,
  },
  /** A page that is loaded but never painted. */
  paints: true,
};
