/**
 * File that a thread runs, in source and in the build.
 * @param code name of the file in the folder of the starting module, without extension
 * @param module address of that module
 */
export function threadFile(code: string, module: string): URL {
  const ending = module.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${code}.${ending}`, module);
}
