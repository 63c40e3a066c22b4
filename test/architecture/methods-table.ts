/** Writes the table of methods in docs/automation.md from their declarations. */
import * as components from '../../core/contract/event-router/components.ts';
import * as localRouter from '../../core/contract/event-router/local-router.ts';
import * as routerStatus from '../../core/contract/event-router/local-router-status.ts';
import * as routerMethods from '../../core/contract/event-router/methods.ts';
import * as simulate from '../../core/contract/event-router/simulate.ts';
import * as wire from '../../core/contract/event-router/wire.ts';
import * as event from '../../core/contract/event.ts';
import * as hold from '../../core/contract/hold.ts';
import * as message from '../../core/contract/message.ts';
import * as mockApp from '../../core/contract/mock-app.ts';
import * as publish from '../../core/contract/publish.ts';
import * as recording from '../../core/contract/recording.ts';
import * as reports from '../../core/contract/reports.ts';
import * as saved from '../../core/contract/saved.ts';
import * as settings from '../../core/contract/settings.ts';
import * as subscription from '../../core/contract/subscription.ts';
import * as targets from '../../core/contract/targets.ts';
import * as view from '../../core/contract/view.ts';
import { METHODS } from '../../core/contract/console.ts';
import { DELIVERY_STATES } from '../../core/contract/delivery.ts';
import type { Declared } from '../../core/contract/method.ts';
import { oneOf } from '../../core/contract/schema.ts';
import type { Shape } from '../../core/domain/shape-words.ts';

const START = '<!-- methods: written by `npm run methods` from core/contract/methods -->';
const END = '<!-- methods: end -->';

const MODULES = [
  message,
  targets,
  publish,
  hold,
  mockApp,
  subscription,
  reports,
  event,
  view,
  recording,
  saved,
  settings,
  components,
  localRouter,
  routerStatus,
  routerMethods,
  simulate,
  wire,
] satisfies readonly object[];

/** Name of a type of the contract by the text of its schema. */
const NAMES = new Map([
  [JSON.stringify(oneOf(DELIVERY_STATES)), 'DeliveryState'],
  [JSON.stringify(message.ruleId), 'RuleId'],
  ...MODULES.flatMap((module) => Object.entries<unknown>(module)).flatMap(([name, shape]) =>
    isNamed(shape) ? [[JSON.stringify(shape), typeName(name)] as const] : [],
  ),
]);

function typeName(schemaName: string): string {
  return `${schemaName.slice(0, 1).toUpperCase()}${schemaName.slice(1)}`;
}

/** Only what has members of its own is worth a name: an object, or one of several objects. */
function isNamed(shape: unknown): shape is Shape {
  if (!isShape(shape)) return false;
  return (
    shape.properties !== undefined || shape.anyOf?.some((form) => form.properties !== undefined) === true
  );
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A schema as its type is written; `isTop`: the members are shown although the shape has a name. */
export function typeText(shape: Shape, isTop = false): string {
  const name = NAMES.get(JSON.stringify(shape));
  if (name !== undefined && !isTop) return name;
  if (shape.anyOf !== undefined) return shape.anyOf.map((form) => typeText(form)).join(' | ');
  if (shape.const !== undefined)
    return typeof shape.const === 'string' ? `'${shape.const}'` : JSON.stringify(shape.const);
  switch (shape.type) {
    case 'object':
      return objectText(shape);
    case 'array':
      return listText(shape);
    case 'integer':
    case 'number':
      return `${shape.type}${rangeText(shape)}`;
    case undefined:
      return 'unknown';
    default:
      return shape.type;
  }
}

function objectText({ properties = {}, required = [], additionalProperties }: Shape): string {
  if (typeof additionalProperties === 'object') return `Record<string, ${typeText(additionalProperties)}>`;
  const members = Object.entries(properties).map(
    ([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${typeText(member)}`,
  );
  return members.length === 0 ? '' : `{ ${members.join('; ')} }`;
}

function listText({ items, maxItems }: Shape): string {
  if (!isShape(items)) return `[${(items ?? []).map((item) => typeText(item)).join(', ')}]`;
  const item = typeText(items);
  const list = /[ |]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
  return maxItems === undefined ? list : `${list} (at most ${maxItems})`;
}

function rangeText({ minimum, maximum }: Shape): string {
  const top = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  if (minimum === undefined && top === undefined) return '';
  return ` ${minimum ?? ''}..${top ?? ''}`;
}

const code = (text: string): string => (text === '' ? '' : `\`${text}\``);
const cell = (text: string): string => text.replaceAll('|', '\\|');

/** Characters of a shape or of a sentence that a cell holds; what is longer stands under the table, by lines. */
const MAX_CELL_LENGTH = 120;
/** Characters of a line under the table. */
const MAX_LINE_LENGTH = 110;

/** A schema as its type is written, with a line for each member where one line would be too long. */
export function typeLines(shape: Shape, isTop = false, indent = ''): string {
  const text = typeText(shape, isTop);
  const isNamedHere = !isTop && NAMES.has(JSON.stringify(shape));
  if (isNamedHere || indent.length + text.length <= MAX_LINE_LENGTH) return text;
  const deeper = `${indent}  `;
  if (shape.anyOf !== undefined)
    return shape.anyOf.map((form) => `\n${deeper}| ${typeLines(form, false, deeper)}`).join('');
  const { properties, required = [], items } = shape;
  if (properties !== undefined) {
    const members = Object.entries(properties).map(
      ([name, member]) =>
        `${deeper}${name}${required.includes(name) ? '' : '?'}: ${typeLines(member, false, deeper)};`,
    );
    return ['{', ...members, `${indent}}`].join('\n');
  }
  if (!isShape(items)) return text;
  const item = typeText(items);
  const isInBrackets = text.startsWith(`(${item})`);
  const rest = text.slice(item.length + (isInBrackets ? 2 : 0));
  return isInBrackets
    ? `(${typeLines(items, false, indent)}\n${indent})${rest}`
    : `${typeLines(items, false, indent)}${rest}`;
}

/** The first sentence of what a method does, and whether more follow that do not fit into the cell. */
function inCell(does: string): { readonly text: string; readonly isCut: boolean } {
  const [first = '', ...more] = does.split(/(?<=\.) (?=[A-Z`])/);
  return does.length <= 2 * MAX_CELL_LENGTH || more.length === 0
    ? { text: does, isCut: false }
    : { text: first, isCut: true };
}

/** The rows of the table, one for each method in the order of the contract, and below it what is too long for a row. */
export function methodsTable(methods: Readonly<Record<string, Declared>> = METHODS): string {
  const below: string[] = [];
  const rows = Object.entries(methods).map(([name, { kind, does, params, result }]) => {
    const shapes = [typeText(params, true), typeText(result)];
    const { text, isCut } = inCell(does);
    const link = `[below](#${name.replaceAll('.', '').toLowerCase()})`;
    const cells = shapes.map((shape) => (shape.length > MAX_CELL_LENGTH ? link : code(shape)));
    if (cells.includes(link) || isCut) {
      const blocks = [
        ...(cells[0] === link ? [`params ${typeLines(params, true)}`] : []),
        ...(cells[1] === link ? [`result ${typeLines(result)}`] : []),
      ];
      const fence = blocks.length === 0 ? [] : ['', '```ts', ...blocks, '```'];
      below.push([`#### ${name}`, '', does, ...fence].join('\n'));
    }
    return [
      code(name),
      kind,
      ...cells,
      isCut ? `${text} More [below](#${name.replaceAll('.', '').toLowerCase()})` : text,
    ]
      .map(cell)
      .join(' | ');
  });
  const head = ['| method | kind | params | result | what it does |', '|---|---|---|---|---|'];
  const table = [...head, ...rows.map((row) => `| ${row} |`)].join('\n');
  return below.length === 0 ? table : [table, '### Longer shapes', ...below].join('\n\n');
}

/** The document with a fresh table between its two marks. Throws Error when a mark is missing. */
export function withMethods(doc: string, table: string = methodsTable()): string {
  const start = doc.indexOf(START);
  const end = doc.indexOf(END);
  if (start === -1 || end < start) throw new Error(`docs/automation.md lacks ${START} or ${END}`);
  return `${doc.slice(0, start + START.length)}\n\n${table}\n\n${doc.slice(end)}`;
}
