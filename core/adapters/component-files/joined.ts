/** Several component sources as one: each serves apps of its own, and a name in two of them stands for two components. */
import type { Problem } from '../../contract/subscription.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { ComponentSource, ComponentSpec, Resources } from '../../ports/component-source.ts';

export interface SourcePart {
  readonly source: ComponentSource;
  /** Stands before the names of its files; "" = it has none. */
  readonly label: string;
  /** Ids of its apps, as of this moment. */
  readonly apps: () => readonly string[];
}

/** @param parts at least one; each makes its own components, so that equal names do not meet in memory */
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
    load: async () =>
      joined(
        await Promise.all(
          parts.map(async (part) => {
            const loaded = await loadPart(part);
            for (const spec of loaded.components) partOf.set(spec, part);
            return loaded;
          }),
        ),
      ),
    build: (spec) => (partOf.get(spec) ?? first).source.build(spec),
    knownTypes: () => first.source.knownTypes(),
    watch: (changed) => {
      const ends = parts.map(({ source }) => source.watch(changed));
      return () => {
        for (const end of ends) end();
      };
    },
    validate: (file, text) => {
      const { part, name } = ownerOf(file);
      return part.source.validate(name, text).map(problemUnder(part.label));
    },
    read: (file) => {
      const { part, name } = ownerOf(file);
      return part.source.read(name);
    },
    save: async (file, text) => {
      const { part, name } = ownerOf(file);
      return (await part.source.save(name, text)).map(problemUnder(part.label));
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

async function loadPart({ source, label, apps }: SourcePart): Promise<Resources> {
  const ids = [...apps()];
  const { components, subscriptions, resiliency, problems } = await source.load();
  const file = under(label);
  return {
    components: components.flatMap((spec) => forApps(spec, ids, label)),
    subscriptions: subscriptions.map((one) => ({ ...one, file: file(one.file), apps: ids })),
    resiliency: resiliency.map((one) => ({ ...one, file: file(one.file), apps: ids })),
    problems: problems.map(problemUnder(label)),
  };
}

/** Limits a component to apps of its part. One that fits none of them is left out, because no scopes would mean all apps. */
function forApps(spec: ComponentSpec, apps: readonly string[], label: string): readonly ComponentSpec[] {
  const scopes = spec.scopes.length === 0 ? apps : spec.scopes.filter((appId) => apps.includes(appId));
  if (scopes.length === 0) return [];
  const withFile = spec.file === undefined ? {} : { file: under(label)(spec.file) };
  return [{ ...spec, ...withFile, scopes, problems: spec.problems.map(problemUnder(label)) }];
}

function under(label: string): (file: string) => string {
  return (file) => (label === '' ? file : `${label}/${file}`);
}

function problemUnder(label: string): (problem: Problem) => Problem {
  return (problem) =>
    problem.file === undefined ? problem : { ...problem, file: under(label)(problem.file) };
}
