/** Reads the file of `--config` within the limits for YAML. Every reader of that file uses this module. */
import type { Document } from 'yaml';
import { exceededBy, YAML_LIMITS } from '../adapters/component-files/yaml-limits.ts';
import { yaml } from '../adapters/component-files/yaml-library.ts';
import { sizeLimit } from '../contract/size-text.ts';
import { errorText } from '../contract/error-text.ts';
import { UsageError } from '../domain/usage-error.ts';
import { aliasComplaint, strayAliasIn, yamlComplaints } from '../domain/yaml-complaint.ts';
import { repeatedKeys } from '../domain/yaml-repeated-keys.ts';
import { boundedText } from './bounded-text.ts';

export interface ConfigFile {
  readonly document: Document.Parsed;
  readonly content: unknown;
  /** `FILE:LINE:COLUMN` of the key at the end of a path of names; of the nearest key around it that the file has, or of its beginning. */
  readonly positionOf: (names: readonly string[]) => string;
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
  const text = configText(path);
  // `repeatedKeys` looks at the keys.
  const document = parseDocument(text, { lineCounter, prettyErrors: false, uniqueKeys: false });
  const at = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${path}:${line}:${col}`;
  };
  const errors = [...document.errors, ...repeatedKeys(document, yaml())];
  const mistakes = yamlComplaints(text, errors).slice(0, MAX_MISTAKES);
  if (mistakes.length > 0)
    throw new UsageError(
      mistakes.map(({ offset, message }) => `--config ${at(offset)}: ${message}`).join('\n'),
    );
  try {
    const content: unknown = document.toJS();
    return { document, content, positionOf: (names) => at(keyOffset(document, names)) };
  } catch (error) {
    // The library resolves aliases only here, so an unknown anchor throws now.
    const alias = strayAliasIn(document, yaml().visit);
    throw bad(alias === undefined ? path : at(alias), aliasComplaint(errorText(error)), error);
  }
}

/** Maximum number of mistakes that are named. */
const MAX_MISTAKES = 20;

/** Index of the last key of a path that the document has; 0: it has not even the first. */
function keyOffset(document: Document.Parsed, names: readonly string[]): number {
  const { isMap, isScalar } = yaml();
  let offset = 0;
  let node: unknown = document.contents;
  for (const name of names) {
    const pair = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === name)
      : undefined;
    if (pair === undefined) break;
    if (isScalar(pair.key)) offset = pair.key.range?.[0] ?? offset;
    node = pair.value;
  }
  return offset;
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
