/**
 * Stores the page's key in IndexedDB, which a browser keeps per origin, port included, and which stores key
 * objects.
 */
import type { KeyShelf } from './page-key.ts';
import { isProofKey } from './proof-key.ts';

const DATABASE = 'sidelight';
const STORE = 'keys';
const KEY = 'page';

/**
 * Makes the store of the key. Its functions reject if the browser has no IndexedDB or does not allow its use.
 */
export function createKeyShelf(browser: { readonly indexedDB: IDBFactory }): KeyShelf {
  return {
    async read() {
      const found: unknown = await inStore(browser, 'readonly', (store) => store.get(KEY));
      return isProofKey(found) ? found : undefined;
    },
    async write(key) {
      await inStore(browser, 'readwrite', (store) => store.put(key, KEY));
    },
  };
}

async function inStore(
  { indexedDB }: { readonly indexedDB: IDBFactory },
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest,
): Promise<unknown> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(STORE));
  const database = await resultOf(opening);
  try {
    return await resultOf(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
  });
}
