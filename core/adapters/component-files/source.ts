/** Components, subscriptions and resiliency policies from a folder of YAML files, behind ports/component-source.ts. */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { Profile } from '../../contract/profile.ts';
import type { Problem } from '../../contract/subscription.ts';
import { errorText } from '../../contract/error-text.ts';
import { byteCount, sizeLimit } from '../../contract/size-text.ts';
import { withoutUndefined } from '../../contract/without-undefined.ts';
import { Refusal } from '../../domain/refusal.ts';
import { readResiliency } from '../../domain/resiliency.ts';
import type { SecretValues } from '../../domain/secret-values.ts';
import { RuleAllowance } from '../../domain/rule-allowance.ts';
import { readDeclarative } from '../../domain/subscription.ts';
import { NOT_READ } from '../../domain/unknown-members.ts';
import type { Clock } from '../../ports/clock.ts';
import type {
  Built,
  ChangedFiles,
  ComponentSource,
  ComponentSpec,
  FieldCheck,
  Resources,
} from '../../ports/component-source.ts';
import type { Log } from '../../ports/log.ts';
import { readAtMost } from '../bounded-file.ts';
import { BesideFiles } from './beside-files.ts';
import { inTurns } from './in-steps.ts';
import { filesInSteps } from './component-reader.ts';
import type { Found, FoundDocument, ReaderFacts } from './component-reader.ts';
import { checkFileName, checkStaysInside, isMissing } from './file-names.ts';
import { watchFolder } from './folder-watch.ts';
import { changedFiles, folderSignature, MAX_FILE, readFolder } from './read-folder.ts';
import type { Signature } from './read-folder.ts';
import { resolveComponents } from './resolve.ts';
import { saveFile } from './save-file.ts';
import type { CheckSettings } from './setting-problems.ts';
import { UuidMemory } from './uuid-memory.ts';

/** Knows the component types, as the registry does. */
export interface ComponentTypes {
  readonly types: readonly string[];
  build(spec: ComponentSpec): Built | undefined;
  /** Absent: settings are checked only when a component starts. */
  readonly check?: CheckSettings;
  /** Files that a component of this type reads, from its settings; several are places of the same one. Absent: none. */
  readonly filesOf?: (type: string, settings: Readonly<Record<string, string>>) => readonly string[];
}

export interface ComponentFilesOptions {
  readonly folder: string;
  readonly types: ComponentTypes;
  readonly profile: Profile;
  /** Ids of all apps of this run; they fill `{appID}`. */
  readonly appIds: readonly string[];
  readonly namespace?: string;
  /** Every pub/sub component is served from memory. */
  readonly localPubsub?: boolean;
  /** Absent: no type has a check of its own. */
  readonly fieldCheck?: FieldCheck;
  readonly podName?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly uuid: () => string;
  readonly clock: Clock;
  readonly log: Log;
  /** Collects every value that must not be shown. */
  readonly secrets?: SecretValues;
}

/** Reads nothing yet. */
export function createComponentFiles(options: ComponentFilesOptions): ComponentSource {
  return new ComponentFiles(options);
}

class ComponentFiles implements ComponentSource {
  readonly folder: string;
  readonly #options: ComponentFilesOptions;
  readonly #uuids: UuidMemory;
  readonly #facts: ReaderFacts;
  /** Component name -> file, of the last load. */
  #names: ReadonlyMap<string, string> = new Map();
  #loaded: string | undefined;
  readonly #beside = new BesideFiles();
  /** Files that `save` has written since the last load. */
  readonly #savedHere = new Set<string>();
  changedOnDisk: ChangedFiles | undefined;

  constructor(options: ComponentFilesOptions) {
    this.folder = options.folder;
    this.#options = options;
    this.#uuids = new UuidMemory(options.uuid);
    this.#facts = {
      profile: options.profile,
      knownTypes: options.types.types,
      localPubsub: options.localPubsub === true,
      ...withoutUndefined({
        fieldCheck: options.fieldCheck,
        check: options.types.check,
        namespace: options.namespace,
      }),
    };
  }

  readonly pathOf = (file: string): string => (file === this.folder ? file : join(this.folder, file));

  async load(): Promise<Resources> {
    // The signature is taken before the files are read, so that a change during the read shows as a difference afterwards.
    const { text } = await folderSignature(this.folder);
    const changed = this.#loaded === undefined ? [] : changedFiles(this.#loaded, text);
    const elsewhere = changed.filter((file) => !this.#savedHere.has(file));
    if (elsewhere.length > 0)
      this.changedOnDisk = { at: new Date(this.#options.clock.now()).toISOString(), files: elsewhere };
    this.#savedHere.clear();
    this.#loaded = text + (await this.#beside.signature());
    const { files, problems } = await readFolder(this.folder);
    const found = await inTurns(filesInSteps(files, this.#facts));
    this.#beside.name(this.#besideOf(found));
    // Taken before any of them is read, as that of the folder.
    this.#loaded = text + (await this.#beside.signature());
    this.#names = new Map(found.components.map(({ name, file }) => [name, file]));
    this.#uuids.begin();
    const components = await resolveComponents(found.components, {
      ...this.#options,
      uuids: this.#uuids,
      build: (spec) => this.#options.types.build(spec),
      ...withoutUndefined({ check: this.#options.types.check }),
    });
    return {
      components,
      subscriptions: found.subscriptions,
      resiliency: found.resiliency,
      problems: [...problems, ...found.problems],
    };
  }

  build(spec: ComponentSpec): Built | undefined {
    return this.#options.types.build(spec);
  }

  knownTypes(): readonly string[] {
    return this.#options.types.types;
  }

  watch(changed: () => void): () => void {
    const { clock, log } = this.#options;
    const signature = async (): Promise<Signature> => {
      const [{ isThere, text }, beside] = await Promise.all([
        folderSignature(this.folder),
        this.#beside.signature(),
      ]);
      return { isThere, text: text + beside };
    };
    const folder = watchFolder({
      folder: this.folder,
      clock,
      log,
      signature,
      changed,
      loaded: () => this.#loaded,
    });
    this.#beside.follow(folder.notice);
    return () => {
      this.#beside.end();
      folder.end();
    };
  }

  #besideOf({ components }: Found): readonly string[] {
    return components.flatMap(({ type, component }) => {
      const settings = (component?.metadata ?? []).map(({ name, value = '' }) => [name, value] as const);
      return this.#options.types.filesOf?.(type, Object.fromEntries(settings)) ?? [];
    });
  }

  /** Everything that can be said without secrets and environment; [] = nothing to say. */
  async validate(file: string, text: string): Promise<readonly Problem[]> {
    checkFileName(file);
    if (Buffer.byteLength(text) > MAX_FILE) {
      return [{ file, message: `The file has more than ${sizeLimit(MAX_FILE)}.`, severity: 'error' }];
    }
    const found = await inTurns(filesInSteps([{ file, text }], this.#facts));
    const inSubscriptions = await inTurns(this.#subscriptionProblems(found.subscriptions));
    return [
      ...found.problems,
      ...found.components.flatMap(({ problems }) => problems),
      ...this.#twins(file, found),
      ...inSubscriptions,
      ...located(
        this.#forEachApp((appId) => readResiliency(found.resiliency, { ...this.#options, appId }).problems),
        found.resiliency,
      ),
    ].toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0));
  }

  async read(file: string): Promise<string> {
    checkFileName(file);
    await checkStaysInside(this.folder, file);
    const path = join(this.folder, file);
    try {
      const found = await stat(path);
      // Reading a device or a pipe might never end.
      if (!found.isFile())
        throw new Refusal('NOT_FOUND', { reason: `${file} in the folder is not a file.` }, { field: 'file' });
      const { size } = found;
      if (size > MAX_FILE)
        throw new Refusal(
          'TOO_LARGE',
          { reason: `${file} has ${byteCount(size)}; Sidelight reads at most ${sizeLimit(MAX_FILE)}.` },
          { field: 'file' },
        );
      const bytes = await readAtMost(path, MAX_FILE);
      if (bytes !== undefined) return bytes.toString('utf8');
      throw new Refusal(
        'TOO_LARGE',
        { reason: `${file} has grown; Sidelight reads at most ${sizeLimit(MAX_FILE)}.` },
        { field: 'file' },
      );
    } catch (error) {
      if (!isMissing(error)) throw error;
      throw new Refusal(
        'NOT_FOUND',
        { reason: `There is no file ${file} in the folder.` },
        { field: 'file', cause: error },
      );
    }
  }

  /** Writes a file. A text with an error is not written, and its problems are the answer. Warnings do not prevent it. */
  async save(file: string, text: string): Promise<readonly Problem[]> {
    const problems = await this.validate(file, text);
    await checkStaysInside(this.folder, file);
    if (problems.some(({ severity }) => severity === 'error')) return problems;
    try {
      this.#savedHere.add(file);
      await saveFile(this.folder, file, text);
    } catch (error) {
      const reason = `Sidelight cannot write ${file}: ${errorText(error)}`;
      throw new Refusal('INVALID_PARAMS', { reason }, { field: 'file', cause: error });
    }
    return problems;
  }

  /** Problems of components whose name another file uses already. */
  #twins(file: string, found: Found): readonly Problem[] {
    return found.components.flatMap(({ name, document, locate }) => {
      const other = this.#names.get(name);
      if (other === undefined || other === file) return [];
      const message = `duplicate definition of component name ${name}: ${other} and ${file}`;
      return [
        {
          file,
          document,
          ...locate('metadata.name'),
          field: 'metadata.name',
          message,
          severity: 'error' as const,
        },
      ];
    });
  }

  /** Others have their turn after each document and app: rules are compiled for each app. */
  *#subscriptionProblems(subscriptions: readonly FoundDocument[]): Generator<void, readonly Problem[], void> {
    const allowances = new Map(this.#options.appIds.map((appId) => [appId, new RuleAllowance()]));
    const all: Problem[] = [];
    for (const one of subscriptions) {
      const where = { file: one.file, document: one.index, line: one.line };
      const ofApps: Problem[] = [];
      for (const [appId, rules] of allowances) {
        ofApps.push(...readDeclarative(one.document, where, { ...this.#options, appId, rules }).problems);
        yield;
      }
      all.push(...located(onlyOnce(ofApps), [one]));
    }
    return all;
  }

  #forEachApp(problemsOf: (appId: string) => readonly Problem[]): readonly Problem[] {
    return onlyOnce(this.#options.appIds.flatMap(problemsOf));
  }
}

/** Problems of all apps, because a document may be for one app only; equal ones are reported once. */
function onlyOnce(all: readonly Problem[]): readonly Problem[] {
  return [...new Map(all.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** Problems with the exact place of their field instead of the document's beginning. */
function located(problems: readonly Problem[], documents: readonly FoundDocument[]): readonly Problem[] {
  return problems.map((problem) => {
    const document = documents.find(({ index }) => index === problem.document);
    if (document === undefined || problem.field === undefined) return problem;
    return { ...problem, ...document.locate(problem.field, problem.code === NOT_READ ? 'name' : undefined) };
  });
}
