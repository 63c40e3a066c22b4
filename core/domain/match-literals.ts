/**
 * Literals of the rule language that the library does not read, in a form that it does: a number that begins with its point (`.5`), bytes
 * without escapes (`br"\d"`), and bytes of characters beyond ASCII (`b"é"`), of which it would take half.
 */

export interface ReadLiterals {
  readonly text: string;
  /** Position in the text that was given, of one in this text. */
  originalAt(position: number): number;
}

/** A literal that stands in another form now. */
interface Change {
  /** Position in the changed text. */
  readonly start: number;
  readonly end: number;
  /** Position in the text that was given. */
  readonly givenStart: number;
  readonly givenEnd: number;
}

/** What may have a literal that is changed. */
const CANDIDATE = /\.\d|[bB][rR]?["']/;

/** Text between quotes, with and without escapes. */
const QUOTED = String.raw`"""(?:\\[^]|[^\\])*?"""|'''(?:\\[^]|[^\\])*?'''|"(?:\\.|[^"\\\n\r])*"|'(?:\\.|[^'\\\n\r])*'`;
const RAW = String.raw`"""[^]*?"""|'''[^]*?'''|"[^"\n\r]*"|'[^'\n\r]*'`;

/** Comments, texts, words and numbers as the reference divides a rule, so that nothing within them is taken for something else. */
const PARTS = new RegExp(
  [
    String.raw`\/\/.*`,
    `[bB][rR](?<raw>${RAW})`,
    `[bB](?<bytes>${QUOTED})`,
    `[rR]?(?:${QUOTED})`,
    String.raw`[A-Za-z_]\w*`,
    String.raw`\d+(?:\.\d+)?\w*`,
    String.raw`(?<![\w)\]}"'])(?<decimal>\.\d+)`,
  ].join('|'),
  'g',
);

/** Reads the literals of a rule. */
export function readLiterals(given: string): ReadLiterals {
  if (!CANDIDATE.test(given)) return { text: given, originalAt: (position) => position };
  const changes: Change[] = [];
  let text = '';
  let from = 0;
  for (const part of given.matchAll(PARTS)) {
    const changed = changedPart(part[0], part.groups ?? {});
    if (changed === undefined) continue;
    const [givenStart, givenEnd] = [part.index, part.index + part[0].length];
    text += given.slice(from, givenStart);
    changes.push({ start: text.length, end: text.length + changed.length, givenStart, givenEnd });
    text += changed;
    from = givenEnd;
  }
  return { text: text + given.slice(from), originalAt: (position) => originalAt(position, changes) };
}

/** @returns undefined: the library reads it as it stands */
function changedPart(
  part: string,
  { raw, bytes, decimal }: Partial<Record<string, string>>,
): string | undefined {
  if (decimal !== undefined) return `0${decimal}`;
  const quoted = raw ?? bytes;
  if (quoted === undefined) return undefined;
  const escaped = raw?.replaceAll('\\', String.raw`\\`) ?? quoted;
  return `b${escaped.replaceAll(ESCAPE_OR_BEYOND_ASCII, inUtf8)}`;
}

/** An escape stays as it is, also one of a character beyond ASCII, which is none. */
const ESCAPE_OR_BEYOND_ASCII = /\\[^]|[^\0-\x7f]/gu;
const UTF8 = new TextEncoder();

function inUtf8(found: string): string {
  if (found.startsWith('\\')) return found;
  return [...UTF8.encode(found)].map((byte) => String.raw`\x${byte.toString(16)}`).join('');
}

function originalAt(position: number, changes: readonly Change[]): number {
  const before = changes.findLast(({ start }) => start <= position);
  if (before === undefined) return position;
  // A place within a changed literal is where that began.
  return position < before.end ? before.givenStart : position - before.end + before.givenEnd;
}
