/** The path at which an app is called. */

/**
 * Cleans a path like a file path: no empty segment, no `.`, no `..`, no slash at the end. The text after a
 * `?` stays.
 */
export function cleanedPath(path: string): string {
  const [before = '', ...after] = path.split('?');
  const kept: string[] = [];
  for (const segment of before.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return [`/${kept.join('/')}`, ...after].join('?');
}
