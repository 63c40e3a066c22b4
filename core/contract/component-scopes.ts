/** The apps that may use a component, and the words for an app that is left out. */
import { allOf } from './list-text.ts';
import { theAppFirst } from './app-text.ts';

/** A component that only other apps may use. */
export interface OnlyForOthers {
  readonly scopes: readonly string[];
  /** What limits the component, if it is not `scopes` of its file: the file is in the folder of these apps. */
  readonly limitedBy?: 'folder';
  readonly file?: string;
  /** Line of the component. */
  readonly line?: number;
  /** Line of its `scopes`. */
  readonly scopesLine?: number;
}

/** Whether an app may use a component; no scopes: every app may. */
export function mayUse({ scopes }: { readonly scopes: readonly string[] }, appId: string): boolean {
  return scopes.length === 0 || scopes.includes(appId);
}

/** `only for billing, by its scopes (shop.yaml, line 3)`: the end of a sentence about a component. */
export function onlyForText({ scopes, limitedBy, file, ...lines }: OnlyForOthers): string {
  const line = limitedBy === 'folder' ? lines.line : (lines.scopesLine ?? lines.line);
  const place = [file, line === undefined ? undefined : `line ${line}`].filter((part) => part !== undefined);
  const where = place.length === 0 ? '' : ` (${place.join(', ')})`;
  const how = limitedBy === 'folder' ? `in whose folder it is` : `by its scopes`;
  return `only for ${allOf(scopes)}, ${how}${where}`;
}

/** Why an app gets nothing from topics of a component of others, and what changes that. */
export function leftOutText(
  appId: string,
  { pubsubname, topics }: { readonly pubsubname: string; readonly topics: readonly string[] },
  others: OnlyForOthers,
  there: string,
): string {
  const until =
    others.limitedBy === 'folder' ? `its own folder has ${pubsubname}` : 'these scopes name it too';
  return `${theAppFirst(appId)} subscribes to ${topics.join(', ')} of ${pubsubname}, which is ${onlyForText(others)}. The app gets nothing from it until ${until}, or the app names another component (${there}).`;
}
