/** Tells a file of settings of ours from a Configuration document of the reference: both are given with `--config`. */
import { yaml } from '../adapters/component-files/yaml-library.ts';
import { configText } from './config-file.ts';

/** @param path of a file that is there; one that cannot be parsed is none, and whoever reads it as settings says what is wrong. Throws UsageError for one that is too much. */
export function isReferenceConfiguration(path: string): boolean {
  const documents = yaml().parseAllDocuments(configText(path));
  return Array.isArray(documents) && documents.some((one) => one.get?.('kind') === 'Configuration');
}
