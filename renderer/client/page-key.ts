/**
 * The page's key to its console: received for a link's code, kept by the browser for this origin only, and
 * never sent.
 */
import { isObject } from '../../core/contract/is-object.ts';
import {
  CHALLENGE_PATH,
  ENTER_MARK,
  ENTER_PATH,
  PAGE_PROTOCOL,
  proofProtocol,
} from '../../core/contract/page-auth.ts';
import type { PageChallenge, PageKey } from '../../core/contract/page-auth.ts';
import { importProofKey, proofOf, type ProofKey } from './proof-key.ts';
import { randomId } from './random-id.ts';

/** Store in which the browser keeps the key between loads of the page. */
export interface KeyShelf {
  read(): Promise<ProofKey | undefined>;
  write(key: ProofKey): Promise<void>;
}

export interface PageKeyPorts {
  /** Sends a `POST` to a path of the page's own origin. */
  readonly post: (path: string, body: string) => Promise<Response>;
  readonly shelf: KeyShelf;
  /** Code in the address when the page was opened. */
  readonly entry: Entry | undefined;
  /** Called when the entry was used, or is no longer valid. */
  readonly entered: () => void;
}

/**
 * Code that is exchanged for a key. The page makes up the claim, with which it may ask again if it missed the
 * answer.
 */
export interface Entry {
  readonly code: string;
  readonly claim: string;
}

const ENTRY = 'sidelight.entry';

const NO_CONSOLE = 'another program answers at this address';

/**
 * Takes the code of a one-time link out of the address and of the history at once. This tab keeps it until it
 * is exchanged for a key, in case the page is loaded again before that.
 */
export function takeEntry(
  page: Pick<Window, 'location' | 'history' | 'sessionStorage'>,
): Pick<PageKeyPorts, 'entry' | 'entered'> {
  const { location, history, sessionStorage: kept } = page;
  const code = new RegExp(`^#${ENTER_MARK}=([\\w-]+)$`).exec(location.hash)?.[1];
  if (code !== undefined) {
    history.replaceState(null, '', location.pathname);
    kept.setItem(ENTRY, `${code} ${randomId()}`);
  }
  const [waiting, claim] = kept.getItem(ENTRY)?.split(' ') ?? [];
  const entry = waiting === undefined || claim === undefined ? undefined : { code: waiting, claim };
  return { entry, entered: () => kept.removeItem(ENTRY) };
}

/**
 * Makes the function that returns the protocols for one WebSocket, which prove that this page has a key. It
 * rejects with `UNAUTHORIZED` if there is no key, and with the reason if the host does not answer.
 */
export function createPageKey(ports: PageKeyPorts): () => Promise<readonly string[]> {
  /** The key for browsers that store nothing; it lasts until the page is loaded again. */
  let here: ProofKey | undefined;
  const entered = ports.entry === undefined ? undefined : enter(ports, ports.entry);
  return async () => {
    here = (await entered) ?? here;
    // Another tab may have received a newer key through a new link.
    const key = (await readShelf(ports.shelf)) ?? here;
    if (key === undefined) throw new Error('UNAUTHORIZED');
    const answer = await ports.post(CHALLENGE_PATH, '');
    if (!answer.ok) throw new Error(answer.status === 403 ? 'FORBIDDEN' : String(answer.status));
    const challenge = await textIn(answer, 'challenge');
    if (challenge === undefined) throw new Error(NO_CONSOLE);
    return [PAGE_PROTOCOL, proofProtocol(challenge, toBase64Url(await proofOf(key, challenge)))];
  };
}

/**
 * Exchanges the code for a key, and stores it; undefined: the code is no longer
 * valid.
 */
async function enter({ post, shelf, entered }: PageKeyPorts, entry: Entry): Promise<ProofKey | undefined> {
  // The entry waits for the next load of the page if the host does not answer.
  const answer = await post(ENTER_PATH, JSON.stringify(entry)).catch(() => undefined);
  if (answer?.ok !== true) {
    if (answer !== undefined) entered();
    return undefined;
  }
  const key = await textIn(answer, 'key');
  // Another program has the port of the host: the entry waits, as where nobody answers.
  if (key === undefined) return undefined;
  const made = await importProofKey(fromBase64Url(key));
  await shelf.write(made).catch(noShelf);
  entered();
  return made;
}

/** A text of an answer; undefined: it is not that of a host, but of another program that has its port. */
async function textIn(
  answer: Response,
  member: keyof PageChallenge | keyof PageKey,
): Promise<string | undefined> {
  const body: unknown = await answer.json().catch(() => undefined);
  const text = isObject(body) ? body[member] : undefined;
  return typeof text === 'string' ? text : undefined;
}

/**
 * Replaces the store in browsers that store nothing in a private window: the key then lasts as long as the
 * page.
 */
const noShelf = (): undefined => undefined;

function readShelf(shelf: KeyShelf): Promise<ProofKey | undefined> {
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
