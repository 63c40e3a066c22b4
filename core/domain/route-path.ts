/** The path of a route as an app is called with it. */

/** Cleans a path as file paths are cleaned: no empty segment, no `.`, no `..`, no slash at the end. What follows a `?` stays. */
export function cleanedPath(path: string): string {
  const [before = '', ...after] = path.split('?');
  const kept: string[] = [];
  for (const segment of before.split('/')) {
    if (segment === '..') kept.pop();
    else if (segment !== '' && segment !== '.') kept.push(segment);
  }
  return [`/${kept.join('/')}`, ...after].join('?');
}
