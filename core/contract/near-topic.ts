/** Whether one topic may be a slip of another: both the runtime and the console name such a subscription for a message that nobody got. */

/** Letters by which one of two similar names may be longer: `order` and `orders`. */
const MAX_MORE = 2;
/** Letters that the shorter of two names has at least, if the other one may be longer: `a` and `ab` are two names. */
const MIN_LENGTH = 3;
const SEPARATOR = /[-_.]/g;

/**
 * Whether two different names differ in upper and lower case, white space, `-`, `_` and `.`, or in an end of few letters alone. A number is
 * never a slip: `orders1` and `orders2` are two names.
 */
export function isNearTopic(one: string, other: string): boolean {
  const a = one.trim();
  const b = other.trim();
  // The lengths tell most names apart, at little cost.
  if (one === other || Math.abs(a.length - b.length) > MAX_MORE) return false;
  const [short, long] = a.length > b.length ? [plain(b), plain(a)] : [plain(a), plain(b)];
  if (short === '') return false;
  if (short.replaceAll('-', '') === long.replaceAll('-', '')) return true;
  return short.length >= MIN_LENGTH && long.startsWith(short) && !/\d/.test(long.slice(short.length));
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(SEPARATOR, '-');
}
