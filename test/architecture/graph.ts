/** Reads the real imports of source files: static, dynamic, re-exported, type-only, and inside types. */
import fs from 'node:fs';
import { builtinModules } from 'node:module';
import path from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';

export interface Edge {
  /** File that imports, relative to the repository root, with forward slashes. */
  readonly from: string;
  /** Imported file (same spelling), or the package name, or `node:` and the built-in module. */
  readonly to: string;
  readonly kind: 'file' | 'package' | 'node' | 'unknown';
  /** True when nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

export const ROOT = path.resolve(import.meta.dirname, '..', '..');

const CODE = /\.(ts|tsx|cts|mts|mjs|js)$/;
const SKIPPED = new Set([
  'node_modules',
  'dist',
  'release',
  '.git',
  '.node',
  '.cache',
  'test-results',
  'playwright-report',
]);
const BUILT_IN = new Set(builtinModules);
/** `import(…)`, as a call or as a type; a comment may stand between the two. */
const IMPORT_CALL = /\bimport\s*(?:\/[/*][^]*?)?\(/;

/** Files below the root, relative to it, sorted; without what is generated or installed. */
export function filesOf(root: string, wanted: (file: string) => boolean): string[] {
  const walk = (folder: string): string[] =>
    fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
      const name = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : walk(name);
      return entry.isFile() && wanted(name) ? [name] : [];
    });
  return walk('').sort();
}

/** Source files of the project, declaration files apart. */
export const sourceFiles = (root: string = ROOT): string[] =>
  filesOf(root, (file) => CODE.test(file) && !/\.d\.[cm]?ts$/.test(file));

/**
 * Edges of one file.
 * @param file relative to the root; it need not exist
 * @throws Error when the text is not a program
 */
export function edgesOf(file: string, text: string): Edge[] {
  // Vite's `?raw` and the like are the same file to us; .cts is read as a module because it is written as one.
  const parsed = parseSync(file.replace(/\.cts$/, '.ts'), text, { sourceType: 'module' });
  const { module, errors } = parsed;
  const broken = errors.find((error) => error.severity === 'Error');
  if (broken) throw new Error(`${file}: ${broken.message}`);
  const edge = (specifier: string, typeOnly: boolean): Edge => ({
    from: file,
    typeOnly,
    ...targetOf(file, specifier),
  });

  // `import { type A }` still loads the file: only `import type` leaves nothing behind.
  const isTypes = ({ start, end }: { start: number; end: number }): boolean =>
    /^(im|ex)port\s+type\b/.test(text.slice(start, end));
  const imported = module.staticImports.map((one) => edge(one.moduleRequest.value, isTypes(one)));
  const exported = module.staticExports.flatMap((one) =>
    one.entries.flatMap(({ moduleRequest }) =>
      moduleRequest ? [edge(moduleRequest.value, isTypes(one))] : [],
    ),
  );
  const dynamic = module.dynamicImports.map(({ moduleRequest: { start, end } }) => {
    const literal = /^(['"`])([^'"`$]*)\1$/.exec(text.slice(start, end).trim())?.[2];
    return literal === undefined
      ? ({ from: file, to: text.slice(start, end), kind: 'unknown', typeOnly: false } as const)
      : edge(literal, false);
  });
  const inTypes: Edge[] = [];
  // The tree is made when it is first asked for, which takes as long as all else: only where there can be such a type.
  if (IMPORT_CALL.test(text)) {
    const keep = new Visitor({ TSImportType: ({ source }) => void inTypes.push(edge(source.value, true)) });
    keep.visit(parsed.program);
  }
  return distinct([...imported, ...exported, ...dynamic, ...inTypes]);
}

/** One edge per pair; it is type-only when each of its imports is. */
function distinct(edges: readonly Edge[]): Edge[] {
  const byTarget = new Map<string, Edge>();
  for (const edge of edges) {
    const known = byTarget.get(edge.to);
    byTarget.set(edge.to, { ...edge, typeOnly: edge.typeOnly && (known?.typeOnly ?? true) });
  }
  return [...byTarget.values()];
}

function targetOf(file: string, specifier: string): Pick<Edge, 'to' | 'kind'> {
  const [plain = ''] = specifier.split('?');
  if (plain.startsWith('.')) return { to: path.posix.join(path.posix.dirname(file), plain), kind: 'file' };
  const [first = '', second = ''] = plain.split('/');
  if (plain.startsWith('node:') || BUILT_IN.has(first)) {
    return { to: plain.startsWith('node:') ? plain : `node:${plain}`, kind: 'node' };
  }
  return { to: plain.startsWith('@') ? `${first}/${second}` : first, kind: 'package' };
}

/** Edges of every source file below the root. */
export const allEdges = (root: string = ROOT, files: readonly string[] = sourceFiles(root)): Edge[] =>
  files.flatMap((file) => edgesOf(file, fs.readFileSync(path.join(root, file), 'utf8')));

/**
 * Calls by which a file would read the clock, or load a module unseen: `new Date()` without arguments, `Date()`, `require(…)`.
 * @returns the calls as written
 */
export function hiddenCalls(file: string, text: string): string[] {
  if (!/\b(?:Date|require)\b/.test(text)) return [];
  const found: string[] = [];
  const keep = (node: { start: number; end: number }): void =>
    void found.push(text.slice(node.start, node.end));
  const { program } = parseSync(file.replace(/\.cts$/, '.ts'), text, { sourceType: 'module' });
  new Visitor({
    NewExpression: (node) => {
      if (node.callee.type === 'Identifier' && node.callee.name === 'Date' && node.arguments.length === 0)
        keep(node);
    },
    CallExpression: (node) => {
      if (node.callee.type === 'Identifier' && ['Date', 'require'].includes(node.callee.name)) keep(node);
    },
  }).visit(program);
  return found;
}
