/** Blocks of the reference's API that Sidelight does not serve: how a call of one, and a component for one, is known. */

interface OtherBlock {
  readonly name: string;
  /** Second part of its paths, `/v1.0/NAME/…`. */
  readonly paths: readonly string[];
  /** The third part of its paths names one of many things, and not a component or an app. */
  readonly namesEach?: true;
  /** Beginnings of the types of its components. */
  readonly types?: readonly string[];
}

const INVOCATION: OtherBlock = { name: 'service invocation', paths: ['invoke'] };

const OTHER_BLOCKS: readonly OtherBlock[] = [
  INVOCATION,
  { name: 'state management', paths: ['state'], types: ['state.'] },
  { name: 'secrets', paths: ['secrets'] },
  { name: 'actors', paths: ['actors'] },
  { name: 'configuration', paths: ['configuration'], types: ['configuration.'] },
  { name: 'distributed locks', paths: ['lock', 'unlock'], types: ['lock.'] },
  { name: 'workflows', paths: ['workflows'], types: ['workflow.', 'workflowbackend.'] },
  { name: 'jobs', paths: ['jobs'], namesEach: true },
  { name: 'conversation', paths: ['conversation'], types: ['conversation.'] },
  { name: 'cryptography', paths: ['crypto'], types: ['crypto.'] },
  { name: 'HTTP middleware', paths: [], types: ['middleware.'] },
  { name: 'name resolution', paths: [], types: ['nameresolution.'] },
];

const VERSIONED = /^\/v1\.0(?:-(?:alpha|beta)\d)?\/([a-z]+)(?:\/([^/]*))?/;
/** Characters of an app's id or a component's name in a report. */
const MAX_NAME = 100;

export interface OtherCall {
  readonly block: string;
  /** What the calls of a kind have in common: many differ in the rest of their path. */
  readonly path: string;
}

/**
 * Tells which block a request without a route was meant for; undefined: none that is known.
 * @param target value of the header that names another app: with it every path is a call of that app
 */
export function otherCall(path: string, target: string | undefined, header: string): OtherCall | undefined {
  const found = VERSIONED.exec(path);
  const block = OTHER_BLOCKS.find(({ paths }) => paths.includes(found?.[1] ?? ''));
  if (found !== null && block !== undefined) {
    const [start, , name = ''] = found;
    const isCut = block.namesEach === true && name !== '';
    const shown = isCut ? `${start.slice(0, -name.length)}…` : start;
    return { block: block.name, path: shown.slice(0, MAX_NAME) };
  }
  if (target === undefined || target === '') return undefined;
  return { block: INVOCATION.name, path: `/… (${header}: ${target.slice(0, MAX_NAME)})` };
}

/** The block that a component of this type is for; undefined: none that is known. */
export function blockOfType(type: string): string | undefined {
  return OTHER_BLOCKS.find(({ types = [] }) => types.some((start) => type.startsWith(start)))?.name;
}
