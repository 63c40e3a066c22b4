/** Reads the file of `--config` within the limits for YAML. Every reader of that file uses this module. */
import type { Document } from 'yaml';
import { exceededBy, YAML_LIMITS } from '../adapters/component-files/yaml-limits.ts';
import { yaml } from '../adapters/component-files/yaml-library.ts';
import { sizeLimit } from '../contract/size-text.ts';
import { errorText } from '../contract/error-text.ts';
import { UsageError } from '../domain/usage-error.ts';
import { boundedText } from './bounded-text.ts';

export interface ConfigFile {
  readonly document: Document.Parsed;
  readonly content: unknown;
}

/** Text of the file. Throws UsageError if it is too large to be parsed. */
export function configText(path: string): string {
  const text = textOf(path);
  if (text === undefined) throw bad(path, `the file is larger than ${sizeLimit(YAML_LIMITS.bytes)}`);
  const exceeded = exceededBy(text);
  if (exceeded !== undefined) throw bad(path, exceeded.message);
  return text;
}

/** Content of the `--config` file at `path`. Throws UsageError with the file and the mistake. */
export function configFile(path: string): ConfigFile {
  const { LineCounter, parseDocument } = yaml();
  const lineCounter = new LineCounter();
  const document = parseDocument(configText(path), { lineCounter, prettyErrors: false });
  const [mistake] = document.errors;
  if (mistake !== undefined) {
    const { line, col } = lineCounter.linePos(mistake.pos[0]);
    const isSecond = mistake.code === 'MULTIPLE_DOCS';
    throw bad(`${path}:${line}:${col}`, isSecond ? 'the file has more than one document' : mistake.message);
  }
  try {
    return { document, content: document.toJS() };
  } catch (error) {
    // The library resolves aliases only here, so an unknown anchor throws now.
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
