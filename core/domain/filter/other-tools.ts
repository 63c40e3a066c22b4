/**
 * Filters as other tools write them: SQL, jq, grep, Lucene, a method call, a piece of JSON. Each rule changes the form of a text alone;
 * what a key or a word means is said in everyday.ts.
 */
import { IS_WORDS } from '../../contract/filter-keys.ts';
import { hyphened } from './everyday.ts';
import { globOf, part, range, term, termOfList, turned } from './other-conditions.ts';
import { PATHS } from './other-paths.ts';
import { ofQuery } from './other-queries.ts';
import { applied, END, HIDDEN, HiddenTexts, KEY, rule, START, VALUE, type Rule } from './other-rules.ts';

/** A flag of grep that says how it searches. */
const FLAG = String.raw`-(?:[einwx]|i[nwe]|[nwe]i)`;

/** Text around a condition in a command or a query. */
const AROUND: readonly Rule[] = [
  rule(String.raw`^\s*select\b.*?\bwhere\s+`, ''),
  rule(String.raw`^\s*where\s+`, ''),
  rule(String.raw`^\s*filter\s+(?=${KEY}\s*[=<>!:])`, ''),
  rule(String.raw`^\s*\?(?=${KEY}=)`, ''),
  // In an address the sign belongs to the query.
  rule(String.raw`(?<=(?:^|\s)[^\s?/]+)&&?(?=[!(]*${KEY}\s*[=<>!:])`, ' AND '),
  rule(String.raw`(?<=\S)\|\|(?=[!(]*${KEY}\s*[=<>!:])`, ' OR '),
  rule(String.raw`^\s*search\s+(?=${KEY}\s*[=<>!:])`, ''),
  rule(String.raw`${START}(?:index|sourcetype)\s*=\s*[A-Za-z_*]\S*\s+(?=\S)`, ''),
  rule(String.raw`^\s*\w+\.(?:filter|find|where|some)\(\s*(?=\w+\s*=>)`, ''),
  rule(String.raw`^\s*(?<name>\w+)\s*=>\s*(?=\k<name>\.)`, ''),
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
    String.raw`${START}@?(?:time|timestamp|created\w*|date|ts)\s*:\s*[[{]\s*now-(?<span>\d+[a-z]+)\s+to\s+(?:now|\*)\s*[\]}]`,
    ({ span }) => `since:${span}`,
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>not\s+|!)?in~?\s*[([{](?<list>[^()[\]{}]*)[)\]}]`,
    ({ key, not, list }) => termOfList(key, not, list),
  ),
  rule(
    String.raw`${START}(?<not>[-!])?(?<key>${KEY})\s*[:=]\s*(?<left>[[{])\s*(?<from>${VALUE})\s+to\s+(?<to>[^\s(),;{}\]]+)\s*(?<right>[\]}])`,
    ({ key, not, left, from, to, right }) =>
      range(key, not, from, to, { from: left === '{', to: right === '}' }),
  ),
  rule(String.raw`${START}(?<key>${KEY})\s*[:=]\s*[([{](?<list>[^()[\]{}:=<>]+)[)\]}]`, ({ key, list }) =>
    termOfList(key, undefined, list),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>not\s+)?between\s+(?<from>${VALUE})\s+and\s+(?<to>${VALUE})`,
    ({ key, not, from, to }) => range(key, not, from, to),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>not\s+|!)?between\s*\(\s*(?<from>[^\s()]+?)\s*\.\.\s*(?<to>[^\s()]+)\s*\)`,
    ({ key, not, from, to }) => range(key, not, from, to),
  ),
  rule(String.raw`${START}(?<key>${KEY})\s+is\s+not\s+null\b`, ({ key }) => `${key}:*`),
  rule(String.raw`${START}(?<key>${KEY})\s+(?:is\s+null\b|is\s+missing\b)`, ({ key }) => `-${key}:*`),
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>not\s+)?(?:i?like|similar\s+to|glob)\s+(?<value>${VALUE})`,
    ({ key, not, value = '' }) => term(key, not, globOf(value, /[%*]/g)),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>not\s+)?(?:rlike|regexp)\s+(?<value>${VALUE})`,
    ({ key, not, value }) => part(key, not, 'matches', value),
  ),
  rule(
    String.raw`${START}(?<not>!)?(?<key>${KEY}?)\.(?<how>contains|includes|has|startswith|startsWith|endswith|endsWith|test|match(?:es)?|equals)\(\s*(?<value>${VALUE})\s*\)`,
    ({ key, not, how, value }) => part(key, not, how, value),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s+(?<not>(?:does\s+)?not\s+|!)?(?<how>contains?|includes?|starts?[\s_]?with|ends?[\s_]?with|matches|has(?:prefix|suffix)?(?=(?:_cs)?\s+${HIDDEN}))(?:_cs)?\s+(?<value>${VALUE})`,
    ({ key, not, how, value }) => part(key, not, how, value),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s*:?(?<not>!)?(?:=~|~=|~\*(?=\s)|~)\s*(?<value>${VALUE})`,
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

/** A value in quotes, or a word that is no key. */
const WORDS = String.raw`(?:${HIDDEN}|[\w.*-]+)`;

/** Keys before "is": other words stand before it in a sentence that is searched. */
const STATED = 'topic|state|status|app|type|route|pubsub|error';

/** Values after one comparison, with OR or AND between them: `topic = 'a' or 'b'`. */
const ALTERNATIVES: readonly Rule[] = [
  rule(
    String.raw`${START}(?<key>${KEY})\s*(?:==?|:)\s*(?<list>${HIDDEN}(?:\s+or\s+${HIDDEN})+)(?!\s*[:=<>!])`,
    ({ key, list }) => termOfList(key, undefined, list),
  ),
  ...[String.raw`(?<key>${KEY})\s+==?`, String.raw`(?<key>${STATED})\s+is`].map((begin) =>
    rule(
      String.raw`${START}${begin}\s+(?<list>${WORDS}(?:\s+or\s+${WORDS})+)(?=\s*$|\s*\)|\s+(?:and|or)\b)`,
      ({ key, list }) => termOfList(key, undefined, list),
    ),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s*(?:!=|<>)\s*(?<list>${HIDDEN}(?:\s+and\s+${HIDDEN})+)(?!\s*[:=<>!])`,
    ({ key, list = '' }) => termOfList(key, '-', list.replaceAll(/(?<=")\s+and\s+(?=")/gi, ',')),
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

const NUMBER_VALUE = String.raw`-?\d[\w.]*`;

const IN_WORDS: readonly Rule[] = [
  // A state as its chip says it; what it stands for is known by the word with hyphens.
  rule(
    String.raw`${START}(?<not>-)?state\s*[:=]\s*(?<phrase>no\s+subscription|waiting\s+for\s+(?:app|you)|not\s+published|not\s+seen(?:\s+here)?|dead\s+letter(?:ed)?)${END}`,
    ({ not = '', phrase = '' }) => `${not}state:${hyphened(phrase)}`,
  ),
  ...COMPARED.map(([words, op]) =>
    rule(
      String.raw`${START}(?<key>${KEY})\s+(?:${words})\s+(?<value>${/^[!=]/.test(op) ? VALUE : NUMBER_VALUE})`,
      ({ key, value }) => `${key}${op}${value}`,
    ),
  ),
  rule(String.raw`${START}(?<key>${STATED})\s+is\s+(?!not\b|null\b)(?<value>${VALUE})`, ({ key, value }) =>
    term(key, undefined, value ?? ''),
  ),
  rule(
    String.raw`${START}(?<key>${KEY})\s+is\s+(?<value>${HIDDEN}|${NUMBER_VALUE}|true|false)${END}`,
    ({ key, value = '' }) => term(key, undefined, value),
  ),
  rule(String.raw`${START}is\s+(?<not>not\s+)?(?<value>${IS_WORDS.join('|')})${END}`, ({ not, value = '' }) =>
    term('is', not, value.toLowerCase()),
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
    String.raw`${START}(?:${KEY})\s*:?\s*(?<op>[<>]=?)\s*ago\(\s*${SPAN}\s*\)`,
    ({ op, n, unit }) => `age:${op?.startsWith('>') === true ? '<' : '>'}${n}${unit}`,
  ),
  rule(String.raw`${START}earliest\s*=\s*-${SPAN}(?:@\w+)?${END}`, ({ n, unit }) => `since:${n}${unit}`),
  rule(String.raw`${START}latest\s*=\s*-${SPAN}(?:@\w+)?${END}`, ({ n, unit }) => `older:${n}${unit}`),
  rule(String.raw`${START}latest\s*=\s*now(?:\(\))?${END}`, ''),
  rule(
    String.raw`${START}(?:in\s+the\s+)?(?:last|past|within|since|newer\s+than)\s+${SPAN}(?:\s+ago\b)?`,
    ({ n, unit }) => `since:${n}${unit}`,
  ),
  rule(
    String.raw`${START}(?:in\s+the\s+)?(?:last|past)\s+(?<unit>minute|hour|day)${END}`,
    ({ unit }) => `since:1${unit}`,
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
  rule(String.raw`(?<=[<>]=?\s*)(?<number>\d{1,3}(?:,\d{3})+)(?![\w.,])`, ({ number }) =>
    number?.replaceAll(',', ''),
  ),
  // Dollar, euro and pound, by number: a character beyond ASCII makes the whole built file take twice the memory.
  rule(String.raw`(?<=[<>]=?\s*)[$\u20ac\u00a3](?=\d)`, ''),
  rule(String.raw`${START}\*:\*${END}`, 'id:*'),
  rule(String.raw`${START}\*:(?=[^\s*])`, 'text:'),
  // How much a word counts, and how far from it a text may be.
  rule(String.raw`(?<=:[^\s()]*[\w\u0001])(?:\^\d+(?:\.\d+)?|~(?:\d(?:\.\d+)?)?)${END}`, ''),
  rule(String.raw`(?<=\u0001)~\d+${END}`, ''),
  rule(String.raw`${START}sort:[\w-]+-(?:asc|desc)${END}`, ''),
  rule(String.raw`(?<=^|[\s(])\+(?=[^\s+])`, ''),
  rule(String.raw`(?<=\S)[,;]\s+(?=\S)`, ' '),
  rule(String.raw`(?<=\s)&(?=\s)`, 'AND'),
  rule(String.raw`(?<=\s)\|(?=\s)`, 'OR'),
];

const RULES: readonly Rule[] = [
  ...PATHS,
  ...AROUND,
  ...CONDITIONS,
  ...ALTERNATIVES,
  ...TIMES,
  ...IN_WORDS,
  ...MARKS,
];

/** Longest text that is looked at; many rules look at each word, and the filter is checked at each key. */
const LONGEST = 300;

/** The text in the form of this language, as far as it is that of another tool. */
export function ofThisLanguage(text: string): string {
  if (text.length > LONGEST || text.includes('\u0001')) return text;
  const texts = new HiddenTexts();
  const query = ofQuery(texts.hide(unwrapped(text)), texts);
  return texts.show(applied(RULES, distributed(query), texts));
}

/** A moment in quotes, with blank or T, where a filter has the time of a message. */
const QUOTED_MOMENT =
  /(?<=\b(?:start)?time(?:stamp)?\s*(?:[:=]|[<>]=?)\s*)"(\d{4}[-/]\d\d[-/]\d\d[ T]\d\d:\d\d[^"]*)"/gi;

/** The program of jq, keys and moments in quotes, without their quotes; the names of columns without those of SQL. */
function unwrapped(text: string): string {
  return text
    .replace(/^\s*jq\s+(?:-\w+\s+)*"(.*)"\s*$/s, '$1')
    .replaceAll(QUOTED_MOMENT, '$1')
    .replaceAll(/`([A-Za-z_][\w.]*)`/g, '$1')
    .replaceAll(/(?<=^|[\s(])\[([A-Za-z_]\w*)\](?=\s*[=<>!])/g, '$1')
    .replaceAll(/(?<=^|[\s{,(])"(\$?[A-Za-z_][\w.-]*)"(?=\s*(?::|[!<>]=?|=))/g, '$1');
}

/** A key in front of several conditions on its value. */
const SHARED = new RegExp(String.raw`${START}(?<not>[-!])?(?<key>${KEY}):\s*\(`, 'i');

/** The text with the key in front of each of several values in brackets: `topic:(a AND b)` becomes `(topic:a AND topic:b)`. */
function distributed(text: string): string {
  const found = SHARED.exec(text);
  if (found === null) return text;
  const { not = '', key = '' } = found.groups ?? {};
  const from = found.index + found[0].length;
  const end = closingOf(text, from);
  const inner = text.slice(from, end);
  const isList = !/(?<=^|\s)(?:(?:and|not)\b|&&|[-+!]\S|[<>]\S|\()/i.test(inner);
  const hasKeys = /[^\s()<>=:]+[<>=:]/.test(inner);
  if (end === -1 || isList || hasKeys || key.toLowerCase() === 'not')
    return text.slice(0, from) + distributed(text.slice(from));
  const terms = inner.replaceAll(/[^\s()]+/g, (word) => ofKey(key, word));
  return `${text.slice(0, found.index)}${not}(${terms})${distributed(text.slice(end + 1))}`;
}

/** A word in the brackets of a key, with the key. */
function ofKey(key: string, word: string): string {
  if (/^(?:and|or|not|&&|\|\|)$/i.test(word)) return word;
  const [, sign = '', value = ''] = /^([-+!]?)(.*)$/s.exec(word) ?? [];
  return `${sign === '+' ? '' : sign}${key}:${value}`;
}

/** Index of the bracket that closes one before `from`; -1: there is none. */
function closingOf(text: string, from: number): number {
  let open = 1;
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '(') open += 1;
    if (text[at] === ')') open -= 1;
    if (open === 0) return at;
  }
  return -1;
}
