/** Caches the identity service's published keys, and fetches them again for a key that is not among them. */
import { createLocalJWKSet, errors } from 'jose';
import type { FlattenedJWSInput, JSONWebKeySet, JWSHeaderParameters } from 'jose';
import { errorText } from '../../contract/error-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { isObject } from '../../domain/json.ts';
import { RouterTrouble } from '../rules/trouble.ts';
import type { Clock } from '../../ports/clock.ts';
import { getJson } from './identity.ts';
import type { TrustedClient } from './trusted-client.ts';

type KeySet = ReturnType<typeof createLocalJWKSet>;
type Key = Awaited<ReturnType<KeySet>>;

const KEPT_MS = 15 * 60_000;
const COOLDOWN_MS = 30_000;
const MAX_KEYS = 20;

export class PublishedKeys {
  readonly #url: string;
  readonly #client: TrustedClient;
  readonly #clock: Clock;
  #set: KeySet | undefined;
  #fetchedAt: number | undefined;
  #fetchedMono = 0;
  /** Time of the last fetch for an unknown key; undefined: never. */
  #askedMono: number | undefined;
  #asking: Promise<void> | undefined;
  #kids: readonly string[] = [];
  #error: string | undefined;

  constructor(url: string, client: TrustedClient, clock: Clock) {
    this.#url = url;
    this.#client = client;
    this.#clock = clock;
  }

  /** The published keys for display. */
  get report(): { url: string; fetchedAt?: string; kids: readonly string[]; error?: string } {
    return {
      url: this.#url,
      ...(this.#fetchedAt === undefined ? {} : { fetchedAt: new Date(this.#fetchedAt).toISOString() }),
      kids: this.#kids,
      ...withoutUndefined({ error: this.#error }),
    };
  }

  /** Fetches the keys now; concurrent calls are joined. Rejects RouterTrouble EVR-ID-02. */
  refresh(signal?: AbortSignal): Promise<void> {
    this.#asking ??= this.#fetch(signal).finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /**
   * The key with which a token was signed. Rejects with the library's errors, or RouterTrouble if the keys
   * cannot be fetched.
   */
  async keyOf(header: JWSHeaderParameters, token: FlattenedJWSInput): Promise<Key> {
    const isFresh = this.#set !== undefined && this.#clock.monotonic() - this.#fetchedMono < KEPT_MS;
    if (!isFresh) await this.refresh();
    try {
      return await this.#local()(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey) || !this.#mayAskAgain()) throw error;
      this.#askedMono = this.#clock.monotonic();
      await this.refresh();
      return this.#local()(header, token);
    }
  }

  #local(): KeySet {
    if (this.#set === undefined) throw new RouterTrouble('EVR-ID-02', 'there are no published keys');
    return this.#set;
  }

  #mayAskAgain(): boolean {
    return this.#askedMono === undefined || this.#clock.monotonic() - this.#askedMono >= COOLDOWN_MS;
  }

  async #fetch(signal: AbortSignal | undefined): Promise<void> {
    try {
      const document = await getJson(this.#client, this.#url, 'EVR-ID-02', signal);
      const keys = readKeys(document);
      this.#set = createLocalJWKSet(keys);
      this.#kids = keys.keys.flatMap(({ kid }) => kid ?? []);
      this.#fetchedAt = this.#clock.now();
      this.#fetchedMono = this.#clock.monotonic();
      this.#error = undefined;
    } catch (error) {
      this.#error = errorText(error);
      throw error;
    }
  }
}

function readKeys(document: Readonly<Record<string, unknown>>): JSONWebKeySet {
  const { keys } = document;
  const list: readonly unknown[] = Array.isArray(keys) ? keys : [];
  if (list.length === 0) throw new RouterTrouble('EVR-ID-02', 'no keys are published');
  if (list.length > MAX_KEYS)
    throw new RouterTrouble('EVR-ID-02', `${list.length} keys are published; at most ${MAX_KEYS} are read`);
  return {
    keys: list.filter(isObject).map((one) => ({ ...one, kty: String(one['kty']) })),
  };
}
