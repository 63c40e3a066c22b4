/** The file that `--config` names, read within the bounds of YAML: whoever asks it for something asks here. */
import type { Document } from 'yaml';
import { exceededBy, YAML_LIMITS } from '../adapters/component-files/yaml-limits.ts';
import { yaml } from '../adapters/component-files/yaml-library.ts';
import { sizeLimit } from '../contract/spoken-size.ts';
import { errorText } from '../contract/error-text.ts';
import { UsageError } from '../domain/usage-error.ts';
import { boundedText } from './bounded-text.ts';

export interface ConfigFile {
  readonly document: Document.Parsed;
  readonly content: unknown;
}

/** Its text. Throws UsageError where it is more than may be parsed. */
export function configText(path: string): string {
  const text = textOf(path);
  if (text === undefined) throw bad(path, `the file is larger than ${sizeLimit(YAML_LIMITS.bytes)}`);
  const exceeded = exceededBy(text);
  if (exceeded !== undefined) throw bad(path, exceeded.message);
  return text;
}

/** What the `--config` file at `path` says. Throws UsageError with the file and the mistake. */
export function configFile(path: string): ConfigFile {
  const document = yaml().parseDocument(configText(path), { prettyErrors: true });
  const [mistake] = document.errors;
  if (mistake !== undefined) throw bad(path, mistake.message.split('\n')[0] ?? '');
  try {
    return { document, content: document.toJS() };
  } catch (error) {
    // The library looks for the anchor of an alias only now.
    throw bad(path, errorText(error), error);
  }
}

function textOf(path: string): string | undefined {
  try {
    return boundedText(path, YAML_LIMITS.bytes);
  } catch (error) {
    throw bad(path, errorText(error), error);
  }
}

function bad(path: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`--config ${path}: ${reason}`, { cause });
}
