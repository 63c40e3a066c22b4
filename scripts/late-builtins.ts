/**
 * Keeps the built program from loading parts of Node that most starts do not use. An `import` of `node:http` reads all of its exports,
 * which loads a client for fetch; TLS and HTTP/2 are loaded by packages that may need them. Together they are 7 MB of an idle process.
 */
import type { Plugin } from 'vite';

/** Modules that are loaded when something of them is first used. */
const LATE: readonly string[] = ['node:http2', 'node:https', 'node:tls'];
/** Modules of which an `import` reads more than it names. */
const NAMED: readonly string[] = ['node:http'];
const MARK = '\0late:';

export function lateBuiltins(): Plugin {
  return {
    name: 'late-builtins',
    enforce: 'pre',
    resolveId(source, _importer, { kind }) {
      const id = source.startsWith('node:') ? source : `node:${source}`;
      // A package that requires a module gets that module alone.
      const isOurs = LATE.includes(id) || (NAMED.includes(id) && kind !== 'require-call');
      return isOurs ? `${MARK}${id}` : undefined;
    },
    load(id) {
      if (!id.startsWith(MARK)) return undefined;
      const name = id.slice(MARK.length);
      return LATE.includes(name) ? lateModule(name) : namedModule(name);
    },
  };
}

/** A module of which each export is a getter. */
function lateModule(name: string): string {
  const late = `process.getBuiltinModule(${JSON.stringify(name)})`;
  const getters = exportsOf(name).map((key) => `  get ${key}() { return ${late}.${key}; },`);
  return `module.exports = {\n${getters.join('\n')}\n};\n`;
}

/** A module with the exports that are plain values. */
function namedModule(name: string): string {
  const module: object = process.getBuiltinModule(name) ?? {};
  const isPlain = (key: string): boolean => Object.getOwnPropertyDescriptor(module, key)?.get === undefined;
  const lines = exportsOf(name)
    .filter(isPlain)
    .map((key) => `export const ${key} = builtin.${key};`);
  return `const builtin = process.getBuiltinModule(${JSON.stringify(name)});\n${lines.join('\n')}\n`;
}

function exportsOf(name: string): readonly string[] {
  return Object.keys(process.getBuiltinModule(name) ?? {});
}
