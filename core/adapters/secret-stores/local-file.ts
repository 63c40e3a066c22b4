/** Secrets from a JSON file, behind ports/secrets.ts. Behaviour 10, `secretstores.local.file`. */
import { stat } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { eitherOf } from '../../contract/list-text.ts';

import { sizeLimit } from '../../contract/size-text.ts';
import { hasMoreValues, isObject, MAX_DEPTH, nestsTooDeep, tryParse } from '../../domain/json.ts';
import type { Secrets } from '../../ports/secrets.ts';
import { readAtMost } from '../bounded-file.ts';

export interface LocalFileOptions {
  readonly secretsFile: string;
  /** Where a relative `secretsFile` is looked for, in this order. */
  readonly folders: readonly string[];
  /** Joins the names of nested members. Default ":". */
  readonly nestedSeparator?: string;
  /** A top-level member holds several values, each with a key. Default false: every leaf is one secret. */
  readonly multiValued?: boolean;
}

/** Maximum size of the file, and number of its values, lists and objects; a secrets file is a small thing, and anything larger is a mistake. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_SECRETS = 100_000;
/** As `hasMoreValues` counts, a member that is an object is at most five values: its comma, three for its name, its bracket. */
const MEMBER_VALUES = 5;
/** Maximum number of characters of all names: each value has the names around it in its own. */
const MAX_NAMES = 16 * 1024 * 1024;

/** Reads the file once. Rejects with what is wrong with it; the text of the file is never part of a message. */
export async function readLocalFileSecrets(options: LocalFileOptions): Promise<Secrets> {
  const file = await find(options);
  const bytes = await readAtMost(file, MAX_BYTES);
  if (bytes === undefined) throw new Error(`the secrets file ${file} has more than ${sizeLimit(MAX_BYTES)}`);
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  if (nestsTooDeep(text))
    throw new Error(`the secrets file ${file} is nested deeper than ${MAX_DEPTH} levels`);
  // A parse of a million names stops everything else for seconds, so it does not come before every count.
  if (hasMoreValues(text, (MAX_SECRETS + 1) * MEMBER_VALUES)) throw tooManySecrets();
  const parsed = tryParse(text);
  if (parsed === undefined || !isObject(parsed.value)) {
    throw new Error(`the secrets file ${file} must hold one JSON object`);
  }
  const separator = options.nestedSeparator ?? ':';
  const byName = new Map<string, ReadonlyMap<string, string>>();
  const room: Room = { values: MAX_SECRETS, characters: MAX_NAMES };
  if (options.multiValued ?? false) {
    for (const [name, value] of Object.entries(parsed.value)) {
      take(room, name);
      byName.set(name, isObject(value) ? flatten(value, separator, room) : new Map([[name, plain(value)]]));
    }
  } else {
    for (const [name, value] of flatten(parsed.value, separator, room))
      byName.set(name, new Map([[name, value]]));
  }
  return { get: async (name, key) => byName.get(name)?.get(key ?? name) };
}

/** Where the file is looked for, in this order. */
export function placesOf(secretsFile: string, folders: readonly string[]): readonly string[] {
  if (secretsFile === '') return [];
  return isAbsolute(secretsFile) ? [secretsFile] : folders.map((folder) => resolve(folder, secretsFile));
}

async function find(options: LocalFileOptions): Promise<string> {
  const { secretsFile, folders } = options;
  if (secretsFile === '')
    throw new Error('metadata secretsFile is missing: it names the file with the secrets');
  const candidates = placesOf(secretsFile, folders);
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

/** Room for the rest of the file. */
interface Room {
  values: number;
  characters: number;
}

/** Counts a value, a list or an object with its name. */
function take(room: Room, name: string): void {
  room.values -= 1;
  room.characters -= name.length;
  if (room.values < 0) throw tooManySecrets();
  if (room.characters < 0)
    throw new Error(
      `the names in the secrets file, each with those around it, are longer than ${MAX_NAMES / 1024 ** 2} Mi characters`,
    );
}

function tooManySecrets(): Error {
  return new Error(`the secrets file has more than ${MAX_SECRETS} values, lists and objects`);
}

function flatten(object: object, separator: string, room: Room): Map<string, string> {
  const leaves = new Map<string, string>();
  const walk = (value: unknown, path: string): void => {
    if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) {
        const named = path === '' ? name : path + separator + name;
        take(room, named);
        walk(member, named);
      }
      return;
    }
    leaves.set(path, plain(value));
  };
  walk(object, '');
  return leaves;
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
