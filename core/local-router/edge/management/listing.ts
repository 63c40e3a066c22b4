/** Pages of a management list: `$top`, `$filter` on the name, and the link to the next page. */
import { invalid } from './request.ts';

const DEFAULT_TOP = 20;
const MAX = 100;

/** One page of a list. `address` is that of the request. */
export function listed<T extends { readonly name: string }>(
  items: readonly T[],
  query: URLSearchParams,
  address: string,
): { readonly value: readonly T[]; readonly nextLink: string | null } {
  const top = topOf(query.get('$top'));
  const named = byName(items, query.get('$filter'));
  const skip = Number(/^\d{1,9}$/.exec(query.get('$skiptoken') ?? '0')?.[0] ?? 0);
  const value = named.slice(skip, skip + top);
  if (skip + top >= named.length) return { value, nextLink: null };
  const next = new URL(address);
  next.searchParams.set('$skiptoken', String(skip + top));
  return { value, nextLink: next.href };
}

function topOf(given: string | null): number {
  if (given === null) return DEFAULT_TOP;
  const top = /^\d{1,4}$/.test(given) ? Number(given) : 0;
  if (top < 1 || top > MAX) throw invalid(`$top must be an integer 1 to ${MAX}, got ${given}.`);
  return top;
}

function byName<T extends { readonly name: string }>(
  items: readonly T[],
  filter: string | null,
): readonly T[] {
  if (filter === null || filter.trim() === '') return items;
  const contains = /^\s*contains\(\s*name\s*,\s*'([^']*)'\s*\)\s*$/i.exec(filter)?.[1];
  const equals = /^\s*name\s+eq\s+'([^']*)'\s*$/i.exec(filter)?.[1];
  const word = (contains ?? equals)?.toLowerCase();
  if (word === undefined) throw invalid("$filter must be contains(name,'…') or name eq '…'.");
  return items.filter(({ name }) =>
    equals === undefined ? name.toLowerCase().includes(word) : name.toLowerCase() === word,
  );
}
