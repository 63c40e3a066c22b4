/**
 * Names that the page and the server share for the page's key: how the page gets it and proves that it has
 * it.
 */

/**
 * Member of the fragment of the address to which `/open` redirects. Its value is a code that can be used
 * once, within a minute.
 */
export const ENTER_MARK = 'enter';
/**
 * `POST {code, claim}` returns `PageKey` and uses up the code. A repeat with the same claim (a UUID that the
 * page made up) works for a minute.
 */
export const ENTER_PATH = '/enter';
/** `POST` without a body returns `PageChallenge`, which the page signs to open a WebSocket. */
export const CHALLENGE_PATH = '/challenge';
/** WebSocket protocol of a page; a second protocol carries the proof. */
export const PAGE_PROTOCOL = 'sidelight.page';

export interface PageKey {
  /** Key for HMAC-SHA-256, base64url. It is valid only for the address that received it. */
  readonly key: string;
}

export interface PageChallenge {
  /** Challenge of letters, digits, `-`, `_` and `.`. It can be used once, within half a minute. */
  readonly challenge: string;
}

const PROOF = 'proof';

/** The second protocol of a page: the challenge and its signature, base64url. It holds no secret. */
export function proofProtocol(challenge: string, signature: string): string {
  return `${PROOF}.${signature}.${challenge}`;
}

/** Reads a proof; undefined: the protocol is no proof. */
export function readProof(
  protocol: string,
): { readonly challenge: string; readonly signature: string } | undefined {
  const [word, signature, ...challenge] = protocol.split('.');
  if (word !== PROOF || signature === undefined || challenge.length === 0) return undefined;
  return { signature, challenge: challenge.join('.') };
}
