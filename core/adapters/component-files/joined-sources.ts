/** Joins several component sources: each serves its own apps, and a name in two of them means two components. */
import type { Problem } from '../../contract/subscription.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ComponentSource, ComponentSpec, Resources } from '../../ports/component-source.ts';

export interface SourcePart {
  readonly source: ComponentSource;
  /** Stands before the names of its files; "" = it has none. */
  readonly label: string;
  /** Present ids of its apps. */
  readonly apps: () => readonly string[];
}

/** Maximum number of components with the same name that a message lists. */
const MAX_TWINS = 10;

/** @param parts at least one; each has its own registry, so that equal names do not share in-memory state */
export function joinSources(parts: readonly SourcePart[]): ComponentSource {
  const [first] = parts;
  if (first === undefined) throw new Error('there is no source to join');
  const partOf = new WeakMap<ComponentSpec, SourcePart>();
  const labels = parts.map(({ label }) => label).filter((label) => label !== '');
  /** The part that a file belongs to, and its name there. Throws Refusal NOT_FOUND. */
  const ownerOf = (file: string): { readonly part: SourcePart; readonly name: string } => {
    const at = file.lastIndexOf('/');
    const part = at < 0 ? undefined : parts.find(({ label }) => label === file.slice(0, at));
    if (part !== undefined) return { part, name: file.slice(at + 1) };
    const reason = `There is no file ${file}. Name the file with its folder, one of: ${labels.join(', ')}.`;
    throw new Refusal('NOT_FOUND', { reason }, { field: 'file' });
  };
  return {
    get changedOnDisk() {
      const changes = parts.flatMap(({ source, label }) => {
        const { changedOnDisk: changed } = source;
        return changed === undefined ? [] : [{ at: changed.at, files: changed.files.map(under(label)) }];
      });
      const latest = changes.map(({ at }) => at).toSorted();
      const at = latest.at(-1);
      return at === undefined ? undefined : { at, files: changes.flatMap(({ files }) => files) };
    },
    pathOf: (file) => {
      const at = file.lastIndexOf('/');
      const part = parts.find(({ label }) => at >= 0 && label === file.slice(0, at));
      return part?.source.pathOf?.(file.slice(at + 1)) ?? file;
    },
    load: async () => {
      const loaded = await Promise.all(parts.map(loadPart));
      const marked = withTwins(loaded.map(({ components }) => components));
      for (const [i, part] of parts.entries()) for (const spec of marked[i] ?? []) partOf.set(spec, part);
      return { ...joined(loaded), components: marked.flat() };
    },
    build: (spec) => (partOf.get(spec) ?? first).source.build(spec),
    knownTypes: () => first.source.knownTypes(),
    watch: (changed) => {
      const ends = parts.map(({ source }) => source.watch(changed));
      return () => {
        for (const end of ends) end();
      };
    },
    validate: async (file, text) => {
      const { part, name } = ownerOf(file);
      return (await part.source.validate(name, text)).map(problemUnder(part));
    },
    read: (file) => {
      const { part, name } = ownerOf(file);
      return part.source.read(name);
    },
    save: async (file, text) => {
      const { part, name } = ownerOf(file);
      return (await part.source.save(name, text)).map(problemUnder(part));
    },
  };
}

function joined(all: readonly Resources[]): Resources {
  return {
    components: all.flatMap(({ components }) => components),
    subscriptions: all.flatMap(({ subscriptions }) => subscriptions),
    resiliency: all.flatMap(({ resiliency }) => resiliency),
    problems: all.flatMap(({ problems }) => problems),
  };
}

async function loadPart(part: SourcePart): Promise<Resources> {
  const { source, label, apps } = part;
  const ids = [...apps()];
  const { components, subscriptions, resiliency, problems } = await source.load();
  const file = under(label);
  return {
    components: components.flatMap((spec) => forApps(spec, ids, part)),
    subscriptions: subscriptions.map((one) => ({ ...one, file: file(one.file), apps: ids })),
    resiliency: resiliency.map((one) => ({ ...one, file: file(one.file), apps: ids })),
    problems: problems.map(problemUnder(part)),
  };
}

/** Limits a component to apps of its part. One that fits none of them is left out, because no scopes would mean all apps. */
function forApps(
  spec: ComponentSpec,
  apps: readonly string[],
  part: Pick<SourcePart, 'source' | 'label'>,
): readonly ComponentSpec[] {
  const scopes = spec.scopes.length === 0 ? apps : spec.scopes.filter((appId) => apps.includes(appId));
  if (scopes.length === 0) return [];
  const withFile = spec.file === undefined ? {} : { file: under(part.label)(spec.file) };
  const isLimited = scopes.length !== spec.scopes.length;
  const limitedBy = { folderApps: apps, fileScopes: spec.scopes };
  return [
    {
      ...spec,
      ...withFile,
      scopes,
      ...(isLimited ? { limitedBy } : {}),
      problems: spec.problems.map(problemUnder(part)),
    },
  ];
}

/** Components of each part. Those that one app gets from two parts under one name are marked, and cannot be used. */
function withTwins(parts: readonly (readonly ComponentSpec[])[]): readonly (readonly ComponentSpec[])[] {
  const byName = new Map<string, ComponentSpec[]>();
  for (const spec of parts.flat().filter(isNamed)) {
    const same = byName.get(spec.name);
    if (same === undefined) byName.set(spec.name, [spec]);
    else same.push(spec);
  }
  const partOf = new Map(parts.flatMap((specs) => specs.map((spec) => [spec, specs] as const)));
  return parts.map((own) =>
    own.map((spec) => {
      const twins = (isNamed(spec) ? (byName.get(spec.name) ?? []) : []).filter(
        (one) => partOf.get(one) !== own && one.scopes.some((appId) => spec.scopes.includes(appId)),
      );
      if (twins.length === 0) return spec;
      const places = [spec, ...twins.slice(0, MAX_TWINS)].map(placeOf);
      return failedBy(spec, `duplicate definition of component name ${spec.name}: ${places.join(' and ')}`);
    }),
  );
}

/** Whether the component has a name in its file; otherwise the file's name is used. */
function isNamed({ problems }: ComponentSpec): boolean {
  return problems.every(({ field, severity }) => field !== 'metadata.name' || severity !== 'error');
}

function placeOf({ file, document, line }: ComponentSpec): string {
  return file === undefined ? 'the built-in one' : `${file} (document ${document}, line ${line})`;
}

function failedBy(spec: ComponentSpec, message: string): ComponentSpec {
  const { file, document, line } = spec;
  const problem: Problem = {
    ...withoutUndefined({ file, document, line }),
    field: 'metadata.name',
    message,
    severity: 'error',
  };
  const failed = spec.failed === undefined ? message : `${spec.failed}; ${message}`;
  return { ...spec, problems: [...spec.problems, problem], failed };
}

function under(label: string): (file: string) => string {
  return (file) => (label === '' ? file : `${label}/${file}`);
}

/** A problem of the whole folder names its path, which has no label. */
function problemUnder({
  label,
  source,
}: Pick<SourcePart, 'source' | 'label'>): (problem: Problem) => Problem {
  return (problem) =>
    problem.file === undefined || problem.file === source.folder
      ? problem
      : { ...problem, file: under(label)(problem.file) };
}
