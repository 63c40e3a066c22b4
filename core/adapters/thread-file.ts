/**
 * The file that a thread runs: the same code runs from source and as built.
 * @param code name of the file beside the module that starts it, without its ending
 * @param module address of that module
 */
export function threadFile(code: string, module: string): URL {
  const ending = module.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${code}.${ending}`, module);
}
