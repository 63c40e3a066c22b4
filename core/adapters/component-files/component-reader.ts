/** Documents of a folder sorted by kind, and each component checked as far as its own text allows. */
import type { Profile } from '../../contract/profile.ts';
import type { Problem } from '../../contract/subscription.ts';
import { eitherOf } from '../../contract/list-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { readComponent } from '../../domain/component.ts';
import type { ComponentDocument } from '../../domain/component.ts';
import { blockOfType } from '../../domain/other-blocks.ts';
import { nearest } from '../../domain/filter/mistakes.ts';
import { isObject } from '../../domain/json.ts';
import { NOT_READ, OTHER_KIND, unknownMembers } from '../../domain/unknown-members.ts';
import type { KnownMembers } from '../../domain/unknown-members.ts';
import type { FieldCheck } from '../../ports/component-source.ts';
import { allAtOnce } from './in-steps.ts';
import { servedFromMemory } from './local-pubsub.ts';
import { settingProblems } from './setting-problems.ts';
import type { CheckSettings } from './setting-problems.ts';
import { documentsInSteps, textIn } from './yaml-documents.ts';
import { FOLDER_PIECES } from './yaml-limits.ts';
import type { Position, YamlDocument } from './yaml-documents.ts';

/** A component as written in its file, before templates and secrets are filled in. */
export interface FoundComponent {
  readonly name: string;
  /** False: the document has no readable name, so `name` is made from the file's name. */
  readonly isNamed: boolean;
  readonly type: string;
  /** Type in the file, if the component is served by another type. */
  readonly insteadOf?: string;
  readonly file: string;
  readonly document: number;
  readonly line: number;
  readonly ignoreErrors: boolean;
  /** undefined: it cannot be used, and `problems` say why. */
  readonly component?: ComponentDocument;
  readonly problems: readonly Problem[];
  readonly locate: (field: string, what?: 'name') => Position;
}

export interface FoundDocument {
  readonly document: unknown;
  readonly file: string;
  readonly index: number;
  readonly line: number;
  readonly locate: (field: string, what?: 'name') => Position;
}

export interface Found {
  readonly components: readonly FoundComponent[];
  readonly subscriptions: readonly FoundDocument[];
  readonly resiliency: readonly FoundDocument[];
  /** Problems of files and documents that hold no component. */
  readonly problems: readonly Problem[];
}

export interface ReaderFacts {
  readonly profile: Profile;
  readonly knownTypes: readonly string[];
  /** Every pub/sub component is served from memory. */
  readonly localPubsub?: boolean;
  /** Absent: settings are not checked. */
  readonly check?: CheckSettings;
  /** Namespace of the sidecar, which skips components of another one. */
  readonly namespace?: string;
  /** Absent: no type has a check of its own. */
  readonly fieldCheck?: FieldCheck;
}

const KINDS = ['Component', 'Subscription', 'Resiliency'];
/** Kinds of the same API that this sidecar ignores. */
const OTHER_KINDS: ReadonlySet<string> = new Set(['Configuration', 'HTTPEndpoint']);

/** Maximum number of places that the problem of a repeated component name lists. */
const MAX_TWINS = 10;

const MEMBERS: KnownMembers = {
  '': ['apiVersion', 'kind', 'metadata', 'spec', 'auth', 'scopes'],
  spec: ['type', 'version', 'ignoreErrors', 'initTimeout', 'metadata'],
  auth: ['secretStore'],
  'spec.metadata[]': ['name', 'value', 'secretKeyRef', 'envRef'],
  'spec.metadata[].secretKeyRef': ['name', 'key'],
};

interface FileText {
  readonly file: string;
  readonly text: string;
}

/** Reads the files of a folder together. Two components with one name are both unusable, because the intended one is unknown. */
export function readFiles(files: readonly FileText[], facts: ReaderFacts): Found {
  return allAtOnce(filesInSteps(files, facts));
}

/** Does what `readFiles` does, in steps, so that others have their turns in between. */
export function* filesInSteps(files: readonly FileText[], facts: ReaderFacts): Generator<void, Found, void> {
  const found: {
    components: FoundComponent[];
    subscriptions: FoundDocument[];
    resiliency: FoundDocument[];
    problems: Problem[];
  } = { components: [], subscriptions: [], resiliency: [], problems: [] };
  const left = { pieces: FOLDER_PIECES };
  for (const { file, text } of files) {
    for (const document of yield* documentsInSteps(file, text, left)) {
      const { value, index, line, locate } = document;
      const kind = kindOf(document);
      const other = otherVersion(file, document, kind, facts.profile);
      if (other !== undefined) {
        found.problems.push(other);
        continue;
      }
      const broken = document.problems.some(({ severity }) => severity === 'error');
      if (kind === 'Component') {
        const component = componentOf(file, document, facts);
        if ('skipped' in component) found.problems.push(component.skipped);
        else found.components.push(component);
        continue;
      }
      found.problems.push(...document.problems);
      if (broken) continue;
      const plain = { document: value, file, index, line, locate };
      if (kind === 'Subscription') found.subscriptions.push(plain);
      else if (kind === 'Resiliency') found.resiliency.push(plain);
      else found.problems.push(...kindProblems(file, document, kind));
    }
  }
  return { ...found, components: withoutTwins(found.components) };
}

/** Kind of a document, which even a broken document often still tells. */
function kindOf(document: YamlDocument): string | undefined {
  return textIn(document.value, 'kind') ?? /^kind:\s*["']?([A-Za-z]+)/m.exec(document.text)?.[1];
}

/** API versions that are accepted, for kinds whose API version matters. */
const VERSIONS: Readonly<Record<string, readonly string[]>> = {
  Component: ['v1alpha1'],
  Subscription: ['v1alpha1', 'v2alpha1'],
};

/** Why the release that is followed does not read a document at all; undefined: it does. */
function otherVersion(
  file: string,
  { value, index, locate }: YamlDocument,
  kind: string | undefined,
  { apiGroup, differences, referenceRelease }: Profile,
): Problem | undefined {
  const versions = kind === undefined ? undefined : VERSIONS[kind];
  if (differences.anyApiGroup || versions === undefined || !isObject(value)) return undefined;
  const known = versions.map((version) => `${apiGroup}/${version}`);
  const given = textIn(value, 'apiVersion') ?? '';
  if (known.includes(given)) return undefined;
  const message = `apiVersion must be ${eitherOf(known)}, found "${given}": release ${referenceRelease ?? ''} skips the document, and so does Sidelight in this profile.`;
  return { file, document: index, ...locate('apiVersion'), field: 'apiVersion', message, severity: 'error' };
}

function kindProblems(
  file: string,
  { value, index, line, locate }: YamlDocument,
  kind: string | undefined,
): Problem[] {
  const where = {
    file,
    document: index,
    ...(kind === undefined ? { line, column: 1 } : locate('kind')),
    field: 'kind',
  };
  const known = KINDS.join(', ');
  if (kind === undefined) {
    const what = isObject(value) ? 'kind is missing' : 'The document must be an object with a kind';
    return [{ ...where, message: `${what}; expected one of ${known}.`, severity: 'error' }];
  }
  if (OTHER_KINDS.has(kind)) {
    const message = `Sidelight does not use kind ${kind} and skips the document.`;
    return [{ ...where, code: OTHER_KIND, message, severity: 'warning' }];
  }
  const meant = nearest(kind, KINDS);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  return [
    {
      ...where,
      message: `Sidelight does not use kind ${kind}; it uses ${known}.${hint}`,
      severity: 'warning',
    },
  ];
}

/** `skipped` says why the component is not for this sidecar. */
function componentOf(
  file: string,
  document: YamlDocument,
  facts: ReaderFacts,
): FoundComponent | { readonly skipped: Problem } {
  const { value, index, line, locate } = document;
  const name = textIn(value, 'metadata', 'name');
  const common = {
    name: name ?? file.replace(/\.ya?ml$/i, ''),
    isNamed: name !== undefined,
    type: (textIn(value, 'spec', 'type') ?? '').toLowerCase(),
    file,
    document: index,
    line,
    ignoreErrors: isObject(value) && isObject(value['spec']) && value['spec']['ignoreErrors'] === true,
    locate,
  };
  // No mistake matters in a component that is not served.
  const block = blockOfType(common.type);
  if (block !== undefined) return { skipped: otherBlock(file, document, common, block) };
  if (document.problems.some(({ severity }) => severity === 'error'))
    return { ...common, problems: document.problems };
  const read = readComponent(value, { file, document: index, line }, facts.profile);
  const located = (problem: Problem): Problem =>
    problem.field === undefined ? problem : { ...problem, ...locate(problem.field) };
  const problems = [...document.problems, ...read.problems.map(located), ...unreadMembers(file, document)];
  const { component } = read;
  if (component === undefined) return { ...common, problems };
  const own = facts.namespace ?? '';
  if (component.namespace !== undefined && own !== '' && component.namespace !== own)
    return { skipped: otherNamespace(file, document, component, own) };
  const local = facts.localPubsub === true ? servedFromMemory(component) : undefined;
  if (local !== undefined)
    return { ...common, type: local.type, insteadOf: component.type, component: local, problems };
  if (!facts.knownTypes.includes(component.type)) {
    return { ...common, problems: [...problems, unknownType(file, document, component, facts)] };
  }
  const { fieldCheck } = facts;
  if (component.type !== fieldCheck?.type) {
    // The values of secrets, variables and templates are unknown here.
    const known = component.metadata.map(({ name: field, value: text }) => ({
      name: field,
      value: text === undefined || /\{\w+\}/.test(text) ? undefined : text,
    }));
    return { ...common, component, problems: [...problems, ...settingProblems(common, known, facts.check)] };
  }
  const given = component.metadata.map(({ name: field, value: text, written }) => ({
    name: field,
    value: text,
    ...withoutUndefined({ written }),
  }));
  const found = { ...common, component, problems };
  return { ...found, problems: fieldCheck.problems(found, given) };
}

function otherNamespace(
  file: string,
  { index, locate }: YamlDocument,
  { name, namespace = '' }: ComponentDocument,
  own: string,
): Problem {
  const field = 'metadata.namespace';
  const message = `Component ${name} is for namespace "${namespace}". NAMESPACE is "${own}", so Sidelight skips the document.`;
  return { file, document: index, ...locate(field), field, code: NOT_READ, message, severity: 'warning' };
}

/** A component that the reference would use. An app with one can use pub/sub here all the same, so it is no failed component. */
function otherBlock(
  file: string,
  { index, locate }: YamlDocument,
  { name, type }: Pick<FoundComponent, 'name' | 'type'>,
  block: string,
): Problem {
  const field = 'spec.type';
  const message = `Sidelight does not serve ${block}, so it skips component ${name} (${type}).`;
  return { file, document: index, ...locate(field), field, code: OTHER_KIND, message, severity: 'warning' };
}

function unknownType(
  file: string,
  { index, locate }: YamlDocument,
  { type, version }: ComponentDocument,
  facts: ReaderFacts,
): Problem {
  const known = facts.knownTypes.join(', ');
  const meant = nearest(type, facts.knownTypes);
  const local = type.startsWith('pubsub.') ? '; --local-pubsub serves it from memory' : '';
  // The near name comes first: where a text is cut, and where it is read, the list of all types hides it.
  const rest =
    meant === undefined ? `known types: ${known}${local}` : `did you mean ${meant}? Known types: ${known}`;
  const message = `unknown type ${type}/${version}; ${rest}`;
  return { file, document: index, ...locate('spec.type'), field: 'spec.type', message, severity: 'error' };
}

function unreadMembers(file: string, { value, index, locate }: YamlDocument): readonly Problem[] {
  return unknownMembers(value, MEMBERS, { caseMatters: true }).map(({ field, message }) => ({
    file,
    document: index,
    ...locate(field, 'name'),
    field,
    code: NOT_READ,
    message,
    severity: 'warning' as const,
  }));
}

function withoutTwins(components: readonly FoundComponent[]): readonly FoundComponent[] {
  const byName = new Map<string, FoundComponent[]>();
  // A name made from the file's name does not conflict with any other.
  for (const one of components.filter(({ isNamed }) => isNamed)) {
    const twins = byName.get(one.name);
    if (twins === undefined) byName.set(one.name, [one]);
    else twins.push(one);
  }
  return components.map((one) => {
    const twins = one.isNamed ? (byName.get(one.name) ?? []) : [];
    if (twins.length < 2) return one;
    const twinFiles = twins
      .slice(0, MAX_TWINS)
      .map(({ file, document, line }) => `${file} (document ${document}, line ${line})`);
    if (twins.length > MAX_TWINS) twinFiles.push(`${twins.length - MAX_TWINS} more`);
    const problem: Problem = {
      file: one.file,
      document: one.document,
      ...one.locate('metadata.name'),
      field: 'metadata.name',
      message: `duplicate definition of component name ${one.name}: ${twinFiles.join(' and ')}`,
      severity: 'error',
    };
    const { component: _unusable, ...rest } = one;
    return { ...rest, problems: [...one.problems, problem] };
  });
}
