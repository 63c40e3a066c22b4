/**
 * Fills variables in a text that is to be published: `{{uuid}} {{now+60s}} {{int 1 500}} {{pick a,b}} {{env
 * NAME}} {{var name}}`.
 */

/** Sources of the values. */
export interface TemplateSource {
  readonly nowMs: number;
  readonly uuid: () => string;
  /** Returns the next number, from 1. */
  readonly counter: () => number;
  /** Returns a number from 0 to below 1. */
  readonly random: () => number;
  readonly env: (name: string) => string | undefined;
  readonly variable: (name: string) => string | undefined;
}

export interface TemplateMistake {
  /** Index of the mistake, from 0. */
  readonly position: number;
  readonly length: number;
  readonly found: string;
  readonly message: string;
}

export type Resolved =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly mistake: TemplateMistake };

/** Characters that a request may have with its variables filled in. */
export interface TemplateRoom {
  readonly most: number;
  /** What is left of them for this text. */
  readonly left: number;
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const EXPECTED = 'uuid, now, now+60s, epoch, counter, int a b, pick a,b, env NAME or var name';

/**
 * Fills all variables. `\{{` stands for `{{`. The first one that has no value, or no room, is a mistake with its position.
 */
export function resolveTemplate(text: string, source: TemplateSource, room?: TemplateRoom): Resolved {
  let out = '';
  let at = 0;
  for (const found of text.matchAll(/(\\)?\{\{([^{}]*)\}\}|\\\{\{/g)) {
    const { index } = found;
    out += text.slice(at, index);
    at = index + found[0].length;
    if (found[0].startsWith('\\')) {
      out += found[0].slice(1);
      continue;
    }
    const inner = (found[2] ?? '').trim();
    const value = valueOf(inner, source);
    const message = typeof value === 'string' ? noRoom(out.length + value.length, room) : value.message;
    if (message !== undefined)
      return { ok: false, mistake: { position: index, length: found[0].length, found: found[0], message } };
    if (typeof value === 'string') out += value;
  }
  return { ok: true, text: out + text.slice(at) };
}

function noRoom(length: number, room: TemplateRoom | undefined): string | undefined {
  if (room === undefined || length <= room.left) return undefined;
  return `With its variables filled in, the request has more than ${room.most.toLocaleString('en-US')} characters.`;
}

/** Fills the variables that have a value; the others stay as they are. */
export function fillTemplate(text: string, source: TemplateSource): string {
  return text.replaceAll(/(\\)?\{\{([^{}]*)\}\}/g, (found: string, escaped?: string, inner = '') => {
    if (escaped !== undefined) return found.slice(1);
    const value = valueOf(inner.trim(), source);
    return typeof value === 'string' ? value : found;
  });
}

/** Whether a text has a variable. */
export function hasTemplate(text: string): boolean {
  return text.includes('{{');
}

function valueOf(inner: string, source: TemplateSource): string | { readonly message: string } {
  const [word = '', ...rest] = inner.split(/\s+/);
  const given = inner.slice(word.length).trim();
  if (rest.length === 0) {
    if (word === 'uuid') return source.uuid();
    if (word === 'epoch') return String(Math.floor(source.nowMs / 1000));
    if (word === 'counter') return String(source.counter());
    const moment = /^now(?:([+-])(\d+)(ms|s|m|h|d))?$/.exec(word);
    if (moment !== null) {
      const shift = Number(moment[2] ?? 0) * (UNITS[moment[3] ?? 'ms'] ?? 1) * (moment[1] === '-' ? -1 : 1);
      const date = new Date(source.nowMs + shift);
      if (Number.isNaN(date.getTime())) return { message: `{{${inner}}} is not a time that can be written.` };
      return date.toISOString();
    }
  }
  if (word === 'int') return intOf(rest, source);
  if (word === 'pick' && given !== '') {
    const choices = given.split(',').map((choice) => choice.trim());
    return choices[Math.floor(source.random() * choices.length)] ?? '';
  }
  if (word === 'env' && rest.length === 1) {
    return source.env(given) ?? { message: `There is no environment variable ${given}.` };
  }
  if (word === 'var' && rest.length === 1) {
    return source.variable(given) ?? { message: `There is no variable ${given}.` };
  }
  return { message: `{{${inner}}} is unknown; expected ${EXPECTED}.` };
}

function intOf(words: readonly string[], source: TemplateSource): string | { readonly message: string } {
  const [from, to] = words.map(Number);
  const fits =
    words.length === 2 &&
    from !== undefined &&
    to !== undefined &&
    Number.isSafeInteger(from) &&
    Number.isSafeInteger(to) &&
    from <= to;
  if (!fits) return { message: 'int takes two whole numbers, the smaller one first.' };
  return String(from + Math.floor(source.random() * (to - from + 1)));
}
