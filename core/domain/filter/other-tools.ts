/**
 * Filters as other tools write them: SQL, jq, grep, Lucene, a method call, a piece of JSON. Each rule changes the form of a text alone;
 * what a key or a word means is said in everyday.ts.
 */
import { inSlashesOf } from './other-values.ts';

/** A key: with the dot of jq, the dollar of a JSON path or the at sign of a log search in front. */
const KEY = String.raw`[.$@]*[A-Za-z_][\w.@[\]-]*`;
const VALUE = String.raw`[^\s(),;{}]+`;
/** The beginning of a word. */
const START = String.raw`(?<=^|[\s(])`;

/** One form of another tool, and the same in this language. */
interface Rule {
  readonly form: RegExp;
  readonly to: string | ((found: Found) => string | undefined);
}

type Found = Readonly<Record<string, string | undefined>>;

/** A rule whose form is made of `KEY` and `VALUE`, in any letter case. */
function rule(form: string, to: Rule['to']): Rule {
  return { form: new RegExp(form, 'gi'), to };
}

/** A flag of grep that says how it searches. */
const FLAG = String.raw`-(?:[einwx]|i[nwe]|[nwe]i)`;

/** Text around a condition in a command or a query. */
const AROUND: readonly Rule[] = [
  rule(String.raw`^\s*select\b.*?\bwhere\s+`, ''),
  rule(String.raw`^\s*where\s+`, ''),
  rule(String.raw`\s+(?:order\s+by|group\s+by|limit)\s+[\w.,\s]+$`, ''),
  rule(String.raw`;\s*$`, ''),
  rule(String.raw`^\s*jq\s+(?:-\w+\s+)*`, ''),
  rule(String.raw`(?:\.\[\]|\.)\s*\|\s*(?=select\b)`, ''),
  rule(String.raw`${START}(?:select|filter)\s*\(`, '('),
  rule(String.raw`\|\s*[ef]?grep\s+-i?v\s+(?=[^\s-])`, ' -'),
  rule(String.raw`(?:^|\s*\|)\s*(?:[ef]?grep|rg|ag)\s+(?:-[a-uw-z]+\s+)*(?=\S)`, ' '),
  rule(String.raw`^\s*(?:${FLAG}\s+)*-i?vi?\s+(?=[^\s-])`, '-'),
  rule(String.raw`^\s*(?:${FLAG}\s+)+(?=[^\s-])`, ''),
  rule(String.raw`(?<=^|\s)--(?<key>[a-z][\w-]*)(?:=|\s+)(?=[^\s=-])`, ({ key }) => `${key}=`),
  rule(String.raw`!\s*\(`, '-('),
];

/** Conditions with words or brackets in place of an operator. */
const CONDITIONS: readonly Rule[] = [
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>not\s+)?in\s*[([{](?<list>[^()[\]{}]*)[)\]}]`,
    ({ key, not, list }) => termOfList(key, not, list),
  ),
  rule(
    String.raw`${START}(?<not>[-!])?(?<key>${KEY})\s*[:=]\s*[[{]\s*(?<from>${VALUE})\s+to\s+(?<to>[^\s(),;{}\]]+)\s*[\]}]`,
    ({ key, not, from, to }) => range(key, not, from, to),
  ),
  rule(String.raw`${START}(?<key>${KEY})\s*[:=]\s*[([{](?<list>[^()[\]{}:=<>]+)[)\]}]`, ({ key, list }) =>
    termOfList(key, undefined, list),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>not\s+)?between\s+(?<from>${VALUE})\s+and\s+(?<to>${VALUE})`,
    ({ key, not, from, to }) => range(key, not, from, to),
  ),
  rule(String.raw`${START}(?<key>${KEY})\s+is\s+not\s+null\b`, ({ key }) => `${key}:*`),
  rule(String.raw`${START}(?<key>${KEY})\s+(?:is\s+null\b|is\s+missing\b)`, ({ key }) => `-${key}:*`),
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>not\s+)?i?like\s+(?<value>${VALUE})`,
    ({ key, not, value }) => term(key, not, globOf(value, /[%*]/g)),
  ),
  rule(
    String.raw`${START}(?<not>!)?(?<key>${KEY}?)\.(?<how>contains|includes|has|startswith|startsWith|endswith|endsWith|test|match(?:es)?|equals)\(\s*(?<value>${VALUE})\s*\)`,
    ({ key, not, how, value }) => part(key, not, how, value),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>(?:does\s+)?not\s+)?(?<how>contains?|includes?|starts?[\s_]?with|ends?[\s_]?with|matches)\s+(?<value>${VALUE})`,
    ({ key, not, how, value }) => part(key, not, how, value),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s*:?(?<not>!)?(?:=~|~=|~)\s*(?<value>${VALUE})`,
    ({ key, not, value }) => part(key, not, 'matches', value),
  ),
  rule(
    String.raw`${START}(?<low>-?\d[\d.]*)\s*(?<first>[<>]=?)\s*(?<key>${KEY})\s*(?<second>[<>]=?)\s*(?<high>-?\d[\d.]*)`,
    ({ low, first, key, second, high }) => `${key}${turned(first)}${low} ${key}${second}${high}`,
  ),
  rule(
    String.raw`${START}(?<low>-?\d[\d.]*)\s*(?<op>[<>]=?)\s*(?<key>${KEY})(?=$|[\s)])`,
    ({ low, op, key }) => key && `${key}${turned(op)}${low}`,
  ),
];

/** Comparisons in words, the longer ones first. */
const COMPARED: readonly (readonly [words: string, op: string])[] = [
  [String.raw`is\s+not|isn't|not\s+equals?(?:\s+to)?|-?neq?`, '!='],
  [String.raw`is\s+at\s+least|at\s+least|greater\s+than\s+or\s+equal\s+to|-?gt?e`, '>='],
  [String.raw`is\s+at\s+most|at\s+most|less\s+than\s+or\s+equal\s+to|-?lt?e`, '<='],
  [String.raw`(?:is\s+)?(?:greater|more|larger|bigger|higher)\s+than|(?:is\s+)?(?:over|above)|-?gt`, '>'],
  [String.raw`(?:is\s+)?(?:less|fewer|smaller|lower)\s+than|(?:is\s+)?(?:under|below)|-?lt`, '<'],
  [String.raw`equals?(?:\s+to)?|-?eq`, '='],
];

/** Keys before "is": other words stand before it in a sentence that is searched. */
const STATED = 'topic|state|status|app|type|route|pubsub';
const NUMBER_VALUE = String.raw`-?\d[\w.]*`;

const IN_WORDS: readonly Rule[] = [
  ...COMPARED.map(([words, op]) =>
    rule(
      String.raw`${START}(?<key>${KEY})\s+(?:${words})\s+(?<value>${/^[!=]/.test(op) ? VALUE : NUMBER_VALUE})`,
      ({ key, value }) => `${key}${op}${value}`,
    ),
  ),
  rule(String.raw`${START}(?<key>${STATED})\s+is\s+(?!not\b|null\b)(?<value>${VALUE})`, ({ key, value }) =>
    term(key, undefined, value ?? ''),
  ),
];

const UNIT = String.raw`(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)`;
/** Units that stand after a space without being taken for a word. */
const LONG_UNIT = String.raw`(?:ms|milliseconds?|secs?|seconds?|mins?|minutes?|hrs?|hours?|days?|[km]i?b)`;
const SPAN = String.raw`(?<n>\d+(?:\.\d+)?)\s*(?<unit>${UNIT})\b`;

/** Times as people say them, and moments in the forms of other tools. */
const TIMES: readonly Rule[] = [
  rule(
    String.raw`${START}(?:${KEY})\s*:?\s*(?<op>[<>]=?)\s*now(?:\(\))?\s*-\s*(?:interval\s+)?${SPAN}`,
    ({ op, n, unit }) => `age:${op?.startsWith('>') === true ? '<' : '>'}${n}${unit}`,
  ),
  rule(
    String.raw`${START}(?:in\s+the\s+)?(?:last|past|within|since|newer\s+than)\s+${SPAN}(?:\s+ago\b)?`,
    ({ n, unit }) => `since:${n}${unit}`,
  ),
  rule(String.raw`${START}older\s+than\s+${SPAN}(?:\s+ago\b)?`, ({ n, unit }) => `older:${n}${unit}`),
  rule(
    String.raw`${START}(?!age\b)(?:${KEY})\s*:?\s*(?<op>[<>]=?)\s*${SPAN}\s+ago\b`,
    ({ op, n, unit }) => `age:${op?.startsWith('>') === true ? '<' : '>'}${n}${unit}`,
  ),
  rule(String.raw`${START}${SPAN}\s+ago\b`, ({ n, unit }) => `since:${n}${unit}`),
  rule(
    String.raw`(?<op>[:<>=])\s*(?<n>\d+(?:\.\d+)?)\s+(?<unit>${LONG_UNIT})\b`,
    ({ op, n, unit }) => `${op}${n}${unit}`,
  ),
  rule(
    String.raw`(?<=[:<>=.]\s*)(?<y>\d{4})[-/](?<mo>\d\d)[-/](?<d>\d\d)(?:T|\s+)(?<clock>\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(?<zone>Z|[+-]\d\d:\d\d)?(?=$|[\s)]|\.\.)`,
    ({ y, mo, d, clock, zone = 'Z' }) => `${y}-${mo}-${d}T${clock}${zone}`,
  ),
  rule(
    String.raw`(?<=[:<>=.]\s*)(?<y>\d{4})/(?<mo>\d\d)/(?<d>\d\d)(?=$|[\s)]|\.\.)`,
    ({ y, mo, d }) => `${y}-${mo}-${d}`,
  ),
];

/** Marks around and between terms. */
const MARKS: readonly Rule[] = [
  rule(String.raw`(?<=^|[\s(])\+(?=[^\s+])`, ''),
  rule(String.raw`(?<=\S)[,;]\s+(?=\S)`, ' '),
  rule(String.raw`(?<=\s)&(?=\s)`, 'AND'),
  rule(String.raw`(?<=\s)\|(?=\s)`, 'OR'),
];

const RULES: readonly Rule[] = [...AROUND, ...CONDITIONS, ...TIMES, ...IN_WORDS, ...MARKS];

/** Placeholder of a text in quotes while the rules run: none of them looks into it. */
const HIDDEN = /\u0001(?<at>\d+)\u0001/g;
const QUOTED = /"(?:\\.|[^"\\])*"/g;

/** Longest text that is looked at; many rules look at each word, and the filter is checked at each key. */
const LONGEST = 300;

/** The text in the form of this language, as far as it is that of another tool. */
export function ofThisLanguage(text: string): string {
  if (text.length > LONGEST || text.includes('\u0001')) return text;
  const kept: string[] = [];
  const hide = (part: string): string =>
    part.replaceAll(QUOTED, (quoted) => `\u0001${kept.push(quoted) - 1}\u0001`);
  const show = (part: string): string =>
    part.replaceAll(HIDDEN, (all, at: string) => kept[Number(at)] ?? all);
  let now = ofJson(hide(unwrapped(text)));
  for (const { form, to } of RULES) {
    now = now.replaceAll(form, (whole: string, ...rest: unknown[]) => {
      if (typeof to === 'string') return to;
      const found = Object.entries(rest.at(-1) as Found).map(([name, each]) => [name, each && show(each)]);
      return hide(to(Object.fromEntries(found) as Found) ?? whole);
    });
  }
  return show(now);
}

/** A moment in quotes, with blank or T, where a filter has the time of a message. */
const QUOTED_MOMENT =
  /(?<=\b(?:start)?time(?:stamp)?\s*(?:[:=]|[<>]=?)\s*)"(\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d[^"]*)"/gi;

/** The program of jq, keys and moments in quotes, without their quotes. */
function unwrapped(text: string): string {
  return text
    .replace(/^\s*jq\s+(?:-\w+\s+)*"(.*)"\s*$/s, '$1')
    .replaceAll(QUOTED_MOMENT, '$1')
    .replaceAll(/(?<=^|[\s{,(])"([A-Za-z_][\w.-]*)"(?=\s*(?::|[!<>]=?|=))/g, '$1');
}

/** The members of a flat JSON object as terms, as the column Preview shows one. */
function ofJson(text: string): string {
  const [, inner] = /^\s*\{([^{}[\]]*)\}?\s*$/.exec(text) ?? [];
  return inner === undefined ? text : inner.replaceAll(/,\s*(?=[\w.-]+\s*:)/g, ' ');
}

function term(key: string | undefined, not: string | undefined, value: string): string {
  return `${not === undefined ? '' : '-'}${key}:${value}`;
}

/** `key:a,b` for a list whose values stand between commas, bars, OR or spaces; undefined: its values have to hold together. */
function termOfList(key: string | undefined, not: string | undefined, list = ''): string | undefined {
  if (key?.toLowerCase() === 'not' || /(?<=\s)(?:and|&&|to)(?=\s)/i.test(list)) return undefined;
  const values = [...list.matchAll(/"(?:\\.|[^"\\])*"|[^\s,|"]+/g)]
    .map(([value]) => value)
    .filter((value) => !/^or$/i.test(value));
  return values.length === 0 ? undefined : term(key, not, values.join(','));
}

/** A range, of which one end may be open: `*`. */
function range(key: string | undefined, not: string | undefined, from = '*', to = '*'): string {
  const sign = not === undefined ? '' : '-';
  if (to === '*') return `${sign}${key}>=${from}`;
  return from === '*' ? `${sign}${key}<=${to}` : `${sign}${key}:${bare(from)}..${bare(to)}`;
}

/** Parts of a regular expression that stand for other characters. */
const WILD = /(?:\[[^\]]*\]|\\[dsw]|\.)[*+?]?/g;

/** A condition on a part of a value. */
function part(key: string | undefined, not: string | undefined, how = '', value = ''): string {
  const way = how.toLowerCase();
  const body = /^(?:match|test)/.test(way) ? inSlashesOf(bare(value)) : undefined;
  const glob = globOf(body ?? value, body === undefined ? /\.\*|[%*]/g : WILD);
  if (way === 'equals') return term(key, not, value);
  if (way.startsWith('start')) return term(key, not, `${glob}*`.replace(/\*+$/, '*'));
  if (way.startsWith('end')) return term(key, not, `*${glob}`.replace(/^\*+/, '*'));
  return term(key, not, `*${glob.replaceAll(/^\^?\*?|\*?\$?$/g, '')}*`);
}

/** A value with `*` for each wildcard, and for what a pattern cannot hold. */
function globOf(value: string | undefined, wild: RegExp): string {
  return bare(value ?? '')
    .replaceAll(wild, '*')
    .replaceAll(/[\s"(),*]+/g, '*');
}

function bare(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1) : value;
}

function turned(op = ''): string {
  return op.startsWith('<') ? op.replace('<', '>') : op.replace('>', '<');
}
