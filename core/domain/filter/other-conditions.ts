/** Terms of this language for conditions of other tools: a list, a range, a part of a value. */
import { inSlashesOf } from './other-values.ts';

type Text = string | undefined;

/** `key:value`, or what it excludes. */
export function term(key: Text, not: Text, value: string): string {
  return `${not === undefined ? '' : '-'}${key}:${value}`;
}

/** `key:a,b` for a list whose values stand between commas, bars, OR or spaces; undefined: its values have to hold together. */
export function termOfList(key: Text, not: Text, list = ''): string | undefined {
  if (key?.toLowerCase() === 'not' || /(?<=\s)(?:and|&&|to)(?=\s)/i.test(list)) return undefined;
  const values = [...list.matchAll(/"(?:\\.|[^"\\])*"|[^\s,|"]+/g)]
    .map(([value]) => value)
    .filter((value) => !/^or$/i.test(value));
  return values.length === 0 ? undefined : term(key, not, values.join(','));
}

/**
 * A range, of which one end may be open: `*`.
 * @param without the ends that do not belong to it
 */
export function range(
  key: Text,
  not: Text,
  from = '*',
  to = '*',
  without: { readonly from?: boolean; readonly to?: boolean } = {},
): string {
  const isWhole = without.from !== true && without.to !== true;
  if (isWhole && from !== '*' && to !== '*') return term(key, not, `${bare(from)}..${bare(to)}`);
  const sides = [
    ...(from === '*' ? [] : [`${key}${without.from === true ? '>' : '>='}${from}`]),
    ...(to === '*' ? [] : [`${key}${without.to === true ? '<' : '<='}${to}`]),
  ];
  if (sides.length === 0) return term(key, not, '*');
  const both = sides.join(' ');
  if (not === undefined) return both;
  return sides.length === 1 ? `-${both}` : `-(${both})`;
}

/** Parts of a regular expression that stand for other characters. */
const WILD = /(?:\[[^\]]*\]|\\[dsw]|\.)[*+?]?/g;
/** Signs that only a regular expression has. */
const EXPRESSION = /[[\\+]/;

/** A condition on a part of a value. */
export function part(key: Text, not: Text, how = '', value = ''): string {
  const way = how.toLowerCase();
  if (way === 'equals') return term(key, not, value);
  const glob = /^(?:match|test)/.test(way) ? expressionOf(value) : globOf(value);
  if (/^start|prefix$/.test(way)) return term(key, not, `${glob}*`.replace(/\*+$/, '*'));
  if (/^end|suffix$/.test(way)) return term(key, not, `*${glob}`.replace(/^\*+/, '*'));
  return term(key, not, `*${glob.replaceAll(/^\^?\*?|\*?\$?$/g, '')}*`);
}

/** A regular expression, in slashes or in quotes, with `*` for each wildcard. */
export function expressionOf(value: string): string {
  const body = inSlashesOf(bare(value));
  return globOf(body ?? value, body !== undefined || EXPRESSION.test(value) ? WILD : undefined);
}

/** A value with `*` for each wildcard, and for what a pattern cannot hold. */
export function globOf(value: string, wild: RegExp = /\.\*|[%*]/g): string {
  return bare(value)
    .replaceAll(wild, '*')
    .replaceAll(/[\s"(),*]+/g, '*');
}

/** A text without its quotes. */
export function bare(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}

/** A comparison whose sides were exchanged. */
export function turned(op = ''): string {
  return op.startsWith('<') ? op.replace('<', '>') : op.replace('>', '<');
}
