/** The apps that may use a component, and the words for an app that is left out. */
import { allOf, eitherOf, firstOf } from './list-text.ts';
import { theAppFirst } from './app-text.ts';

/** What limits a component that not all apps of its file's scopes may use: only some apps have its folder. */
export interface FolderLimit {
  readonly folderApps: readonly string[];
  /** Empty: its file names no apps. */
  readonly fileScopes: readonly string[];
}

/** A component that only other apps may use. */
export interface OnlyForOthers {
  readonly scopes: readonly string[];
  readonly limitedBy?: FolderLimit;
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

/** Why nobody uses a component or another document with scopes; undefined: a running app may. */
export function forNobodyText(
  { scopes }: { readonly scopes: readonly string[] },
  appIds: readonly string[],
): string | undefined {
  if (appIds.some((appId) => mayUse({ scopes }, appId))) return undefined;
  return `None of the running apps is in its scopes${scopes.length === 0 ? '' : ` (${scopes.join(', ')})`}.`;
}

/** The scopes of the file, if these leave the app out; undefined: the app does not have its folder. */
function scopesAgainst({ scopes, limitedBy }: OnlyForOthers, appId?: string): readonly string[] | undefined {
  if (limitedBy === undefined) return scopes;
  return appId !== undefined && limitedBy.folderApps.includes(appId) ? limitedBy.fileScopes : undefined;
}

/** Components of one name that are listed by their places. */
const MAX_NAMED = 3;

/**
 * `only for billing, by its scopes (shop.yaml, line 3)`: the end of a sentence about the components of a name.
 * @param appId the app that is left out; undefined: no certain one
 */
export function onlyForText(others: readonly OnlyForOthers[], appId?: string): string {
  const each = others.map((one, index) => `${index === 0 ? '' : 'elsewhere '}${oneText(one, appId)}`);
  return firstOf(each, MAX_NAMED);
}

function oneText(others: OnlyForOthers, appId?: string): string {
  const { scopes, file } = others;
  const inFile = scopesAgainst(others, appId);
  const line = inFile === undefined ? others.line : (others.scopesLine ?? others.line);
  const place = [file, line === undefined ? undefined : `line ${line}`].filter((part) => part !== undefined);
  const where = place.length === 0 ? '' : ` (${place.join(', ')})`;
  const how = inFile === undefined ? 'in whose folder it is' : 'by its scopes';
  return `only for ${allOf(inFile ?? scopes)}, ${how}${where}`;
}

/** Why an app gets nothing from topics of a component of others, and what changes that. */
export function leftOutText(
  appId: string,
  { pubsubname, topics }: { readonly pubsubname: string; readonly topics: readonly string[] },
  others: readonly OnlyForOthers[],
  there: string,
): string {
  const inFolder = `its own folder has ${pubsubname}`;
  const ways = others.map((one) =>
    scopesAgainst(one, appId) === undefined ? inFolder : 'these scopes name it too',
  );
  const until = eitherOf([...new Set(ways)]);
  return `${theAppFirst(appId)} subscribes to ${topics.join(', ')} of ${pubsubname}, which is ${onlyForText(others, appId)}. The app gets nothing from it until ${until}, or the app names another component (${there}).`;
}
