/** Checks the filter of an event subscription in a request. */
import { FILTER_OPERATORS } from '../../contract/event-router/words.ts';
import type { AdvancedFilter, FilterOperator, SubscriptionFilter } from '../../contract/event-router/wire.ts';
import { isObject } from '../../domain/json.ts';
import type { JsonObject } from '../../domain/json.ts';
import { no, ok } from '../../domain/result.ts';
import type { Result } from '../../domain/result.ts';

const MAX_FILTERS = 25;
const MAX_VALUES = 25;
const MAX_LENGTH = 512;

export function readFilter(given: unknown): Result<SubscriptionFilter, string> {
  if (!isObject(given)) return no('properties.filter must be an object.');
  const types = given['includedEventTypes'];
  if (types !== undefined && types !== null && !isTexts(types)) {
    return no('filter.includedEventTypes must be an array of strings.');
  }
  for (const name of ['subjectBeginsWith', 'subjectEndsWith']) {
    const text = given[name];
    if (text !== undefined && text !== null && typeof text !== 'string')
      return no(`filter.${name} must be a string.`);
  }
  for (const name of ['isSubjectCaseSensitive', 'enableAdvancedFilteringOnArrays']) {
    const flag = given[name];
    if (flag !== undefined && flag !== null && typeof flag !== 'boolean')
      return no(`filter.${name} must be true or false.`);
  }
  const advanced = readAdvanced(given['advancedFilters'] ?? []);
  if (!advanced.ok) return advanced;
  return ok({
    ...textMember(given, 'subjectBeginsWith'),
    ...textMember(given, 'subjectEndsWith'),
    ...(isTexts(types) ? { includedEventTypes: types } : {}),
    isSubjectCaseSensitive: given['isSubjectCaseSensitive'] === true,
    enableAdvancedFilteringOnArrays: given['enableAdvancedFilteringOnArrays'] === true,
    ...(advanced.value.length === 0 ? {} : { advancedFilters: advanced.value }),
  });
}

function readAdvanced(given: unknown): Result<readonly AdvancedFilter[], string> {
  if (!Array.isArray(given)) return no('filter.advancedFilters must be an array.');
  if (given.length > MAX_FILTERS)
    return no(`filter.advancedFilters may have at most ${MAX_FILTERS} entries.`);
  const read: AdvancedFilter[] = [];
  let values = 0;
  for (const [index, entry] of given.entries()) {
    const filter = readOne(entry);
    if (typeof filter === 'string') return no(`filter.advancedFilters[${index}] ${filter}.`);
    values += filter.values?.length ?? 1;
    read.push(filter);
  }
  return values > MAX_VALUES
    ? no(`filter.advancedFilters may have at most ${MAX_VALUES} values in total.`)
    : ok(read);
}

function readOne(entry: unknown): AdvancedFilter | string {
  if (!isObject(entry)) return 'must be an object';
  const operatorType = operatorOf(entry['operatorType']);
  if (operatorType === undefined)
    return `has an unknown operatorType ${JSON.stringify(entry['operatorType'])}`;
  const key = entry['key'];
  if (typeof key !== 'string' || key === '' || key.length > MAX_LENGTH) return 'needs a key';
  const { value, values } = entry;
  switch (FILTER_OPERATORS[operatorType]) {
    case 'none':
      return { operatorType, key };
    case 'number':
      return typeof value === 'number' ? { operatorType, key, value } : 'needs a number as value';
    case 'boolean':
      return typeof value === 'boolean' ? { operatorType, key, value } : 'needs true or false as value';
    case 'numbers':
      return isNumbers(values) ? { operatorType, key, values } : 'needs an array of numbers as values';
    case 'ranges':
      return isRanges(values)
        ? { operatorType, key, values }
        : 'needs an array of pairs of numbers as values';
    case 'strings':
      if (!isTexts(values) || values.length === 0) return 'needs an array of strings as values';
      return values.some((text) => text.length > MAX_LENGTH)
        ? `has a value longer than ${MAX_LENGTH} characters`
        : { operatorType, key, values };
  }
}

function operatorOf(given: unknown): FilterOperator | undefined {
  return isOperator(given) ? given : undefined;
}

function isOperator(given: unknown): given is FilterOperator {
  return typeof given === 'string' && Object.hasOwn(FILTER_OPERATORS, given);
}

function textMember(of: JsonObject, name: string): Readonly<Record<string, string>> {
  const text = of[name];
  return typeof text === 'string' && text !== '' ? { [name]: text } : {};
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'number');
}

function isRanges(value: unknown): value is number[][] {
  return (
    Array.isArray(value) && value.length > 0 && value.every((item) => isNumbers(item) && item.length === 2)
  );
}
