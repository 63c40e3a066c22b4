/**
 * Notices that a window began as a copy of another one that is still open, as a duplicated tab does: the browser copies the window's own storage
 * with it.
 */
import { randomId } from '../client/random-id.ts';

/** The parts of a page that are used. */
export interface CopyPage {
  readonly sessionStorage: Pick<Storage, 'getItem' | 'setItem'>;
  /** Reaches the other windows of this browser, and not the page itself. */
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'>;
}

export const WINDOW_KEY = 'sidelight.window';

/** A page asks who has its window's name, and the page that has it answers that one. */
interface Said {
  readonly kind: 'asks' | 'has';
  readonly name: string;
  /** The page that asks. */
  readonly by: string;
}

function isSaid(data: unknown): data is Said {
  const { kind, name, by } = (data ?? {}) as Partial<Record<keyof Said, unknown>>;
  return (kind === 'asks' || kind === 'has') && typeof name === 'string' && typeof by === 'string';
}

/** The name of the window in its storage; undefined: it has none, or the storage cannot be read. */
function nameIn({ sessionStorage }: CopyPage): string | undefined {
  try {
    return sessionStorage.getItem(WINDOW_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

function newName({ sessionStorage }: CopyPage): string {
  const name = randomId();
  try {
    sessionStorage.setItem(WINDOW_KEY, name);
  } catch {
    // Forbidden or full storage: the name lasts until the page is left.
    return name;
  }
  return name;
}

/** A page of a browser; reading one of its members may throw, where the browser forbids it. */
interface BrowserPage {
  readonly sessionStorage: CopyPage['sessionStorage'];
  readonly BroadcastChannel: new (name: string) => CopyPage['channel'];
}

/** Notices a copy as `noticeCopy` does. A page whose browser forbids storage or channels, or has none, starts all the same and notices nothing. */
export function noticeCopyOfPage(page: BrowserPage, onCopy: () => void): () => void {
  try {
    const { sessionStorage, BroadcastChannel } = page;
    return noticeCopy({ sessionStorage, channel: new BroadcastChannel('sidelight.windows') }, onCopy);
  } catch {
    return () => undefined;
  }
}

/**
 * Asks the other windows, and answers them.
 * @param onCopy called if this window is the copy; the other one goes on as before
 * @returns ends it
 */
export function noticeCopy(page: CopyPage, onCopy: () => void): () => void {
  const { channel } = page;
  const by = randomId();
  const known = nameIn(page);
  let name = known ?? newName(page);
  channel.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (!isSaid(data) || data.name !== name) return;
    if (data.kind === 'asks') channel.postMessage({ kind: 'has', name, by: data.by } satisfies Said);
    else if (data.by === by) {
      name = newName(page);
      onCopy();
    }
  });
  if (known !== undefined) channel.postMessage({ kind: 'asks', name, by } satisfies Said);
  return () => channel.close();
}
