/** Members of a payload, and conditions written as functions, as SQL, jq and JavaScript write them. */
import { bare, globOf, part, term } from './other-conditions.ts';
import { END, HIDDEN, KEY, rule, START, VALUE, type Rule } from './other-rules.ts';

/** A name in quotes; after an arrow those of SQL are still single. */
const NAME = String.raw`(?:${HIDDEN}|'[^']*')`;

/** Functions that change the form of a value, but not which one it is. */
const SAME =
  'to_?lower|to_?upper|lower|upper|lowercase|uppercase|l?trim|rtrim|to_?string|to_?int|to_?long|to_?double|to_?real|to_?number|json_unquote';

const IS_THERE = 'is_?not_?null|is_?not_?empty|exists|defined|isset|has';
const IS_AWAY = 'is_?null|is_?empty|missing';

export const PATHS: readonly Rule[] = [
  rule(
    String.raw`${START}(?<root>[A-Za-z_]\w*)(?<steps>(?:\s*(?:->>?|#>>?)\s*(?:${NAME}|\d+))+)`,
    ({ root, steps = '' }) => (/["']/.test(steps) ? pathOf(root, stepsOf(steps)) : undefined),
  ),
  rule(
    String.raw`${START}(?:json_?[a-z]+|get_json_object)\(\s*(?<root>${KEY})\s*,\s*(?<path>${NAME})\s*\)`,
    ({ root, path }) => pathOf(root, memberOf(path)),
  ),
  rule(String.raw`\.\[\s*(?<name>${HIDDEN})\s*\]`, ({ name }) => simpleMember(name)),
  rule(String.raw`(?<=[\w\])$])\[\s*(?<name>${HIDDEN})\s*\]`, ({ name }) => simpleMember(name)),
  rule(String.raw`${START}(?:${SAME})\(\s*(?<key>${KEY})\s*\)`, ({ key }) => key),
  rule(String.raw`${START}cast\(\s*(?<key>${KEY})\s+as\s+\w+\s*\)`, ({ key }) => key),
  rule(String.raw`${START}\(\s*(?<key>${KEY})\s*\)(?:::\w+)?(?=\s*[=<>!])`, ({ key }) => key),
  rule(String.raw`(?<=[\w\]])::\w+(?=\s*[=<>!])`, ''),
  rule(String.raw`(?<=[\w\]])\?(?=\s*[=<>!])`, ''),
  rule(
    String.raw`${START}(?<not>!|not\s+)?(?:${IS_THERE})\(\s*(?<key>${VALUE})\s*\)`,
    ({ not, key }) => `${not === undefined ? 'has' : 'no'}:${nameOf(key)}`,
  ),
  rule(
    String.raw`${START}(?<not>!|not\s+)?(?:${IS_AWAY})\(\s*(?<key>${VALUE})\s*\)`,
    ({ not, key }) => `${not === undefined ? 'no' : 'has'}:${nameOf(key)}`,
  ),
  rule(
    String.raw`${START}(?<not>!|not\s+)?like\(\s*(?<key>${KEY})\s*,\s*(?<value>${VALUE})\s*\)`,
    ({ key, not, value = '' }) => term(key, not, globOf(value, /[%*]/g)),
  ),
  rule(
    String.raw`${START}(?<not>!|not\s+)?(?<how>match|matches|regexp_like|contains|starts_?with|ends_?with)\(\s*(?<key>${KEY})\s*,\s*(?<value>${VALUE})\s*\)`,
    ({ key, not, how, value }) => part(key, not, how?.replace('regexp_like', 'matches'), value),
  ),
  rule(
    String.raw`${START}(?<value>${HIDDEN})\s+(?<not>not\s+)?in\s+(?<key>${KEY})${END}`,
    ({ key, not, value }) => part(key, not, 'contains', value),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s*\|\s*(?<how>contains|startswith|endswith|test)\(\s*(?<value>${VALUE})\s*\)`,
    ({ key, how, value }) => part(key, undefined, how, value),
  ),
];

/** A path with the sign of jq in front, so that it also stands for a term where nothing compares it; undefined: a path cannot hold a name in it. */
function pathOf(root = '', path: string): string | undefined {
  return /^[\w.[\]-]+$/.test(path) ? `.${root}${path}` : undefined;
}

/** The steps after an arrow, as a path: `->'items'->0` becomes `.items[0]`. */
function stepsOf(steps: string): string {
  return [...steps.matchAll(/"[^"]*"|'[^']*'|\d+/g)]
    .map(([step]) => (/^\d/.test(step) ? `[${step}]` : memberOf(step)))
    .join('');
}

/** A name in quotes as a part of a path. It may itself be a path: `$.order.total`, `{order,total}`. */
function memberOf(name = ''): string {
  const plain = name.slice(1, -1);
  const path = plain.startsWith('{') ? plain.slice(1, -1).replaceAll(',', '.') : plain.replace(/^\$\.?/, '');
  return path.startsWith('[') ? path : `.${path}`;
}

/** A name in quotes as a part of a path; undefined: a path cannot hold it, or it is none. */
function simpleMember(name = ''): string | undefined {
  return /^"[A-Za-z_][\w-]*"$/.test(name) ? `.${bare(name)}` : undefined;
}

/** The name that a function asks for, without its quotes and the dot of jq. */
function nameOf(key = ''): string {
  return bare(key).replace(/^\$?\./, '');
}
