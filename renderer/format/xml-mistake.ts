/**
 * Finds mistakes in XML. The browser's own parser does not exist in a worker, and adds a style to its error,
 * which the policy of the page forbids.
 */
import { SaxesParser } from 'saxes';
import { XML } from '../copy/xml.ts';
import type { JsonMistake } from '../../core/contract/json-position.ts';
import { clause } from '../../core/contract/error-text.ts';

/** Largest piece between two progress reports, as a share of the text. */
const PIECE = 1 / 40;
const MIN_PIECE = 1024;

/** An ampersand that begins no reference, or a section in which ampersands are plain text. */
const BARE_AMPERSAND = /<!--[^]*?-->|<!\[CDATA\[[^]*?\]\]>|<\?[^]*?\?>|&(?![^\s<>&;]+;)/gu;

/**
 * The first mistake; undefined: the text is well-formed, with its namespace prefixes. Lines and columns count from 1. With a document type
 * unknown entities are allowed.
 * @param onProgress called now and then with the number of characters that are done
 */
export function xmlMistake(text: string, onProgress?: (offset: number) => void): JsonMistake | undefined {
  const found = parserMistake(text, onProgress);
  if (found === undefined) return undefined;
  const ampersand = bareAmpersand(text);
  if (ampersand !== undefined && ampersand < found.at) return mistakeAt(text, ampersand, XML.ampersand);
  return mistakeAt(text, found.at, found.message);
}

interface Found {
  readonly at: number;
  readonly message: string;
}

function parserMistake(text: string, onProgress?: (offset: number) => void): Found | undefined {
  const parser = new SaxesParser({ xmlns: true, position: false });
  let found: Found | undefined;
  let isEnd = false;
  let hasType = false;
  parser.on('doctype', () => {
    hasType = true;
  });
  parser.on('error', ({ message }) => {
    if (hasType && message === UNKNOWN_ENTITY) return;
    found ??= {
      at: isEnd ? text.length : offsetOf(text, parser.position),
      message: clause(message),
    };
  });
  const piece = Math.max(MIN_PIECE, Math.ceil(text.length * PIECE));
  for (let at = 0; at < text.length && found === undefined; at += piece) {
    parser.write(text.slice(at, at + piece));
    onProgress?.(Math.min(text.length, at + piece));
  }
  isEnd = true;
  if (found === undefined) parser.close();
  return found;
}

const UNKNOWN_ENTITY = 'undefined entity.';

/**
 * Offset of a mistake. The parser stops after it: a whole tag is reported at its begin, anything else at its
 * last character.
 */
function offsetOf(text: string, position: number): number {
  const tag = text.lastIndexOf('<', position - 1);
  const isTag = tag !== -1 && text.indexOf('>', tag) === position - 1;
  return isTag ? tag : Math.max(0, position - 1);
}

/**
 * Offset of a bare ampersand. The parser would search the end of the reference up to the end of the text, and
 * then report something else.
 */
function bareAmpersand(text: string): number | undefined {
  for (const { 0: part, index } of text.matchAll(BARE_AMPERSAND)) if (part === '&') return index;
  return undefined;
}

function mistakeAt(text: string, at: number, message: string): JsonMistake {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, message };
}
