/** Evaluates a subscription's filter for an event. */
import type { AdvancedFilter, FilterOperator, SubscriptionFilter } from '../../contract/event-router/wire.ts';
import type { FilterVerdict } from '../../contract/event-router/local-router.ts';
import { contains } from '../../domain/filter/glob.ts';
import { fieldOf } from './event-field.ts';

type Event = Readonly<Record<string, unknown>>;

/**
 * Whether an event passes the filter.
 * @param event as published; `eventType` or `type` is its type
 */
export function evaluateFilter(filter: SubscriptionFilter, event: Event): FilterVerdict {
  const { includedEventTypes: types = [] } = filter;
  const type = textOf(event['eventType'] ?? event['type']);
  const anyType = types.length === 0 || types.some((one) => one.toLowerCase() === 'all');
  if (!anyType && !types.some((one) => one.toLowerCase() === type.toLowerCase())) {
    return { matches: false, because: 'type' };
  }
  if (!subjectMatches(filter, textOf(event['subject']))) return { matches: false, because: 'subject' };
  const arrays = filter.enableAdvancedFilteringOnArrays === true;
  const failed = filter.advancedFilters?.find((advanced) => !advancedMatches(advanced, event, arrays));
  return failed === undefined ? { matches: true } : { matches: false, because: failed };
}

function subjectMatches(filter: SubscriptionFilter, subject: string): boolean {
  const fold = (text: string): string => (filter.isSubjectCaseSensitive === true ? text : text.toLowerCase());
  const { subjectBeginsWith: start = '', subjectEndsWith: end = '' } = filter;
  return fold(subject).startsWith(fold(start)) && fold(subject).endsWith(fold(end));
}

/** Whether one advanced filter matches. Without the key positive operators are false, negative ones true. */
function advancedMatches(filter: AdvancedFilter, event: Event, arrays: boolean): boolean {
  const found = fieldOf(event, filter.key);
  const { operatorType } = filter;
  const missing = found === undefined || found === null;
  if (operatorType === 'IsNullOrUndefined') return missing;
  if (operatorType === 'IsNotNull') return !missing;
  const negative = POSITIVE[operatorType];
  if (negative !== undefined) return !positiveMatches({ ...filter, operatorType: negative }, found, arrays);
  return positiveMatches(filter, found, arrays);
}

/** The positive operator that each negative one negates. */
const POSITIVE: Partial<Record<FilterOperator, FilterOperator>> = {
  NumberNotIn: 'NumberIn',
  NumberNotInRange: 'NumberInRange',
  StringNotIn: 'StringIn',
  StringNotBeginsWith: 'StringBeginsWith',
  StringNotEndsWith: 'StringEndsWith',
  StringNotContains: 'StringContains',
};

function positiveMatches(filter: AdvancedFilter, found: unknown, arrays: boolean): boolean {
  if (Array.isArray(found)) return arrays && found.some((item) => valueMatches(filter, item));
  return valueMatches(filter, found);
}

function valueMatches({ operatorType, value, values = [] }: AdvancedFilter, found: unknown): boolean {
  if (typeof found === 'number') return numberMatches(operatorType, found, { value, values });
  if (typeof found === 'boolean') return operatorType === 'BoolEquals' && found === value;
  if (typeof found !== 'string') return false;
  const text = found.toLowerCase();
  return values.some((one) => typeof one === 'string' && textMatches(operatorType, text, one.toLowerCase()));
}

function textMatches(operator: FilterOperator, text: string, value: string): boolean {
  switch (operator) {
    case 'StringIn':
      return text === value;
    case 'StringBeginsWith':
      return text.startsWith(value);
    case 'StringEndsWith':
      return text.endsWith(value);
    case 'StringContains':
      return contains(text, value);
    default:
      return false;
  }
}

function numberMatches(
  operator: FilterOperator,
  found: number,
  given: { readonly value: unknown; readonly values: readonly unknown[] },
): boolean {
  const value = typeof given.value === 'number' ? given.value : Number.NaN;
  switch (operator) {
    case 'NumberIn':
      return given.values.includes(found);
    case 'NumberInRange':
      return given.values.some((range) => {
        const [low, high]: unknown[] = Array.isArray(range) ? range : [];
        return typeof low === 'number' && typeof high === 'number' && low <= found && found <= high;
      });
    case 'NumberLessThan':
      return found < value;
    case 'NumberLessThanOrEquals':
      return found <= value;
    case 'NumberGreaterThan':
      return found > value;
    case 'NumberGreaterThanOrEquals':
      return found >= value;
    default:
      return false;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
