/** The page's key: got by a code, kept, shown by a signature, and never handed out. */
import { createHmac, webcrypto } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { PAGE_PROTOCOL, readProof } from '../../core/contract/page-auth.ts';
import { createPageKey, takeEntry } from '../../renderer/client/page-key.ts';
import type { KeyShelf } from '../../renderer/client/page-key.ts';
import type { ProofKey } from '../../renderer/client/proof-key.ts';
import { randomId, uuidOf } from '../../renderer/client/random-id.ts';

const SECRET = Buffer.alloc(32, 7);
const CHALLENGE = 'lx.abc.def';

let sent: [path: string, body: string][];
let kept: ProofKey | undefined;
let entering: () => Promise<Response>;
let challenge: () => Response;
beforeEach(() => {
  sent = [];
  kept = undefined;
  entering = async () => Response.json({ key: SECRET.toString('base64url') });
  challenge = () => Response.json({ challenge: CHALLENGE });
});

const shelf: KeyShelf = {
  read: async () => kept,
  write: async (key) => {
    kept = key;
  },
};
const broken: KeyShelf = {
  read: () => Promise.reject(new Error('private window')),
  write: () => Promise.reject(new Error('private window')),
};

let used = 0;
function pageKey(code?: string, on = shelf): () => Promise<readonly string[]> {
  used = 0;
  return createPageKey({
    entry: code === undefined ? undefined : { code, claim: 'mine' },
    entered: () => void (used += 1),
    shelf: on,
    post: (path, body) => {
      sent.push([path, body]);
      return path === '/enter' ? entering() : Promise.resolve(challenge());
    },
  });
}

const signatureOf = (protocols: readonly string[]): string | undefined =>
  readProof(protocols[1] ?? '')?.signature;
const signed = (key: Buffer): string => createHmac('sha256', key).update(CHALLENGE).digest('base64url');

function keyOf(bytes: Buffer): Promise<CryptoKey> {
  return webcrypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
}

describe('the code', () => {
  const bar = (hash: string, tab = new Map<string, string>()) => {
    const seen: unknown[] = [];
    const page = {
      location: { hash, pathname: '/' },
      sessionStorage: {
        getItem: (name: string) => tab.get(name) ?? null,
        setItem: (name: string, value: string) => void tab.set(name, value),
        removeItem: (name: string) => void tab.delete(name),
      },
      history: { replaceState: (...given: unknown[]) => void seen.push(given[2]) },
    };
    return { page: page as unknown as Window, seen };
  };

  test('is removed from the address at once', () => {
    const { page, seen } = bar('#enter=a-B_9');
    expect(takeEntry(page).entry?.code).toBe('a-B_9');
    expect(seen).toEqual(['/']);
  });

  test('stays in its tab with its claim until it was used', () => {
    const tab = new Map<string, string>();
    const first = takeEntry(bar('#enter=a-B_9', tab).page);
    const again = takeEntry(bar('#/topics', tab).page);
    expect(again.entry).toEqual(first.entry);
    expect(again.entry?.claim).toMatch(/^[\w-]{36}$/);
    again.entered();
    expect(takeEntry(bar('', tab).page).entry).toBeUndefined();
  });

  test.each(['', '#/messages', '#enter=', '#enter=a/b', '#/messages?enter=x'])(
    '%s has none and stays',
    (hash) => {
      const { page, seen } = bar(hash);
      expect(takeEntry(page).entry).toBeUndefined();
      expect(seen).toEqual([]);
    },
  );
});

test('a code is changed once for a key that cannot be read, and each connection has a proof', async () => {
  const protocols = pageKey('code');
  for (const _ of [1, 2]) {
    const given = await protocols();
    expect(given[0]).toBe(PAGE_PROTOCOL);
    expect(signatureOf(given)).toBe(signed(SECRET));
    expect(readProof(given[1] ?? '')?.challenge).toBe(CHALLENGE);
  }
  expect(sent).toEqual([
    ['/enter', '{"code":"code","claim":"mine"}'],
    ['/challenge', ''],
    ['/challenge', ''],
  ]);
  expect(kept).toHaveProperty('extractable', false);
  expect(used).toBe(1);
});

test('without a key no proof is requested', async () => {
  await expect(pageKey()()).rejects.toThrow('UNAUTHORIZED');
  expect(sent).toEqual([]);
});

test('an expired code leaves the present key', async () => {
  kept = await keyOf(Buffer.alloc(32, 1));
  entering = async () => Response.json({}, { status: 401 });
  expect(signatureOf(await pageKey('old')())).toBe(signed(Buffer.alloc(32, 1)));
});

test('a key that another tab got since counts', async () => {
  const protocols = pageKey('code');
  await protocols();
  kept = await keyOf(Buffer.alloc(32, 2));
  expect(signatureOf(await protocols())).toBe(signed(Buffer.alloc(32, 2)));
});

test('without storage in the browser the key lasts as long as the page', async () => {
  const protocols = pageKey('code', broken);
  expect(signatureOf(await protocols())).toBe(signed(SECRET));
  expect(signatureOf(await protocols())).toBe(signed(SECRET));
  await expect(pageKey(undefined, broken)()).rejects.toThrow('UNAUTHORIZED');
});

test.each([
  [403, 'FORBIDDEN'],
  [500, '500'],
])('a challenge answered with %i is the reason', async (status, reason) => {
  challenge = () => Response.json({}, { status });
  await expect(pageKey('code')()).rejects.toThrow(reason);
});

test.each([() => Response.json({ challenge: 1 }), () => new Response('<html>')])(
  'another program at the address of the host is not taken for it: challenge %#',
  async (answer) => {
    challenge = answer;
    await expect(pageKey('code')()).rejects.toThrow('another program answers at this address');
  },
);

test('a key that is no text is none, and the code waits for the next load', async () => {
  entering = async () => Response.json({ key: 7 });
  await expect(pageKey('code')()).rejects.toThrow('UNAUTHORIZED');
  expect(used).toBe(0);
});

describe('a page that another machine opened over plain HTTP', () => {
  /** What browsers leave out of such a page. */
  beforeEach(() => {
    vi.stubGlobal('crypto', { getRandomValues: webcrypto.getRandomValues.bind(webcrypto) });
    vi.stubGlobal('CryptoKey', undefined);
  });
  afterEach(() => void vi.unstubAllGlobals());

  test('proves itself, and again with the key that it keeps', async () => {
    expect(signatureOf(await pageKey('abc')())).toBe(signed(SECRET));
    expect(kept).toEqual(new Uint8Array(SECRET));
    expect(signatureOf(await pageKey()())).toBe(signed(SECRET));
  });

  test('has random ids', () => {
    const ids = Array.from({ length: 100 }, randomId);
    expect(new Set(ids).size).toBe(100);
    for (const id of ids)
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidOf(Uint8Array.from({ length: 16 }, (_, n) => n))).toBe('00010203-0405-4607-8809-0a0b0c0d0e0f');
  });
});
