/** How a page of the console gets its key and shows that it has it: the names that the page and the server share. */

/** Member of the fragment that `/open` leads a page to: a code that is good once, and only for a minute. */
export const ENTER_MARK = 'enter';
/** `POST {code, claim}` gives `PageKey`; the code is used up, but for the same claim (a UUID that the page made up) within a minute. */
export const ENTER_PATH = '/enter';
/** `POST` without a body gives `PageChallenge`: what the page has to sign to open a WebSocket. */
export const CHALLENGE_PATH = '/challenge';
/** WebSocket protocol of a page; beside it stands the one that carries the proof. */
export const PAGE_PROTOCOL = 'sidelight.page';

export interface PageKey {
  /** Key for HMAC-SHA-256, base64url; good for the address that it was given to. */
  readonly key: string;
}

export interface PageChallenge {
  /** Letters, digits, `-`, `_` and `.`; good once, for half a minute. */
  readonly challenge: string;
}

const PROOF = 'proof';

/** The second protocol of a page: the challenge and its signature, base64url. No secret is in it. */
export function proofProtocol(challenge: string, signature: string): string {
  return `${PROOF}.${signature}.${challenge}`;
}

/** undefined: this protocol is no proof. */
export function readProof(
  protocol: string,
): { readonly challenge: string; readonly signature: string } | undefined {
  const [word, signature, ...challenge] = protocol.split('.');
  if (word !== PROOF || signature === undefined || challenge.length === 0) return undefined;
  return { signature, challenge: challenge.join('.') };
}
