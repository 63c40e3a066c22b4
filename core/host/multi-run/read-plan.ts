/** Reads and checks a multi-app file as a whole, before anything is started. */
import { planApp } from './app-plan.ts';
import type { ReadApp } from './app-plan.ts';
import { checkApps } from './checks.ts';
import { TOP_FIELDS } from './fields.ts';
import { mistakeAt, Mistakes } from './file-mistake.ts';
import { MergedFields, Notes, readBlock } from './merged-fields.ts';
import type { Block } from './merged-fields.ts';
import type { PathFacts } from './paths.ts';
import type { RunPlan } from './plan.ts';
import type { RunFile } from './find-file.ts';
import { inWords, readNumber, readText, shown } from './values.ts';
import { YamlMistake, readTree } from './yaml-tree.ts';
import type { Position, Tree } from './yaml-tree.ts';

const NONE: Tree = { kind: 'null', line: 1, column: 1 };

/**
 * Reads the plan.
 * @param facts `file` and `base` are those of the run file. Throws one UsageError with file, line and column of each mistake
 */
export function readPlan(runFile: RunFile, facts: Omit<PathFacts, 'file' | 'base'>): RunPlan {
  const { file, base } = runFile;
  const notes = new Notes(file);
  const mistakes = new Mistakes();
  const top = topOf(runFile, notes, mistakes);
  mistakes.attempt(() => checkVersion(file, top.get('version') ?? NONE, notes));
  const reading = { notes, mistakes };
  const common = mistakes.attempt(() => readBlock(file, top.get('common') ?? NONE, 'common', reading));
  const items = mistakes.attempt(() => itemsOf(file, top.get('apps') ?? NONE, notes)) ?? [];
  const read = items.flatMap((item): ReadApp | readonly [] => {
    const block = mistakes.attempt(() => readBlock(file, item, 'an app', reading));
    // A folder that cannot be read must not be missed a second time.
    if (block === undefined || hasUnread(item, block, 'appDirPath')) return [];
    const fields = new MergedFields(block, common ?? { values: new Map(), at: NONE }, notes);
    const app = planApp(fields, { ...facts, file, base, notes, mistakes });
    return hasUnread(item, block, 'appID') ? { ...app, named: undefined } : app;
  });
  const name = mistakes.attempt(() => nameOf(file, top.get('name') ?? NONE)) ?? '';
  const named = read.flatMap((one) => one.named ?? []);
  checkApps(file, named, named.length === items.length, mistakes);
  // A file that is refused is corrected once: keys that would have no effect are named too.
  if (mistakes.count > 0) for (const [text, at] of notes.wrongKeys) mistakes.add(mistakeAt(file, at, text));
  mistakes.throwAll();
  return {
    file,
    base,
    name,
    apps: read.flatMap(({ plan }) => plan ?? []),
    notes: notes.all,
    slips: notes.slips,
  };
}

/** Whether a mapping has a field whose value could not be read. */
function hasUnread(item: Tree, { values }: Block, field: string): boolean {
  return item.kind === 'map' && item.entries.some(({ key }) => key === field) && !values.has(field);
}

function itemsOf(file: string, list: Tree, notes: Notes): readonly Tree[] {
  if (list.kind !== 'list' && list.kind !== 'null')
    throw mistakeAt(file, list, `apps must be a list of apps; it is ${shown(list)}`);
  const items = list.kind === 'list' ? list.items : [];
  if (items.length > 0) return items;
  const meant = notes.takeMeaning('apps');
  if (meant === undefined) throw mistakeAt(file, positionIn(list), 'No apps to run');
  throw mistakeAt(
    file,
    meant.at,
    `No apps to run: ${inWords(meant.key)} is not known here; did you mean apps?`,
  );
}

function topOf({ file, text }: RunFile, notes: Notes, mistakes: Mistakes): ReadonlyMap<string, Tree> {
  const tree = treeOf({ file, text }, notes, mistakes);
  if (tree.kind === 'null') return new Map();
  if (tree.kind !== 'map') throw mistakeAt(file, tree, `expected a mapping with apps; it is ${shown(tree)}`);
  for (const { key, at, value } of tree.entries)
    if (!TOP_FIELDS.includes(key) && value.hasAnchor !== true) notes.addUnknown(key, at, 'the file');
  return new Map(tree.entries.map(({ key, value }) => [key, value]));
}

function treeOf({ file, text }: Pick<RunFile, 'file' | 'text'>, notes: Notes, mistakes: Mistakes): Tree {
  try {
    return readTree(text, {
      onRepeated: (key) => notes.addRepeated(key),
      onSecond: (at) =>
        notes.add('second', at, 'only the first document of the file is read, and this is the second'),
    });
  } catch (error) {
    if (!(error instanceof YamlMistake)) throw error;
    for (const { at, message } of [error, ...error.more]) mistakes.add(mistakeAt(file, at, message, error));
    mistakes.throwAll();
    throw error;
  }
}

function checkVersion(file: string, tree: Tree, notes: Notes): void {
  const read = readNumber(tree);
  if ('wrong' in read) throw mistakeAt(file, tree, `version ${read.wrong}`);
  if (read.value === 1) return;
  if (read.value !== 0) {
    notes.add('version', tree, `version ${read.value} is read as version 1, the only one that there is`);
    return;
  }
  const missing = "required field 'version' not found in the provided run template file; expected version: 1";
  const reason = `${missing}${notes.insteadOf('version', NONE)}`;
  throw mistakeAt(file, positionIn(tree), reason);
}

function nameOf(file: string, tree: Tree): string {
  const read = readText(tree);
  if ('wrong' in read) throw mistakeAt(file, read.at, `name ${read.wrong}`);
  return read.value;
}

function positionIn(tree: Tree): Position | undefined {
  return tree === NONE ? undefined : tree;
}
