/**
 * Reads a Component document into settings, with precise complaints, and fills in its templates. Behaviour
 * 10.
 */
import type { Profile } from '../contract/profile.ts';
import type { Problem } from '../contract/subscription.ts';
import { withoutUndefined } from '../contract/without-undefined.ts';
import { parseDuration } from './duration.ts';
import { isObject } from './json.ts';
import { BadMember, Members, found, readElement } from './members.ts';
import { no, ok } from './result.ts';
import type { Result } from './result.ts';
import type { DocumentPosition } from './subscription.ts';

/** One entry of `spec.metadata`. `value` undefined: a secret that cannot be read now. */
export interface GivenField {
  readonly name: string;
  readonly value: string | undefined;
  /** How the file writes the value; some settings have to be a quoted string. */
  readonly written?: 'string' | 'number' | 'boolean';
}

/** One entry of `spec.metadata` with its source: exactly one of `value`, `secretKeyRef`, `envRef`. */
export interface ComponentMetadata {
  readonly name: string;
  readonly value?: string;
  /** How the value was written; some settings have to be a quoted string. */
  readonly written?: 'string' | 'number' | 'boolean';
  readonly secretKeyRef?: { readonly name: string; readonly key: string };
  readonly envRef?: string;
}

export interface ComponentDocument {
  readonly name: string;
  /** Type in lower case, as the registry has it. */
  readonly type: string;
  readonly version: string;
  readonly ignoreErrors: boolean;
  readonly initTimeoutMs: number;
  readonly metadata: readonly ComponentMetadata[];
  readonly auth?: { readonly secretStore: string };
  /** Apps that may use the component; [] = every app. */
  readonly scopes: readonly string[];
  readonly namespace?: string;
}

export const DEFAULT_INIT_TIMEOUT_MS = 5000;

/** Reads one Component document. Without `component` the document cannot be used, and `problems` say why. */
export function readComponent(
  document: unknown,
  where: DocumentPosition,
  profile: Profile,
): { readonly component?: ComponentDocument; readonly problems: readonly Problem[] } {
  const from = {
    file: where.file,
    ...withoutUndefined({ document: where.document, line: where.line }),
  };
  const problems: Problem[] = [];
  const warn = (field: string, message: string): void => {
    problems.push({ ...from, field, message, severity: 'warning' });
  };
  const fail = (field: string, message: string): void => {
    problems.push({ ...from, field, message, severity: 'error' });
  };
  const read = readElement(
    () => {
      if (!isObject(document))
        throw new BadMember('', `A component must be an object, found ${found(document)}.`);
      return readDocument(new Members(document, '', false, []), { profile, warn, fail });
    },
    from,
    '',
  );
  if ('problem' in read) return { problems: [...problems, read.problem] };
  if (problems.some(({ severity }) => severity === 'error')) return { problems };
  return { component: read.value, problems };
}

export interface TemplateFacts {
  /** Makes a new UUID at each call. */
  readonly uuid: () => string;
  readonly appId: string;
  readonly namespace?: string;
  readonly podName?: string;
}

/** Fills `{uuid}`, `{appID}`, `{namespace}` and `{podName}` into a value; the complaint is a sentence. */
export function fillTemplates(value: string, facts: TemplateFacts): Result<string, string> {
  if (value.includes('{podName}') && (facts.podName ?? '') === '')
    return no('{podName} is used but there is no pod name.');
  const namespace = facts.namespace ?? '';
  const filled = value
    .replaceAll('{uuid}', () => facts.uuid())
    .replaceAll('{appID}', () => facts.appId)
    .replaceAll('{namespace}', () => (namespace === '' ? facts.appId : `${namespace}.${facts.appId}`))
    .replaceAll('{podName}', () => facts.podName ?? '');
  return ok(filled);
}

interface Reading {
  readonly profile: Profile;
  readonly warn: (field: string, message: string) => void;
  readonly fail: (field: string, message: string) => void;
}

function readDocument(members: Members, reading: Reading): ComponentDocument {
  if (members.text('kind') !== 'Component') throw members.bad('kind', 'Component', members.get('kind'));
  const apiVersion = members.text('apiVersion') ?? '';
  if (!/^[^/]+\/v1alpha1$/.test(apiVersion)) {
    reading.warn(
      'apiVersion',
      `apiVersion should be ${reading.profile.apiGroup}/v1alpha1, found ${found(members.get('apiVersion'))}.`,
    );
  }
  const head = members.object('metadata');
  const name = head?.text('name') ?? '';
  if (!isSegment(name)) {
    const what = 'a name that can stand in a path (not empty, no "/" or "%", not "." or "..")';
    throw (
      head?.bad('name', what, name === '' ? undefined : name) ??
      members.bad('metadata', 'an object', undefined)
    );
  }
  const spec = members.object('spec');
  if (spec === undefined) throw members.bad('spec', 'an object', undefined);
  const type = spec.text('type')?.trim() ?? '';
  if (type === '') throw spec.bad('type', 'a component type such as pubsub.in-memory', undefined);
  const secretStore = members.object('auth')?.text('secretStore') ?? '';
  const namespace = head?.text('namespace') ?? '';
  return {
    name,
    type: type.toLowerCase(),
    version: versionOf(spec, reading),
    ignoreErrors: spec.flag('ignoreErrors') ?? false,
    initTimeoutMs: initTimeoutOf(spec, reading),
    metadata: readSettings(spec, reading),
    ...(secretStore === '' ? {} : { auth: { secretStore } }),
    scopes: members.texts('scopes'),
    ...(namespace === '' ? {} : { namespace }),
  };
}

/** Whether a name can be in a path. */
export function isSegment(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/%]/.test(name);
}

/** Reads the version; empty and `v0` also mean the first version. */
function versionOf(spec: Members, reading: Reading): string {
  const version = spec.text('version') ?? '';
  if (version === '' || version === 'v0') return 'v1';
  if (version !== 'v1') reading.fail('spec.version', `spec.version must be v1, found ${found(version)}.`);
  return version;
}

function initTimeoutOf(spec: Members, reading: Reading): number {
  const value = spec.text('initTimeout');
  if (value === undefined || value === '') return DEFAULT_INIT_TIMEOUT_MS;
  const ms = parseDuration(value);
  if (ms !== undefined && ms > 0) return Math.round(ms);
  reading.warn(
    'spec.initTimeout',
    `spec.initTimeout must be a duration such as 5s, found ${found(value)}; 5s is used.`,
  );
  return DEFAULT_INIT_TIMEOUT_MS;
}

/** Reads the settings. Every item is read, so that all mistakes show at once. */
function readSettings(spec: Members, reading: Reading): readonly ComponentMetadata[] {
  const items: ComponentMetadata[] = [];
  const seen = new Set<string>();
  for (const item of spec.objects('metadata')) {
    const read = readElement(() => readItem(item, reading), {}, '');
    if ('problem' in read) {
      reading.fail(read.problem.field ?? item.field('name'), read.problem.message);
      continue;
    }
    const lower = read.value.name.toLowerCase();
    if (seen.has(lower))
      reading.warn(
        item.field('name'),
        `${item.field('name')}: ${read.value.name} appears twice; the last one counts.`,
      );
    seen.add(lower);
    items.push(read.value);
  }
  return items;
}

function readItem(item: Members, reading: Reading): ComponentMetadata {
  const name = item.text('name') ?? '';
  if (name === '') throw item.bad('name', 'a name', undefined);
  const secret = item.object('secretKeyRef');
  const envRef = item.text('envRef');
  const value = item.get('value');
  if ([secret, envRef, value].filter((given) => given !== undefined).length > 1) {
    throw new BadMember(
      item.field('value'),
      `${item.field('name')} ${name}: give one of value, secretKeyRef and envRef.`,
    );
  }
  if (secret !== undefined) {
    const store = secret.text('name') ?? '';
    if (store === '') throw secret.bad('name', 'the name of a secret', undefined);
    return { name, secretKeyRef: { name: store, key: secret.text('key') || store } };
  }
  if (envRef !== undefined) {
    if (!mayReferTo(envRef, reading.profile)) {
      throw new BadMember(
        item.field('envRef'),
        `${item.field('envRef')}: a component may not read the variable ${envRef}.`,
      );
    }
    return { name, envRef };
  }
  if (value === undefined) return { name, value: '', written: 'string' };
  if (typeof value === 'string') return { name, value, written: 'string' };
  if (typeof value === 'number') return { name, value: String(value), written: 'number' };
  if (typeof value === 'boolean') return { name, value: String(value), written: 'boolean' };
  throw item.bad('value', 'a string, a number, true or false', value);
}

/**
 * Whether a component may refer to a variable. Tokens and the sidecar's own variables are private to the
 * sidecar.
 */
export function mayReferTo(variable: string, profile: Profile): boolean {
  const name = variable.toUpperCase();
  return (
    name !== profile.env.appApiToken &&
    !name.startsWith(profile.env.prefix) &&
    !variable.includes(' ') &&
    name !== ''
  );
}
