/** Checks of a scenario file beyond its shape: settings, folders, and names of apps and components. */
import type { Scenario } from '../contract/scenario.ts';
import { APP_ADDRESS_WORDS, APP_ID, APP_ID_WORDS, isAppAddress, withScheme } from '../domain/names.ts';
import { shownTyped } from '../domain/redact.ts';
import { isObject } from '../domain/json.ts';
import type { SettingComplaint } from '../domain/setting-checks.ts';
import type { ParamComplaint } from '../domain/shape-complaint.ts';
import { PUBSUB } from './acts.ts';

/** A complaint with its position. */
export interface Found extends ParamComplaint {
  /** Path to the mistake, for names that contain a dot; absent: that of `field`. */
  readonly path?: readonly string[];
  /** Index of the mistake inside a text; absent: the whole value. */
  readonly within?: number;
}

/** Questions about the surroundings of the file; an absent one is not asked. */
export interface Around {
  readonly settings?: {
    readonly keys: readonly string[];
    /** Complaint about the value of a setting. Undefined: the value is valid. */
    readonly complaint: (key: string, value: unknown) => SettingComplaint | undefined;
  };
  /**
   * Whether a folder exists.
   * @param folder relative to the file's folder
   */
  readonly isFolder?: (folder: string) => boolean;
}

/**
 * Complaints about the file.
 * @param file parsed file; mistakes in its shape are not reported here
 */
export function complaintsAboutFacts(
  file: Readonly<Record<string, unknown>>,
  around: Around,
): readonly Found[] {
  const { appId, resources } = file;
  const folder =
    typeof resources === 'string' && around.isFolder?.(resources) === false
      ? [bad('resources', 'a folder that exists, from the folder of this file', resources)]
      : [];
  const id =
    typeof appId === 'string' && !APP_ID.test(appId) ? [bad('appId', APP_ID_WORDS, shownTyped(appId))] : [];
  return [
    ...complaintsAboutSettings(file, around),
    ...folder,
    ...id,
    ...complaintsAboutAddresses(file),
    ...complaintsAboutNames(file),
  ];
}

/** Complaints about addresses of apps at which the file's instance would not start. */
function complaintsAboutAddresses({ app, apps }: Readonly<Record<string, unknown>>): readonly Found[] {
  const further = isObject(apps) ? Object.entries(apps) : [];
  return [[['app'], app] as const, ...further.map(([id, one]) => [['apps', id], one] as const)].flatMap(
    ([path, one]): Found[] => {
      const url = isObject(one) ? one['url'] : undefined;
      if (typeof url !== 'string' || NO_ADDRESS.has(url) || isAppAddress(withScheme(url, 'http'))) return [];
      const field = `${path.join('.')}.url`;
      const expected = `${APP_ADDRESS_WORDS}, or none`;
      const reason = `${field} must be ${expected}, got ${JSON.stringify(shownTyped(url))}`;
      return [{ field, path: [...path, 'url'], expected, reason }];
    },
  );
}

/** Words that the instance takes in place of an address. */
const NO_ADDRESS: ReadonlySet<string> = new Set(['none', 'mock']);

function complaintsAboutSettings(
  { settings }: Readonly<Record<string, unknown>>,
  { settings: known }: Around,
): readonly Found[] {
  if (!isObject(settings) || known === undefined) return [];
  return Object.entries(settings).flatMap(([key, value]): Found[] => {
    // A member of this block may be given by its path, as with --set.
    if (key.startsWith('eventRouter.')) return [];
    const field = `settings.${key}`;
    const path = ['settings', key];
    if (!known.keys.includes(key)) {
      const expected = `one of ${known.keys.join(', ')}`;
      return [
        {
          field,
          path,
          expected,
          reason: `${field} is not known: expected ${expected}`,
          known: known.keys,
          words: { given: key, expected: known.keys },
        },
      ];
    }
    const complaint = known.complaint(key, value);
    if (complaint === undefined) return [];
    const { expected, found } = complaint;
    return [{ field, path, expected, reason: `${field} must be ${expected}, got ${found}` }];
  });
}

/** Complaints about apps and components that steps name and the file does not have. */
function complaintsAboutNames(file: Readonly<Record<string, unknown>>): readonly Found[] {
  const { appId = 'app', apps, pubsubs, resources, steps } = file;
  const ids = [String(appId), ...(isObject(apps) ? Object.keys(apps) : [])];
  // The components of a folder are known only when it is loaded.
  const components =
    resources !== undefined ? undefined : Array.isArray(pubsubs) ? pubsubs.map(String) : [PUBSUB];
  if (!Array.isArray(steps)) return [];
  return steps.flatMap((step: unknown, index) =>
    KINDS_WITH_NAMES.flatMap((kind): Found[] => {
      const given = isObject(step) ? step[kind] : undefined;
      if (!isObject(given)) return [];
      const path = `steps[${index}].${kind}`;
      const [app, component] = [given['appId'], given['pubsubname']];
      return [
        ...(typeof app === 'string' && !ids.includes(app) ? [noSuch(`${path}.appId`, 'apps', app, ids)] : []),
        ...(typeof component === 'string' && components?.includes(component) === false
          ? [noSuch(`${path}.pubsubname`, 'components', component, components)]
          : []),
      ];
    }),
  );
}

const KINDS_WITH_NAMES = ['publish', 'publishBulk', 'publishGrpc', 'mock'] as const;

function noSuch(field: string, what: string, given: string, expected: readonly string[]): Found {
  const reason = `${field} must be one of the file's ${what} (${expected.join(', ')}), got ${JSON.stringify(given)}`;
  return { field, expected: expected.join(', '), reason, words: { given, expected } };
}

function bad(field: keyof Scenario, expected: string, given: string): Found {
  return { field, expected, reason: `${field} must be ${expected}, got ${JSON.stringify(given)}` };
}
