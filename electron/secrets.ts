// Keeps secrets encrypted by the operating system's key store; where there is no real one, keeps nothing and says so.
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { safeStorage } from 'electron';
import { errorText } from '../core/contract/error-text.ts';

export interface SecretStore {
  /** The secret, or undefined: never kept, or kept and not readable any more (then `tell` got the reason; ask again). */
  get(name: string): Promise<string | undefined>;
  /** Keeps or, with undefined, forgets it. @returns why it was not kept, in words; undefined when it was */
  set(name: string, value: string | undefined): Promise<string | undefined>;
}

export interface SecretSettings {
  /** Holds name -> encrypted value in base64. */
  readonly file: string;
  readonly platform: NodeJS.Platform;
  /** Gets one sentence, without the secret, when something kept cannot be read. */
  readonly tell: (text: string) => void;
}

/** Backends of Linux that encrypt with a password known to everyone, or are not chosen yet. */
const NO_REAL_STORE: readonly string[] = ['basic_text', 'unknown'];

/** A store over one file. Use after the app is ready; calls on one store follow each other. */
export function createSecretStore({ file, platform, tell }: SecretSettings): SecretStore {
  let last: Promise<unknown> = Promise.resolve();
  /** One after another: two writers would lose one of the two values. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const turn = last.then(act);
    // Whoever asked hears of a failure; the next one only has to come after it.
    last = turn.catch(() => undefined);
    return turn;
  };

  async function get(name: string): Promise<string | undefined> {
    const kept = await readKept(file);
    const sealed = kept.get(name);
    if (sealed === undefined) return undefined;
    const refusal = await whyNoStore(platform);
    if (refusal !== undefined) {
      tell(`the secret ${name} cannot be read: ${refusal}`);
      return undefined;
    }
    try {
      const { result, shouldReEncrypt } = await safeStorage.decryptStringAsync(Buffer.from(sealed, 'base64'));
      if (shouldReEncrypt) await keep(file, kept, name, result);
      return result;
    } catch (error) {
      tell(`the secret ${name} cannot be read: ${errorText(error)}`);
      return undefined;
    }
  }

  async function set(name: string, value: string | undefined): Promise<string | undefined> {
    // Forgetting needs no key store, and must work after one has gone.
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

/** Whoever saved a secret is told so once it is on disk. */
async function onDisk(name: string, flag: 'w' | 'r', text: string): Promise<void> {
  const handle = await open(name, flag, 0o600);
  try {
    if (flag === 'w') await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @throws Error when the file is there and is not ours; nothing is overwritten then */
async function readKept(file: string): Promise<Map<string, string>> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return new Map();
    throw error;
  }
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null) throw new Error(`${file} is not a file of secrets`);
  const entries = Object.entries(value).flatMap(([name, sealed]): [string, string][] =>
    typeof sealed === 'string' ? [[name, sealed]] : [],
  );
  return new Map(entries);
}
