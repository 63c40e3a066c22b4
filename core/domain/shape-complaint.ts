/** Finds the first place where parameters differ from their schema, and describes it in one sentence. */
import { shortened } from '../contract/cut-place.ts';
import { isObject } from '../contract/is-object.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { nearest } from './filter/mistakes.ts';
import { expectedCode, expectedText, foundText, lengthCode } from './shape-words.ts';
import type { Shape } from './shape-words.ts';

export interface ParamComplaint {
  /** Path of the member, "entries[0].entryId"; "" = the parameters themselves. */
  readonly field: string;
  readonly expected: string;
  /** Text of the complaint: "limit must be an integer 1 to 500, got 0" */
  readonly reason: string;
  /** Known names, if the member's name is not one of them. */
  readonly known?: readonly string[];
  /** Known words, if the value is a text and not one of them. */
  readonly words?: { readonly given: string; readonly expected: readonly string[] };
}

/** The complaint as a sentence, with the name or word that was probably meant. */
export function complaintSentence({ field, reason, known, words }: ParamComplaint): string {
  const name = /([^.[\]]+)$/.exec(field)?.[1] ?? '';
  const meant = words === undefined ? known && nearest(name, known) : nearest(words.given, words.expected);
  return meant === undefined ? reason : `${reason}. Did you mean "${meant}"?`;
}

/** The first complaint, in the order of the given members; undefined: `value` is valid. */
export function complaintOf(shape: Shape, value: unknown, field = ''): ParamComplaint | undefined {
  if (shape.anyOf !== undefined) return complaintOfUnion(shape, shape.anyOf, value, field);
  if (shape.const !== undefined) return value === shape.const ? undefined : mismatch(shape, value, field);
  switch (shape.type) {
    case undefined:
      return undefined;
    case 'object':
      return isObject(value) ? complaintOfObject(shape, value, field) : mismatch(shape, value, field);
    case 'array':
      return Array.isArray(value) ? complaintOfList(shape, value, field) : mismatch(shape, value, field);
    default:
      return fitsScalar(shape, value) ? undefined : mismatch(shape, value, field);
  }
}

function complaintOfObject(
  shape: Shape,
  value: Readonly<Record<string, unknown>>,
  field: string,
): ParamComplaint | undefined {
  const known = shape.properties ?? {};
  for (const [name, given] of Object.entries(value)) {
    const place = at(field, name);
    const own = Object.hasOwn(known, name) ? known[name] : undefined;
    const rest = shape.additionalProperties;
    if (own === undefined && rest === false) return unknownMember(Object.keys(known), place);
    const expected = own ?? (typeof rest === 'object' ? rest : undefined);
    const complaint = expected === undefined ? undefined : complaintOf(expected, given, place);
    if (complaint !== undefined) return complaint;
  }
  for (const name of shape.required ?? []) {
    if (Object.hasOwn(value, name)) continue;
    const expected = known[name] ?? {};
    const place = at(field, name);
    return {
      field: place,
      expected: expectedCode(expected),
      reason: `${place} is missing: it must be ${expectedText(expected)}`,
    };
  }
  return undefined;
}

function complaintOfList(shape: Shape, value: readonly unknown[], field: string): ParamComplaint | undefined {
  const { items, minItems = 0, maxItems = Infinity } = shape;
  if (value.length < minItems || value.length > maxItems) return mismatch(shape, value, field);
  if (items === undefined) return undefined;
  for (const [index, given] of value.entries()) {
    const complaint = complaintOf(items, given, `${field}[${index}]`);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

/**
 * The complaint of one of several forms: the form that `kind` names, else the only form for the type of the
 * value, else the one whose members are given.
 */
function complaintOfUnion(
  shape: Shape,
  forms: readonly Shape[],
  value: unknown,
  field: string,
): ParamComplaint | undefined {
  const complaints = forms.map((form) => complaintOf(form, value, field));
  if (complaints.includes(undefined)) return undefined;
  if (isObject(value) && forms.every((form) => form.properties?.['kind']?.const !== undefined)) {
    const meant = forms.findIndex((form) => form.properties?.['kind']?.const === value['kind']);
    const kinds: Shape = { anyOf: forms.map((form) => form.properties?.['kind'] ?? {}) };
    return meant === -1 ? mismatch(kinds, value['kind'], at(field, 'kind')) : complaints[meant];
  }
  const sameType = forms.flatMap((form, index) => (form.type === typeOf(value) ? [index] : []));
  const [only] = sameType;
  const nested = typeof value === 'object' && value !== null;
  if (nested && only !== undefined && sameType.length === 1) return complaints[only];
  if (isObject(value) && sameType.length > 1) {
    const near = nearestForm(forms, sameType, Object.keys(value));
    if (near.form !== undefined) return complaints[near.form];
    if (near.unknown !== undefined) return unknownMember(near.known, at(field, near.unknown));
  }
  return mismatch(shape, value, field);
}

/** The form that has most of the given members. If no form has any: the first form, with the names of all. */
function nearestForm(
  forms: readonly Shape[],
  among: readonly number[],
  given: readonly string[],
): { readonly form?: number; readonly known: readonly string[]; readonly unknown?: string } {
  const namesOf = (index: number): readonly string[] => Object.keys(forms[index]?.properties ?? {});
  const counts = among.map((index) => given.filter((name) => namesOf(index).includes(name)).length);
  const most = Math.max(...counts);
  const known = [...new Set(among.flatMap(namesOf))];
  const form = most === 0 ? undefined : among[counts.indexOf(most)];
  return {
    known,
    ...withoutUndefined({ form, unknown: given[0] }),
  };
}

function fitsScalar(shape: Shape, value: unknown): boolean {
  switch (shape.type) {
    case 'string':
      return (
        typeof value === 'string' &&
        value.length >= (shape.minLength ?? 0) &&
        value.length <= (shape.maxLength ?? Infinity)
      );
    case 'integer':
      return Number.isInteger(value) && fitsRange(shape, value);
    case 'number':
      return Number.isFinite(value) && fitsRange(shape, value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'null':
      return value === null;
    default:
      return true;
  }
}

function fitsRange({ minimum = -Infinity, maximum = Infinity }: Shape, value: unknown): boolean {
  return typeof value === 'number' && value >= minimum && value <= maximum;
}

function mismatch(shape: Shape, value: unknown, field: string): ParamComplaint {
  const subject = field === '' ? 'The parameters' : field;
  const expected = (shape.anyOf ?? []).flatMap((form) =>
    typeof form.const === 'string' ? [form.const] : [],
  );
  return {
    field,
    expected: lengthCode(shape, value) ?? expectedCode(shape),
    reason: `${subject} must be ${expectedText(shape)}, got ${foundText(value)}`,
    ...(typeof value === 'string' && expected.length > 0 ? { words: { given: value, expected } } : {}),
  };
}

function unknownMember(known: readonly string[], field: string): ParamComplaint {
  const expected = known.length === 0 ? 'no parameters' : `one of ${known.join(', ')}`;
  return { field, expected, reason: `${field} is not known: expected ${expected}`, known };
}

/** Longest member name that an error repeats. */
const NAME_SHOWN = 100;

function at(field: string, name: string): string {
  const shown = shortened(name, NAME_SHOWN);
  return field === '' ? shown : `${field}.${shown}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
