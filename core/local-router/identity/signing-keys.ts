/** Keys that sign tokens: made at first use, published before they are used, and kept afterwards. */
import path from 'node:path';
import { calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { readPrivate, writePrivate } from '../store/private-folder.ts';

interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly publicJwk: JWK;
  readonly createdMs: number;
  /** Time from which the key signs. */
  readonly signsFromMs: number;
}

export interface SigningKeysOptions {
  readonly folder?: string;
  readonly now: () => number;
}

const FILE = 'token-keys.json';
const PUBLISH_AHEAD_MS = 5 * 60_000;
const MAX_TOKEN_MS = 3_600_000;
const AFTER_MS = 10 * 60_000;
const ROTATE_AFTER_MS = 30 * 86_400_000;

/** RS256 keys. The private ones leave this object only into a file with mode 0600. */
export class SigningKeys {
  readonly #options: SigningKeysOptions;
  #keys: SigningKey[];
  /** The first key, while it is being made. */
  #first: Promise<void> | undefined;

  private constructor(options: SigningKeysOptions, keys: SigningKey[]) {
    this.#options = options;
    this.#keys = keys;
  }

  /** Opens the keys. Throws RouterError EVR-SEC-01 if others can read the file. */
  static open(options: SigningKeysOptions): SigningKeys {
    const text = options.folder === undefined ? undefined : readPrivate(path.join(options.folder, FILE));
    const kept: unknown = text === undefined ? [] : JSON.parse(text);
    const keys = Array.isArray(kept) ? kept.filter(isKey) : [];
    return new SigningKeys(options, keys);
  }

  /** The key that signs now. It is rotated after 30 days. */
  async current(): Promise<{ readonly kid: string; readonly key: CryptoKey }> {
    await this.#ensure();
    const now = this.#options.now();
    const youngest = this.#keys.at(-1);
    if (youngest !== undefined && now - youngest.createdMs > ROTATE_AFTER_MS) await this.rotate(false);
    const signing = this.#signing();
    if (signing === undefined) throw new Error('there is no signing key');
    return { kid: signing.kid, key: await privateKey(signing.privateJwk) };
  }

  /** A key that is not published, for the token that must fail verification. */
  static async stray(): Promise<{ readonly kid: string; readonly key: CryptoKey }> {
    const { privateKey: key, publicKey } = await generateKeyPair('RS256', { modulusLength: 2048 });
    return { kid: await calculateJwkThumbprint(await exportJWK(publicKey)), key };
  }

  /** Publishes a new key. It signs at once, or after caches of the keys had time to be renewed. */
  async rotate(now: boolean): Promise<void> {
    const pair = await generateKeyPair('RS256', { modulusLength: 2048, extractable: true });
    const publicJwk = await exportJWK(pair.publicKey);
    const kid = await calculateJwkThumbprint(publicJwk);
    const createdMs = this.#options.now();
    this.#drop();
    this.#keys.push({
      kid,
      privateJwk: await exportJWK(pair.privateKey),
      publicJwk,
      createdMs,
      signsFromMs: now ? createdMs : createdMs + PUBLISH_AHEAD_MS,
    });
    this.#keep();
  }

  /** The published set. */
  async jwks(issuer: string): Promise<{ readonly keys: readonly JWK[] }> {
    await this.#ensure();
    this.#drop();
    return {
      keys: this.#keys.map(({ kid, publicJwk }) => ({
        ...publicJwk,
        use: 'sig',
        kid,
        alg: 'RS256',
        x5t: kid,
        issuer,
      })),
    };
  }

  status(): readonly { readonly kid: string; readonly since: string; readonly current: boolean }[] {
    const signing = this.#signing();
    return this.#keys.map((key) => ({
      kid: key.kid,
      since: new Date(key.createdMs).toISOString(),
      current: key === signing,
    }));
  }

  /** Makes the first key when it is needed, because that takes a tenth of a second. */
  async #ensure(): Promise<void> {
    if (this.#keys.length > 0) return;
    this.#first ??= this.rotate(true);
    await this.#first;
  }

  #signing(): SigningKey | undefined {
    const now = this.#options.now();
    return this.#keys.findLast(({ signsFromMs }) => signsFromMs <= now) ?? this.#keys[0];
  }

  /** Removes a key once the next one has signed for longer than any of its tokens is valid. */
  #drop(): void {
    const now = this.#options.now();
    const kept = this.#keys.filter((_key, index) => {
      const next = this.#keys[index + 1];
      return next === undefined || now < next.signsFromMs + MAX_TOKEN_MS + AFTER_MS;
    });
    if (kept.length === this.#keys.length) return;
    this.#keys = kept;
    this.#keep();
  }

  #keep(): void {
    if (this.#options.folder === undefined) return;
    writePrivate(path.join(this.#options.folder, FILE), JSON.stringify(this.#keys));
  }
}

async function privateKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'RS256');
  if (key instanceof Uint8Array) throw new Error('the signing key is not an RSA key');
  return key;
}

function isKey(value: unknown): value is SigningKey {
  return typeof value === 'object' && value !== null && 'kid' in value && 'privateJwk' in value;
}
