/** What other tools have around their conditions: the stages of a pipeline, the labels of LogQL, the documents of MongoDB. */
import { expressionOf, part, termOfList } from './other-conditions.ts';
import {
  applied,
  besideQuotes,
  HIDDEN,
  KEY,
  rule,
  VALUE,
  type HiddenTexts,
  type Rule,
} from './other-rules.ts';

/** The conditions of a query; a text in quotes is hidden. A text that is no query stays as it is. */
export function ofQuery(text: string, texts: HiddenTexts): string {
  return ofPipeline(ofMembers(applied([...LABELS, ...DOCUMENTS], text, texts)));
}

/** A line filter of LogQL. */
const LINE = String.raw`\s*(?:\|=|!=|\|~|!~)\s*${HIDDEN}`;

/** The labels of LogQL with the filters behind them. */
const LABELS: readonly Rule[] = [
  rule(
    String.raw`^\s*(?:\{(?<labels>[^{}[\]]*)\})?(?<lines>(?:${LINE})*)(?=\s*(?:$|\|))`,
    ({ labels = '', lines = '' }) => membersOf(labels) + linesOf(lines),
  ),
];

/** The words that the line filters search or exclude. */
function linesOf(lines: string): string {
  return [...lines.matchAll(/(\|=|!=|\|~|!~)\s*("(?:\\.|[^"\\])*")/g)]
    .map(([, how = '', text = '']) => {
      const searched = how.endsWith('~') ? expressionOf(text) : text;
      return ` ${how.startsWith('!') ? '-' : ''}${searched}`;
    })
    .join('');
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['eq', ':'],
  ['ne', '!='],
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
]);

/** A member that is compared; an operator of MongoDB is none. */
const MEMBER = String.raw`(?<![\w$.])(?<key>[A-Za-z_][\w.-]*)`;

/** The documents that MongoDB compares with. The inner ones come first, so each rule has no other bracket inside. */
const DOCUMENTS: readonly Rule[] = [
  rule(String.raw`^\s*db\.\w+\.\w+\(\s*(?<document>\{.*\})\s*\)\s*;?\s*$`, ({ document }) => document),
  rule(
    String.raw`${MEMBER}\s*:\s*\{\s*\$(?<not>n)?in\s*:\s*\[(?<list>[^[\]{}]*)\]\s*\}`,
    ({ key, not, list }) => termOfList(key, not, list),
  ),
  // What follows a value is fixed: if the next sign could also be a part of it, a text without the last bracket would be tried in every way.
  rule(
    String.raw`${MEMBER}\s*:\s*\{(?<signs>(?:\s*\$\w+\s*:\s*${VALUE}(?:\s*,|(?=\s+\$)|(?=\s*\})))+)\s*\}`,
    ({ key, signs = '' }) => comparedWith(key, signs),
  ),
  rule(
    String.raw`\$(?<how>or|and|nor)\s*:\s*\[\s*\{(?<documents>[^[\]]*)\}\s*\]`,
    ({ how, documents = '' }) =>
      besideQuotes(documents, (hidden) => {
        const each = hidden.split(/\}\s*,\s*\{/).map((document) => membersOf(document).trim());
        if (how === 'and') return each.join(' ');
        return `${how === 'nor' ? '-' : ''}(${each.join(' OR ')})`;
      }),
  ),
];

/** The comparisons of one key; undefined: one of them is not known. */
function comparedWith(key: string | undefined, signs: string): string | undefined {
  const terms = [...signs.matchAll(/\$(\w+)\s*:\s*("(?:\\.|[^"\\])*"|[^\s,{}]+)/g)].map(
    ([, name = '', value = '']) => {
      const sign = SIGNS.get(name);
      if (sign !== undefined) return `${key}${sign}${value}`;
      if (name === 'exists') return value === 'true' ? `has:${key}` : `no:${key}`;
      return name === 'regex' ? part(key, undefined, 'matches', value) : undefined;
    },
  );
  return terms.length > 0 && terms.every((each) => each !== undefined) ? terms.join(' ') : undefined;
}

/** The members of a flat JSON object as terms, as the column Preview shows one. */
function ofMembers(text: string): string {
  const [, inner] = /^\s*\{([^{}[\]]*)\}?\s*$/.exec(text) ?? [];
  return inner === undefined ? text : membersOf(inner);
}

/** Members with a space between them instead of a comma. */
function membersOf(document: string): string {
  return besideQuotes(document, (hidden) => hidden.replaceAll(/,\s*(?=[-(\w.]+\s*[:=!<>])/g, ' '));
}

/** Between two stages of a pipeline. */
const STAGE = /\s+\|(?![|=~])\s*/;
const CONDITION = /^(?:where|search|filter)\s+(.*)$/is;
/** Stages that choose nothing. */
const SHOWN =
  /^(?:json|logfmt|unpack|decolorize|line_format|label_format|head|tail|take|limit|top|sort|order|stats|table|fields|project(?:-\w+)?|extend|summarize|count|distinct|eval|dedup|rename|timechart|chart|render)\b/i;
const COMPARED = new RegExp(`^${KEY}\\s*[=<>!]`);

/** The conditions of all stages; a text without a stage that is known stays as it is. */
function ofPipeline(text: string): string {
  const [first = '', ...stages] = text.split(STAGE);
  const conditions: string[] = [];
  let isKnown = false;
  for (const stage of stages) {
    const condition = CONDITION.exec(stage)?.[1] ?? (isKnown && COMPARED.test(stage) ? stage : undefined);
    if (condition !== undefined) conditions.push(condition);
    else if (!SHOWN.test(stage)) return text;
    isKnown = true;
  }
  if (!isKnown) return text;
  // A single name in front of "where" is that of a table.
  const isTable = /^\s*\w+\s*$/.test(first) && CONDITION.test(stages[0] ?? '');
  const isShown = SHOWN.test(first.trim()) && conditions.length > 0;
  const all = isTable || isShown ? conditions : [first, ...conditions];
  const apart = all.filter((each) => each.trim() !== '');
  return apart.map((each) => (apart.length > 1 && /\sor\s|\|\|/i.test(each) ? `(${each})` : each)).join(' ');
}
