/** Recognises bytes of other protocols by a line of a head, or the beginning of one, before the head is complete. */
import { METHODS } from 'node:http';

/** Part of a head that is not complete. */
export interface HeadPart {
  /** One line without its end, or what has come of it. */
  readonly text: string;
  readonly isFirst: boolean;
  /** The end of the line has come. */
  readonly isWhole: boolean;
}

/** `PRI` begins HTTP/2, which gets an answer of its own. */
const METHOD_NAMES: readonly string[] = [...METHODS, 'PRI'];
const VERSIONS: readonly string[] = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0'];
const TARGET = /^[!-~\u0080-\u00ff]*$/;
const HEADER = /^[!#$%&'*+.^_`|~0-9a-z-]+:[\t -~\u0080-\u00ff]*$/i;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]*$/i;
const CONTINUED = /^[ \t]/;
const STATUS_LINE = /^HTTP\/1\.[01] \d{3}(?: |$)/;
/** A status line of which only the beginning has come has as many of these characters as have come. */
const STATUS_LINES: readonly string[] = ['HTTP/1.1 000', 'HTTP/1.0 000'];

/**
 * Whether this may be in the head of a request. The rules are those of strict servers, which answer the first wrong byte: an odd head that
 * other servers take is read all the same if it comes in one piece.
 */
export function mayBeInRequest({ text, isFirst, isWhole }: HeadPart): boolean {
  if (isFirst) return mayBeRequestLine(text, isWhole);
  return CONTINUED.test(text) || HEADER.test(text) || (!isWhole && HEADER_NAME.test(text));
}

function mayBeRequestLine(text: string, isWhole: boolean): boolean {
  const [method = '', target, version, ...more] = text.split(' ');
  if (more.length > 0) return false;
  if (target === undefined) return !isWhole && METHOD_NAMES.some((name) => name.startsWith(method));
  if (!METHOD_NAMES.includes(method) || !TARGET.test(target)) return false;
  if (version === undefined) return !isWhole;
  return target !== '' && VERSIONS.some((one) => (isWhole ? one === version : one.startsWith(version)));
}

/** Whether this may be in the head of an answer. Clients read a whole head before they judge it, so only the first line tells. */
export function mayBeInAnswer({ text, isFirst, isWhole }: HeadPart): boolean {
  if (!isFirst || STATUS_LINE.test(text)) return true;
  const form = text.slice(0, 'HTTP/1.1 '.length) + text.slice('HTTP/1.1 '.length).replaceAll(/\d/g, '0');
  return !isWhole && STATUS_LINES.some((line) => line.startsWith(form));
}
