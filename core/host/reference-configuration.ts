import { yaml } from '../adapters/component-files/yaml-library.ts';
import { configText } from './config-file.ts';

/**
 * Whether a file given with `--config` is a Configuration document of the reference, and no settings file. One that cannot be parsed is
 * none; the reader of the settings reports the mistake.
 * @param path path of an existing file
 * @throws UsageError if it is too large
 */
export function isReferenceConfiguration(path: string): boolean {
  const documents = yaml().parseAllDocuments(configText(path));
  return Array.isArray(documents) && documents.some((one) => one.get?.('kind') === 'Configuration');
}
