/** Names of apps inside sentences. */

/** Id of the app of a start without `--app`. */
const UNNAMED = 'app';

/** The app in the middle of a sentence: `app shop`, and `the app` where its id is the word itself ("app app" reads as a mistake). */
export function theApp(appId: string): string {
  return appId === UNNAMED ? 'the app' : `app ${appId}`;
}

/** Apps in the middle of a sentence: `app shop`, `apps mail, shop`. */
export function theApps(appIds: readonly string[]): string {
  const [first, ...others] = appIds;
  return first !== undefined && others.length === 0 ? theApp(first) : `apps ${appIds.join(', ')}`;
}

/** The app with its article in any case: `the app shop`, and `the app` where its id is the word itself. */
export function thisApp(appId: string): string {
  return appId === UNNAMED ? 'the app' : `the app ${appId}`;
}

/** Whoever called the sidecar of an app: curl does so too, and only which app the call counts for is known. */
export function callerFirst(appId: string): string {
  return appId === UNNAMED ? 'A caller' : `A caller, as app ${appId}`;
}

/** The app at the beginning of a sentence. */
export function theAppFirst(appId: string): string {
  return appId === UNNAMED ? 'The app' : `App ${appId}`;
}
