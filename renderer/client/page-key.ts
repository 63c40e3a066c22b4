/** The page's key to its console: got by a link's code, kept by the browser for this origin alone, and never sent to anybody. */
import {
  CHALLENGE_PATH,
  ENTER_MARK,
  ENTER_PATH,
  PAGE_PROTOCOL,
  proofProtocol,
} from '../../core/contract/page-auth.ts';
import type { PageChallenge, PageKey } from '../../core/contract/page-auth.ts';

/** Where the browser keeps the key between loads of the page. */
export interface KeyShelf {
  read(): Promise<CryptoKey | undefined>;
  write(key: CryptoKey): Promise<void>;
}

export interface PageKeyPorts {
  /** `POST` to a path of the page's own origin. */
  readonly post: (path: string, body: string) => Promise<Response>;
  readonly shelf: KeyShelf;
  /** What the address said when the page was opened. */
  readonly entry: Entry | undefined;
  /** The entry was used, or is not good any more. */
  readonly entered: () => void;
}

/** What is changed for a key. The claim is made up here: with it the page may ask again when it missed the answer. */
export interface Entry {
  readonly code: string;
  readonly claim: string;
}

const ENTRY = 'sidelight.entry';

const HMAC = { name: 'HMAC', hash: 'SHA-256' } as const;

/**
 * The code of a one-time link, taken out of the address and of the history at once. This tab keeps it until it was changed for a
 * key, for a page that is loaded again before that.
 */
export function takeEntry(
  page: Pick<Window, 'location' | 'history' | 'sessionStorage'>,
): Pick<PageKeyPorts, 'entry' | 'entered'> {
  const { location, history, sessionStorage: kept } = page;
  const code = new RegExp(`^#${ENTER_MARK}=([\\w-]+)$`).exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, '', location.pathname);
    kept.setItem(ENTRY, `${code} ${crypto.randomUUID()}`);
  }
  const [waiting, claim] = kept.getItem(ENTRY)?.split(' ') ?? [];
  const entry = waiting === undefined || claim === undefined ? undefined : { code: waiting, claim };
  return { entry, entered: () => kept.removeItem(ENTRY) };
}

/**
 * Gives what shows for one WebSocket that this page has a key: its protocols.
 * The function rejects with `UNAUTHORIZED` when there is no key, and with the reason when the host does not answer.
 */
export function createPageKey(ports: PageKeyPorts): () => Promise<readonly string[]> {
  /** A browser that keeps nothing still has the key until the page is loaded again. */
  let here: CryptoKey | undefined;
  const entered = ports.entry === undefined ? undefined : enter(ports, ports.entry);
  return async () => {
    here = (await entered) ?? here;
    // Another tab may have got a newer one by a new link.
    const key = (await readShelf(ports.shelf)) ?? here;
    if (key === undefined) throw new Error('UNAUTHORIZED');
    const answer = await ports.post(CHALLENGE_PATH, '');
    if (!answer.ok) throw new Error(answer.status === 403 ? 'FORBIDDEN' : String(answer.status));
    const { challenge } = (await answer.json()) as PageChallenge;
    const bytes = await crypto.subtle.sign(HMAC.name, key, new TextEncoder().encode(challenge));
    return [PAGE_PROTOCOL, proofProtocol(challenge, toBase64Url(new Uint8Array(bytes)))];
  };
}

/** Changes the code for a key that no script can read, and keeps it; undefined: the code is not good any more. */
async function enter({ post, shelf, entered }: PageKeyPorts, entry: Entry): Promise<CryptoKey | undefined> {
  // Where the host does not answer, the entry waits for the next load of the page.
  const answer = await post(ENTER_PATH, JSON.stringify(entry)).catch(() => undefined);
  if (answer?.ok !== true) {
    if (answer !== undefined) entered();
    return undefined;
  }
  const { key } = (await answer.json()) as PageKey;
  const made = await crypto.subtle.importKey('raw', fromBase64Url(key), HMAC, false, ['sign']);
  await shelf.write(made).catch(noShelf);
  entered();
  return made;
}

/** Some browsers keep nothing in a private window: then the key lives as long as the page. */
const noShelf = (): undefined => undefined;

function readShelf(shelf: KeyShelf): Promise<CryptoKey | undefined> {
  return shelf.read().catch(noShelf);
}

function toBase64Url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  const plain = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}
