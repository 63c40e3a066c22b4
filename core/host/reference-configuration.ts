/** Tells a file of settings of ours from a Configuration document of the reference: both are given with `--config`. */
import { readFileSync } from 'node:fs';
import { yaml } from '../adapters/component-files/yaml-library.ts';
import { exceededBy } from '../adapters/component-files/yaml-limits.ts';

/** @param path of a file that is there; one that cannot be parsed is none, and whoever reads it as settings says what is wrong */
export function isReferenceConfiguration(path: string): boolean {
  const text = readFileSync(path, 'utf8');
  if (exceededBy(text) !== undefined) return false;
  const documents = yaml().parseAllDocuments(text);
  return Array.isArray(documents) && documents.some((one) => one.get?.('kind') === 'Configuration');
}
