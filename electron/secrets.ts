// Stores secrets encrypted by the operating system's key store. Without a real key store it stores nothing
// and says so.
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { safeStorage } from 'electron';
import { errorText, hasCode } from '../core/contract/error-text.ts';

export interface SecretStore {
  /**
   * Reads a secret; undefined: it was never stored, or is not readable any more (then `report` got the reason;
   * ask again).
   */
  get(name: string): Promise<string | undefined>;
  /**
   * Stores a secret; undefined removes it.
   * @returns why it was not stored, in words; undefined: it was
   */
  set(name: string, value: string | undefined): Promise<string | undefined>;
}

export interface SecretSettings {
  /** File with encrypted values in base64, by name. */
  readonly file: string;
  readonly platform: NodeJS.Platform;
  /** Receives one sentence, without the secret, when a stored value cannot be read. */
  readonly report: (text: string) => void;
}

/** Backends of Linux that encrypt with a known password, or are not chosen yet. */
const NO_REAL_STORE: readonly string[] = ['basic_text', 'unknown'];

/** A store over one file. Use it after the app is ready; calls on one store run one after another. */
export function createSecretStore({ file, platform, report }: SecretSettings): SecretStore {
  let last: Promise<unknown> = Promise.resolve();
  /** Runs acts one after another, because concurrent writers would lose one of the values. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const turn = last.then(act);
    // The caller gets the error; the next act only has to wait.
    last = turn.catch(() => undefined);
    return turn;
  };

  async function get(name: string): Promise<string | undefined> {
    const kept = await readKept(file);
    const sealed = kept.get(name);
    if (sealed === undefined) return undefined;
    const refusal = await whyNoStore(platform);
    if (refusal !== undefined) {
      report(`the secret ${name} cannot be read: ${refusal}`);
      return undefined;
    }
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'));
      if (shouldReEncrypt) await keep(file, kept, name, result);
      return result;
    } catch (error) {
      report(`the secret ${name} cannot be read: ${errorText(error)}`);
      return undefined;
    }
  }

  async function set(name: string, value: string | undefined): Promise<string | undefined> {
    // Removing needs no key store, and must work after one has disappeared.
    const refusal = value === undefined ? undefined : await whyNoStore(platform);
    if (refusal !== undefined) return refusal;
    await keep(file, await readKept(file), name, value);
    return undefined;
  }

  return { get: (name) => inTurn(() => get(name)), set: (name, value) => inTurn(() => set(name, value)) };
}

async function whyNoStore(platform: NodeJS.Platform): Promise<string | undefined> {
  if (!(await safeStorage.isAsyncEncryptionAvailable())) return 'the system offers no key store';
  if (platform !== 'linux') return undefined;
  const backend = safeStorage.getSelectedStorageBackend();
  return NO_REAL_STORE.includes(backend) ? `the desktop offers no key store (${backend})` : undefined;
}

async function keep(
  file: string,
  kept: Map<string, string>,
  name: string,
  value: string | undefined,
): Promise<void> {
  if (value === undefined) kept.delete(name);
  else kept.set(name, (await safeStorage.encryptStringAsync(value)).toString('base64'));
  await mkdir(path.dirname(file), { recursive: true });
  const draft = `${file}.new`;
  await onDisk(draft, 'w', JSON.stringify(Object.fromEntries(kept)));
  await rename(draft, file);
  // A new name is on disk once its folder is; Windows has no such call.
  if (process.platform !== 'win32') await onDisk(path.dirname(file), 'r', '');
}

/** Writes a file to disk; resolves once it is safe there. */
async function onDisk(name: string, flag: 'w' | 'r', text: string): Promise<void> {
  const handle = await open(name, flag, 0o600);
  try {
    if (flag === 'w') await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The stored values.
 * @throws Error if the file is no file of secrets; it is then not overwritten
 */
async function readKept(file: string): Promise<Map<string, string>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return new Map();
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`${file} is not a file of secrets`);
  const entries = Object.entries(value).flatMap(([name, sealed]): [string, string][] =>
    typeof sealed === 'string' ? [[name, sealed]] : [],
  );
  return new Map(entries);
}
