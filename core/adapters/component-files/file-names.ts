/** Checks of the names of files in the resources folder. */
import { realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';

import { hasCode } from '../../contract/error-text.ts';
import { DEVICE } from '../../domain/names.ts';
import { Refusal } from '../../domain/refusal.ts';

const YAML_NAME = /\.ya?ml$/i;
const MAX_NAME_LENGTH = 200;

/** Is it a file that is loaded? Editors' lock and shadow files are not. */
export function isResourceName(name: string): boolean {
  return YAML_NAME.test(name) && !name.startsWith('.#') && !name.startsWith('._');
}

/** Throws Refusal INVALID_PARAMS unless it is the plain name of a YAML file, with no way out of the folder. */
export function checkFileName(name: string): void {
  const plain =
    !/[/\\:*?"<>|\u0000-\u001f\u007f]/.test(name) && !name.startsWith('.') && name.length <= MAX_NAME_LENGTH;
  if (plain && isResourceName(name) && !DEVICE.test(name)) return;
  const expected = 'the name of a .yaml or .yml file in the folder, without a path';
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: `file must be ${expected}, found ${JSON.stringify(name)}.` },
    { field: 'file', expected },
  );
}

/** Throws Refusal INVALID_PARAMS when a link leads out of the folder, NOT_FOUND without folder; a file that is not there is fine. */
export async function checkStaysInside(folder: string, name: string): Promise<void> {
  const inside = await realpath(folder).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    throw new Refusal('NOT_FOUND', { reason: `The folder ${folder} does not exist.` }, { cause: error });
  });
  const target = await realpath(join(folder, name)).catch((error: unknown) => {
    if (isMissing(error)) return join(inside, name);
    throw error;
  });
  if (target.startsWith(inside.endsWith(sep) ? inside : inside + sep)) return;
  throw new Refusal(
    'INVALID_PARAMS',
    { reason: `${name} is a link that leads out of the folder.` },
    { field: 'file', expected: 'a file of the folder' },
  );
}

/** Does the system say that there is no such file? */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT');
}
