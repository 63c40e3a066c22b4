/** The setting of the event router as fields: which member has which kind of field, and its text. */
import type { IngressRuleSetting } from '../../../core/contract/event-router/settings.ts';
import { isObject } from '../../../core/contract/is-object.ts';
import { fill } from '../../copy/fill.ts';
import { ROUTER, ROUTER_TEXTS, type ROUTER_GROUPS, type RouterText } from '../../copy/settings-router.ts';
import { numberText, readNumber, type Read, type Unit } from '../../format/written-number.ts';
import { readLines } from './drafts.ts';

export type RouterGroup = keyof typeof ROUTER_GROUPS;

type Kind =
  | { readonly kind: 'number'; readonly unit: Unit }
  | { readonly kind: 'switch' }
  /** One of the words of its text; "" stands for null. */
  | { readonly kind: 'words' }
  /** A text; with `none` an empty one is null. */
  | { readonly kind: 'text'; readonly none?: boolean }
  /** A list of texts, one on each line. */
  | { readonly kind: 'lines' }
  /** Port numbers by topic. */
  | { readonly kind: 'ports' }
  /** Rules of the TLS front. */
  | { readonly kind: 'rules' };

export type RouterField = Kind & {
  /** Names from the setting to the member: `delivery.jitter`. */
  readonly path: string;
  readonly group: RouterGroup;
};

function fieldsOf(group: RouterGroup, kinds: Readonly<Record<string, Kind>>): readonly RouterField[] {
  return Object.entries(kinds).map(([path, kind]) => ({ ...kind, path, group }));
}

const NUMBER = { kind: 'number', unit: 'amount' } as const;
const SWITCH = { kind: 'switch' } as const;
const WORDS = { kind: 'words' } as const;
const TEXT = { kind: 'text' } as const;
const TEXT_OR_NONE = { kind: 'text', none: true } as const;
const LINES = { kind: 'lines' } as const;

/** Every member, in the order of the screen. */
export const ROUTER_FIELDS: readonly RouterField[] = [
  ...fieldsOf('router', { mode: WORDS, namespace: TEXT_OR_NONE, routerApplicationId: TEXT }),
  ...fieldsOf('external', {
    cloud: WORDS,
    'endpoints.authority': TEXT_OR_NONE,
    'endpoints.management': TEXT_OR_NONE,
    'endpoints.managementAudience': TEXT_OR_NONE,
    'endpoints.publishAudience': TEXT_OR_NONE,
    'endpoints.apiVersion': TEXT_OR_NONE,
  }),
  ...fieldsOf('listen', {
    'listen.router': TEXT,
    'listen.ingress': TEXT,
    'listen.topicPorts': { kind: 'ports' },
  }),
  ...fieldsOf('ingress', {
    'ingress.enabled': SWITCH,
    'ingress.selfProbe': SWITCH,
    'ingress.cert': TEXT_OR_NONE,
    'ingress.key': TEXT_OR_NONE,
    'ingress.rules': { kind: 'rules' },
  }),
  ...fieldsOf('delivery', {
    'delivery.timeScale': NUMBER,
    'delivery.jitter': NUMBER,
    'delivery.maxConcurrentDeliveries': NUMBER,
    'delivery.deadLetterDelay': { kind: 'number', unit: 'seconds' },
    'delivery.ttlCheck': WORDS,
    'delivery.onExhausted': WORDS,
    'delivery.probation': SWITCH,
    'delivery.retry401Once': SWITCH,
  }),
  ...fieldsOf('trust', {
    identity: WORDS,
    rbac: WORDS,
    'trust.extraCaFiles': LINES,
    'trust.trustSystemRoots': SWITCH,
  }),
  ...fieldsOf('webhook', {
    callerCheck: WORDS,
    handshakeAuth: WORDS,
    audiences: LINES,
    allowedOrigins: LINES,
    acceptV1Tokens: SWITCH,
    requireRole: SWITCH,
    forwardRouterHeaders: SWITCH,
  }),
  ...fieldsOf('limits', {
    'limits.maxRequestBytes': { kind: 'number', unit: 'bytes' },
    'limits.topicEventsPerSecond': NUMBER,
    'limits.topicBytesPerSecond': { kind: 'number', unit: 'bytes' },
  }),
  ...fieldsOf('allows', {
    handshakeToken: WORDS,
    allowRemote: SWITCH,
    allowPublicSubscribers: SWITCH,
    allowInsecureSubscribers: SWITCH,
    revalidateOnPut: SWITCH,
    strictConflicts: SWITCH,
    keepOnDelete: SWITCH,
    'health.strictBindings': SWITCH,
  }),
];

/** Texts of a member; one without texts has its path as its title. */
export function textOfField({ path }: RouterField): RouterText {
  return ROUTER_TEXTS[path] ?? { title: path };
}

/** A member of the setting; undefined: the setting does not have it. */
function memberAt(value: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((inside, name) => (isObject(inside) ? inside[name] : undefined), value);
}

/** Texts of the fields, by path. */
export type RouterTexts = Readonly<Record<string, string>>;

/** The setting as texts. */
export function routerTexts(value: unknown): RouterTexts {
  return Object.fromEntries(
    ROUTER_FIELDS.map((field) => [field.path, fieldText(memberAt(value, field.path), field)]),
  );
}

function fieldText(value: unknown, field: RouterField): string {
  if (value === null || value === undefined) return '';
  switch (field.kind) {
    case 'number':
      return numberText(value, field.unit);
    case 'lines':
      return Array.isArray(value) ? value.map(String).join('\n') : '';
    case 'ports':
      return Object.entries(isObject(value) ? value : {})
        .map(([topic, port]) => `${topic} = ${String(port)}`)
        .join('\n');
    case 'rules':
      return Array.isArray(value) ? (value as readonly IngressRuleSetting[]).map(ruleText).join('\n') : '';
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

function ruleText(rule: IngressRuleSetting): string {
  const { host, path, upstream, rewrite } = rule;
  return [host, path, upstream, ...(rewrite === null ? [] : [rewrite])].join(' ');
}

/** The value of a field, or the mistake in its text. */
function readField(text: string, field: RouterField): Read<unknown> {
  switch (field.kind) {
    case 'number':
      return readNumber(text, field.unit);
    case 'switch':
      return { ok: true, value: text === 'true' };
    case 'words':
      return { ok: true, value: text === '' ? null : text };
    case 'text':
      return { ok: true, value: field.none === true && text.trim() === '' ? null : text.trim() };
    case 'lines':
      return { ok: true, value: readLines(text) };
    case 'ports':
      return readPorts(text);
    case 'rules':
      return readEach(text, /^(\S+)\s+(\/\S*)\s+(\S+)(?:\s+(\S.*))?$/, ROUTER.badRule, (found) =>
        found.map(([, host, path, upstream, rewrite = null]) => ({ host, path, upstream, rewrite })),
      );
  }
}

/** Reads each line by a form; the first line that does not have it is the mistake. */
function readEach(
  text: string,
  form: RegExp,
  mistake: string,
  valueOf: (found: readonly (readonly (string | undefined)[])[]) => unknown,
): Read<unknown> {
  const found: RegExpExecArray[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const parts = form.exec(line.trim());
    if (parts === null) return { ok: false, mistake: fill(mistake, { line: at + 1 }) };
    found.push(parts);
  }
  return { ok: true, value: valueOf(found) };
}

/** The port of each topic; a topic may have one. */
function readPorts(text: string): Read<unknown> {
  const form = /^(\S.*?)\s*=\s*(\d+)$/;
  const topics = new Map<string, number>();
  for (const [at, line] of text.split('\n').entries()) {
    const topic = form.exec(line.trim())?.[1];
    const first = topic === undefined ? undefined : topics.get(topic);
    if (first !== undefined) return { ok: false, mistake: fill(ROUTER.twice, { line: at + 1, first }) };
    if (topic !== undefined) topics.set(topic, at + 1);
  }
  return readEach(text, form, ROUTER.badPort, (found) =>
    Object.fromEntries(found.map(([, topic = '', port]) => [topic, Number(port)])),
  );
}

/** Mistakes in the texts that differ from the setting, and an external router without an address, by path. */
export function routerMistakes(texts: RouterTexts, value: unknown): ReadonlyMap<string, string> {
  const mistakes = changedFields(texts, value).flatMap((field) => {
    const read = readField(texts[field.path] ?? '', field);
    return read.ok ? [] : [[field.path, read.mistake] as const];
  });
  const next = readRouter(texts, value);
  const isNowhere = memberAt(next, 'endpoints') === null && memberAt(next, 'cloud') === null;
  const nowhere =
    memberAt(next, 'mode') === 'external' && isNowhere ? [['cloud', ROUTER.noAddress] as const] : [];
  return new Map([...mistakes, ...nowhere]);
}

function changedFields(texts: RouterTexts, value: unknown): readonly RouterField[] {
  const before = routerTexts(value);
  return ROUTER_FIELDS.filter(({ path }) => texts[path] !== before[path]);
}

/** The setting with the changed fields; every other member stays as it is, also one that this page does not know. */
export function readRouter(texts: RouterTexts, value: unknown): unknown {
  const changed = changedFields(texts, value);
  let next: unknown = value;
  for (const field of changed) {
    const read = readField(texts[field.path] ?? '', field);
    if (read.ok) next = withMember(next, field.path.split('.'), read.value);
  }
  return changed.some(({ path }) => path.startsWith('endpoints.')) ? withoutEmptyEndpoints(next) : next;
}

function withMember(value: unknown, [name = '', ...rest]: readonly string[], member: unknown): unknown {
  const before = isObject(value) ? value : {};
  return { ...before, [name]: rest.length === 0 ? member : withMember(before[name], rest, member) };
}

/** Addresses of which none is given are no addresses; one that is empty takes its default. */
function withoutEmptyEndpoints(value: unknown): unknown {
  const endpoints = memberAt(value, 'endpoints');
  if (!isObject(value) || !isObject(endpoints)) return value;
  const given = Object.entries(endpoints).filter(([, each]) => each !== null);
  return { ...value, endpoints: given.length === 0 ? null : Object.fromEntries(given) };
}
