/** Secrets from a JSON file, behind ports/secrets.ts. Behaviour 10, `secretstores.local.file`. */
import { readFile, stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { eitherOf } from '../../contract/list-text.ts';

import { isObject, tryParse } from '../../domain/json.ts';
import type { Secrets } from '../../ports/secrets.ts';

export interface LocalFileOptions {
  readonly secretsFile: string;
  /** Where a relative `secretsFile` is looked for, in this order. */
  readonly folders: readonly string[];
  /** Joins the names of nested members. Default ":". */
  readonly nestedSeparator?: string;
  /** A top-level member holds several values, each with a key. Default false: every leaf is one secret. */
  readonly multiValued?: boolean;
}

/** Maximum number of members that are read; a secrets file is a small thing, and anything larger is a mistake. */
const MAX_SECRETS = 100_000;

/** Reads the file once. Rejects with what is wrong with it; the text of the file is never part of a message. */
export async function readLocalFileSecrets(options: LocalFileOptions): Promise<Secrets> {
  const file = await find(options);
  const parsed = tryParse((await readFile(file, 'utf8')).replace(/^\uFEFF/, ''));
  if (parsed === undefined || !isObject(parsed.value)) {
    throw new Error(`the secrets file ${file} must hold one JSON object`);
  }
  const separator = options.nestedSeparator ?? ':';
  const byName = new Map<string, ReadonlyMap<string, string>>();
  if (options.multiValued ?? false) {
    for (const [name, value] of Object.entries(parsed.value)) {
      byName.set(name, isObject(value) ? flatten(value, separator) : new Map([[name, plain(value)]]));
    }
  } else {
    for (const [name, value] of flatten(parsed.value, separator)) byName.set(name, new Map([[name, value]]));
  }
  return { get: async (name, key) => byName.get(name)?.get(key ?? name) };
}

async function find(options: LocalFileOptions): Promise<string> {
  const { secretsFile, folders } = options;
  if (secretsFile === '')
    throw new Error('metadata secretsFile is missing: it names the file with the secrets');
  const candidates = isAbsolute(secretsFile)
    ? [secretsFile]
    : folders.map((folder) => resolve(folder, secretsFile));
  for (const candidate of candidates) if (await isFile(candidate)) return candidate;
  throw new Error(`the secrets file was not found: ${eitherOf(candidates)}`);
}

async function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    // A path that cannot be read counts as missing; the error after the last candidate names all paths.
    () => false,
  );
}

function flatten(object: object, separator: string): Map<string, string> {
  const leaves = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        walk(member, path === '' ? name : path + separator + name);
      }
    } else if (leaves.size < MAX_SECRETS) leaves.set(path, plain(value));
    else throw new Error(`the secrets file has more than ${MAX_SECRETS} values`);
  };
  walk(object, '');
  return leaves;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
